"""Quiet hours, in which no one is reminded, even in nights when clocks change."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.table.preferences import PersonalChoices
from bot.table.reminders import held_until, quiet_end
from tests.bot.table.desk import ANN, BOB, CEM, DAY, HOUR, Desk

BERLIN = "Europe/Berlin"
NIGHT = 22 * 60, 8 * 60


def at(text: str, zone: str = BERLIN, fold: int = 0) -> float:
    """A local time in seconds since the epoch."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-05-01T21:59", None),
        ("2026-05-01T22:00", "2026-05-02T08:00"),
        ("2026-05-02T00:30", "2026-05-02T08:00"),
        ("2026-05-02T07:59", "2026-05-02T08:00"),
        ("2026-05-02T08:00", None),
        ("2026-03-28T23:00", "2026-03-29T08:00"),  # an hour is missing in this night
        ("2026-03-29T01:30", "2026-03-29T08:00"),
        ("2026-10-24T23:00", "2026-10-25T08:00"),  # an hour comes twice in this night
        ("2026-10-25T02:30", "2026-10-25T08:00"),
    ],
)
def test_quiet_hours_follow_local_time_even_when_clocks_change(now: str, end: str | None) -> None:
    assert quiet_end(at(now), BERLIN, *NIGHT) == (at(end) if end else None)


def test_the_hour_that_comes_twice_is_quiet_both_times() -> None:
    for fold in (0, 1):
        assert quiet_end(at("2026-10-25T02:15", fold=fold), BERLIN, 2 * 60, 3 * 60) == at("2026-10-25T03:00")


def test_quiet_hours_that_would_end_in_a_missing_hour_still_end() -> None:
    end = quiet_end(at("2026-03-29T01:45"), BERLIN, 60, 150)  # until 2:30, which doesn't exist in this night
    assert end is not None
    assert at("2026-03-29T01:45") < end <= at("2026-03-29T03:30")


def test_quiet_hours_can_lie_within_a_day_or_end_at_midnight() -> None:
    assert quiet_end(at("2026-05-01T13:00"), BERLIN, 12 * 60, 14 * 60) == at("2026-05-01T14:00")
    assert quiet_end(at("2026-05-01T23:00"), BERLIN, 22 * 60, 24 * 60) == at("2026-05-02T00:00")
    assert quiet_end(at("2026-05-02T00:00"), BERLIN, 22 * 60, 24 * 60) is None


def test_each_persons_quiet_hours_follow_their_own_time_zone() -> None:
    now = at("2026-05-01T23:00")
    assert held_until(PersonalChoices(zone=BERLIN, quiet=NIGHT), now) == at("2026-05-02T08:00")
    assert held_until(PersonalChoices(zone="America/New_York", quiet=NIGHT), now) is None
    assert held_until(PersonalChoices(zone="", quiet=NIGHT), now) is None


def test_a_player_on_vacation_is_not_reminded() -> None:
    away = PersonalChoices(vacation=(1000.0, 2000.0))
    assert [held_until(away, now) for now in (999.0, 1000.0, 1999.0, 2000.0)] == [None, 2000.0, 2000.0, None]


def test_quiet_hours_in_an_unknown_time_zone_delay_nothing() -> None:
    assert held_until(PersonalChoices(zone="Europe/Atlantis", quiet=NIGHT), at("2026-05-01T23:00")) is None


def test_a_reminder_waits_for_a_vacation_that_begins_before_quiet_hours_end() -> None:
    """Else the game would be looked after each minute."""
    desk = Desk.of(ANN, BOB, CEM)
    due, user = desk.wait.since + DAY, desk.awaited
    begin = int(due % DAY // 60)
    desk.choose(user, quiet=((begin - 60) % 1440, (begin + 120) % 1440), zone="UTC")
    back = due + 5 * DAY + 3 * HOUR
    desk.leave(user, due + HOUR - desk.now, back - desk.now)
    desk.now = due
    desk.look()
    assert desk.next_look == back

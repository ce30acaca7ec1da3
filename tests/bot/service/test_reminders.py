"""When reminders come: at growing distances, and not in quiet hours, whatever the clocks do."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.presentation.reminders import leaving, limits, vacation
from bot.presentation.texts import zones
from bot.service.absence import Limit
from bot.table.options import LONGEST_PACE, SHORTEST_PACE
from bot.table.preferences import Choices, UserSettings
from bot.table.reminders import LEAST, held_until, moments, quiet_end, stands_for
from bot.table.waiting import DAY
from engine.errors import RefereeError

BERLIN = "Europe/Berlin"
NIGHT = 22 * 60, 8 * 60
HOUR = 3600.0


def at(text: str, zone: str = BERLIN, fold: int = 0) -> float:
    """A local time in seconds since the epoch."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()


@pytest.mark.parametrize(
    "pace", [0, SHORTEST_PACE, 600, 1800, 3600, 6 * 3600, 86_400, 7 * 86_400, 11 * 86_400, LONGEST_PACE]
)
def test_reminders_come_at_growing_distances_and_end(pace: int) -> None:
    found = moments(pace)
    apart = [b - a for a, b in zip((0.0, *found), found, strict=False)]
    assert apart == sorted(apart)
    assert min(apart[1:]) >= LEAST
    assert 3 <= len(found) <= 13
    assert found[-1] > pace, "once the time is over, too"
    assert moments(pace, late=True)[-1] > pace
    assert found[-1] <= 21 * DAY


def test_with_a_day_the_last_reminder_in_time_comes_three_hours_before_its_end() -> None:
    assert [hours / 3600 for hours in moments(86_400)[:4]] == [3, 9, 21, 48]
    assert [hours / 3600 for hours in moments(86_400, late=True)[:2]] == [21, 48]


@pytest.mark.parametrize(
    ("pace", "due", "ago", "late", "stands"),
    [
        (120, 1, 14, False, True),  # there is none in time
        (120, 1, 16, False, False),  # an eighth of the time
        (1800, 1, 200, False, True),
        (1800, 1, 230, False, False),
        (1800, 2, 10, False, False),  # the last in time is always given
        (1800, 3, 200, False, True),
        (86_400, 1, 0.4 * HOUR, False, True),
        (86_400, 1, 0.6 * HOUR, False, False),
        (86_400, 3, 0.1 * HOUR, False, False),
        (86_400, 1, 0.1 * HOUR, True, False),
        (86_400, 4, 0.4 * HOUR, False, True),
        (0, 1, 0.4 * HOUR, False, True),
        (0, 1, 0.6 * HOUR, False, False),
    ],
)
def test_a_reminder_of_another_game_takes_none_away_that_is_needed(
    pace: int, due: int, ago: float, late: bool, stands: bool
) -> None:
    assert stands_for(pace, due, ago, late=late) == stands


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-05-01T21:59", None),
        ("2026-05-01T22:00", "2026-05-02T08:00"),
        ("2026-05-02T00:30", "2026-05-02T08:00"),
        ("2026-05-02T07:59", "2026-05-02T08:00"),
        ("2026-05-02T08:00", None),
        ("2026-03-28T23:00", "2026-03-29T08:00"),  # an hour is missing in that night
        ("2026-03-29T01:30", "2026-03-29T08:00"),
        ("2026-10-24T23:00", "2026-10-25T08:00"),  # and here it comes twice
        ("2026-10-25T02:30", "2026-10-25T08:00"),
    ],
)
def test_quiet_hours_end_by_the_clock_on_the_wall(now: str, end: str | None) -> None:
    assert quiet_end(at(now), BERLIN, *NIGHT) == (at(end) if end else None)


def test_the_hour_that_comes_twice_is_quiet_both_times() -> None:
    for fold in (0, 1):
        assert quiet_end(at("2026-10-25T02:15", fold=fold), BERLIN, 2 * 60, 3 * 60) == at("2026-10-25T03:00")


def test_the_hour_that_is_missing_ends_quiet_hours_that_were_to_end_in_it() -> None:
    end = quiet_end(at("2026-03-29T01:45"), BERLIN, 60, 150)  # until 2:30, which isn't
    assert end is not None
    assert at("2026-03-29T01:45") < end <= at("2026-03-29T03:30")


def test_quiet_hours_of_a_day_and_until_midnight() -> None:
    assert quiet_end(at("2026-05-01T13:00"), BERLIN, 12 * 60, 14 * 60) == at("2026-05-01T14:00")
    assert quiet_end(at("2026-05-01T23:00"), BERLIN, 22 * 60, 24 * 60) == at("2026-05-02T00:00")
    assert quiet_end(at("2026-05-02T00:00"), BERLIN, 22 * 60, 24 * 60) is None


@pytest.fixture
def bare_machine() -> Iterator[None]:
    """The operating system has no time zones."""
    zoneinfo.reset_tzpath(())
    ZoneInfo.clear_cache()
    zones.zones.cache_clear()
    yield
    zoneinfo.reset_tzpath()
    ZoneInfo.clear_cache()
    zones.zones.cache_clear()


def test_where_the_machine_has_no_time_zones_all_are_known(bare_machine: None) -> None:
    assert zones.zone("berlin", 0.0) == BERLIN
    assert len(zones.zones()) > 300
    assert quiet_end(at("2026-05-01T22:00"), BERLIN, *NIGHT) == at("2026-05-02T08:00")
    assert zones.midnight("2026-03-29", BERLIN, after=True) - zones.midnight("2026-03-29", BERLIN) == 23 * 3600


def test_what_people_call_their_time_leads_to_cities_that_they_know() -> None:
    with pytest.raises(RefereeError) as refused:
        zones.zone("CEST", 0.0)
    assert (refused.value.key, refused.value.params["name"]) == ("zone/near", BERLIN)
    assert {name for found in zones._SHORT.values() for name in found} <= set(zones.zones())


@pytest.mark.parametrize(
    ("typed", "day", "city"),
    [
        ("UTC+1", "2026-01-05T12:00", BERLIN),
        ("gmt +2", "2026-07-05T12:00", BERLIN),
        ("+01:00", "2026-07-05T12:00", "Europe/London"),
        ("utc-5h", "2026-01-05T12:00", "America/New_York"),
        ("UTC\N{MINUS SIGN}0330", "2026-01-05T12:00", "America/St_Johns"),
        ("+530", "2026-01-05T12:00", "Asia/Kolkata"),
        ("+7", "2026-01-05T12:00", "Asia/Bangkok"),
    ],
)
def test_a_distance_is_no_time_zone_but_a_city_has_that_time(typed: str, day: str, city: str) -> None:
    now = at(day)
    with pytest.raises(RefereeError) as refused:
        zones.zone(typed, now)
    assert (refused.value.key, refused.value.params["name"]) == ("zone/fixed", city)


def test_a_distance_that_no_city_has_is_not_known() -> None:
    assert zones.zone("UTC+0", 0.0) == zones.zone("GMT-00:00", 0.0) == "UTC"
    for typed in ("UTC+1:17", "GMT+99", "+"):
        with pytest.raises(RefereeError) as refused:
            zones.zone(typed, 0.0)
        assert refused.value.key == "zone"


def test_a_time_zone_that_is_no_more_holds_nothing_up() -> None:
    gone = Choices(zone="Europe/Atlantis", quiet=NIGHT)
    assert held_until(gone, at("2026-05-01T23:00")) is None
    settings = UserSettings(1, choices=gone)
    assert leaving(settings, at("2026-05-01T23:00"))[0].name == "begin"
    with pytest.raises(RefereeError) as refused:
        vacation(settings, "2026-05-01", "2026-05-03", "", at("2026-05-01T23:00"))
    assert refused.value.code == "zone"


def test_each_persons_quiet_hours_go_by_their_own_zone() -> None:
    now = at("2026-05-01T23:00")
    assert held_until(Choices(zone=BERLIN, quiet=NIGHT), now) == at("2026-05-02T08:00")
    assert held_until(Choices(zone="America/New_York", quiet=NIGHT), now) is None
    assert held_until(Choices(zone="", quiet=NIGHT), now) is None


def test_somebody_on_vacation_is_not_reminded() -> None:
    away = Choices(vacation=(1000.0, 2000.0))
    assert [held_until(away, now) for now in (999.0, 1000.0, 1999.0, 2000.0)] == [None, 2000.0, 2000.0, None]


def test_games_that_allow_less_vacation_are_named() -> None:
    told = limits([Limit(3, 0.0, 500.0), Limit(4, 2.5 * 3600, 9000.0), *[Limit(5, 1.0, 1.0)] * 5])
    assert told[:2] == [
        "⚠️ Game 3 doesn't stop your clock: no days of vacation are left there.",
        "⚠️ Game 4 stops your clock for 2 hours only: until <t:9000:f>.",
    ]
    assert len(told) == 6
    assert told[-1] == "… and 2 more"

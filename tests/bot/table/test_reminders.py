"""Reminders of a game that waits: at growing distances, and only where and when the player wants them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.projections import PANEL, Kind, Name
from bot.screens.viewer import Viewer
from bot.screens.waiting import reminder_pings
from bot.table.acts.waiting import Elsewhere, RefreshTimes
from bot.table.options import DECIDE, LONGEST_PACE, REMIND, SHORTEST_PACE, VOTE
from bot.table.preferences import DM, NEVER, UserSettings
from bot.table.reminders import LEAST_APART, moments, stands_for
from bot.table.waiting import decisions
from engine.actions import EndTurn
from tests.bot.table.desk import ANN, BOB, CEM, DAY, HOUR, MINUTE, Desk
from tests.engine.builder import table as position

WEEK = 7 * DAY
IN_TIME: dict[int, list[float]] = {
    2 * MINUTE: [],
    5 * MINUTE: [],
    10 * MINUTE: [8.75],
    30 * MINUTE: [11.25, 26.25],
    HOUR: [7.5, 22.5, 52.5],
    3 * HOUR: [22.5, 67.5, 157.5],
    DAY: [3 * 60, 9 * 60, 21 * 60],
    WEEK: [21 * 60, 63 * 60, 147 * 60],
}
"""By pace, in seconds: the minutes after which reminders come before the deadline."""
AFTERWARDS: dict[int, list[float]] = {
    2 * MINUTE: [2, 7, 17, 37],
    5 * MINUTE: [5, 10, 20, 40],
    10 * MINUTE: [20, 40, 80],
    30 * MINUTE: [60, 120, 240],
    HOUR: [120, 240, 480],
    3 * HOUR: [6 * 60, 12 * 60, 24 * 60],
    DAY: [2 * 24 * 60, 4 * 24 * 60],
    WEEK: [14 * 24 * 60],
}


def paced(pace: int = DAY, expiry: str = REMIND, **options: Any) -> Desk:
    """A game that waits for Ann."""
    return Desk.at(position(players=3), pace=pace, expiry=expiry, **options)


def given(desk: Desk, seconds: float) -> list[float]:
    """Let time pass. Returns after how many seconds of waiting reminders of the present decision came."""
    wait, seconds_waited, end = desk.wait, list[float](), desk.now + seconds
    while (at := desk.next_look) is not None and at <= end and desk.wait.same(wait):
        desk.now, before = max(at, desk.now), desk.wait
        desk.look()
        assert desk.wait != before, "nothing was due"
        if desk.wait.same(wait) and desk.wait.reminded > before.reminded:
            seconds_waited.append(desk.now - wait.since)
    desk.now = end
    return seconds_waited


@pytest.mark.parametrize("expiry", [REMIND, VOTE, DECIDE])
@pytest.mark.parametrize("pace", IN_TIME)
def test_reminders_follow_the_pace(pace: int, expiry: str) -> None:
    """If the plainest move is made for players who are late, there is nothing to remind them of afterward."""
    minutes_due = [*IN_TIME[pace], *([] if expiry == DECIDE else AFTERWARDS[pace])]
    came = given(paced(pace, expiry), max([pace, *(60 * minutes for minutes in minutes_due)]))
    assert [seconds / 60 for seconds in came] == minutes_due


def test_a_game_without_a_limit_reminds_too() -> None:
    assert [seconds / DAY for seconds in given(paced(0), 365 * DAY)] == [1, 3, 7, 14, 21]


def test_a_reminder_updates_the_panel_but_doesnt_count_as_activity() -> None:
    desk = paced()
    updated, version = desk.table.updated, desk.table.version
    desk.now += 3 * HOUR
    assert desk.look().due == (PANEL,)
    assert (desk.wait.reminded, desk.wait.pinged, desk.wait.written) == (1, desk.now, 0)
    assert (desk.table.updated, desk.table.version) == (updated, version + 1)
    assert desk.look().due == ()


@pytest.mark.parametrize(
    ("pace", "due", "ago", "late", "stands"),
    [
        (120, 1, 14, False, True),  # no reminder comes before the deadline
        (120, 1, 16, False, False),  # longer ago than an eighth of the pace
        (1800, 1, 200, False, True),
        (1800, 1, 230, False, False),
        (1800, 2, 10, False, False),  # the last one before the deadline is always given
        (1800, 3, 200, False, True),
        (DAY, 1, 0.4 * HOUR, False, True),
        (DAY, 1, 0.6 * HOUR, False, False),
        (DAY, 3, 0.1 * HOUR, False, False),
        (DAY, 1, 0.1 * HOUR, True, False),
        (DAY, 4, 0.4 * HOUR, False, True),
        (0, 1, 0.4 * HOUR, False, True),
        (0, 1, 0.6 * HOUR, False, False),
    ],
)
def test_a_reminder_of_another_game_never_replaces_one_that_is_needed(
    pace: int, due: int, ago: float, late: bool, stands: bool
) -> None:
    assert stands_for(pace, due, ago, late=late) == stands


@pytest.mark.parametrize("pace", [0, SHORTEST_PACE, 600, 1800, HOUR, 6 * HOUR, DAY, 7 * DAY, 11 * DAY, LONGEST_PACE])
def test_reminders_come_at_growing_intervals_and_end(pace: int) -> None:
    times = moments(pace)
    apart = [b - a for a, b in zip((0.0, *times), times, strict=False)]
    assert apart == sorted(apart)
    assert min(apart[1:]) >= LEAST_APART
    assert 3 <= len(times) <= 13
    assert times[-1] > pace, "once the time is over, too"
    assert moments(pace, late=True)[-1] > pace
    assert times[-1] <= 21 * DAY


# --- players who were late before


def test_a_player_who_was_late_before_is_reminded_once_per_decision_until_they_act() -> None:
    """A player who doesn't answer for weeks isn't called three times for each decision."""
    desk = paced(expiry=DECIDE)
    for expected in ([3, 9, 21], [21], [21]):
        desk.until_on(ANN)
        assert [seconds / HOUR for seconds in given(desk, DAY)] == expected
    desk.until_on(ANN)
    desk.plain(2)
    desk.until_on(ANN)
    assert [seconds / HOUR for seconds in given(desk, DAY)] == [3, 9, 21]


def test_a_late_player_who_is_only_reminded_is_also_reminded_after_the_deadline() -> None:
    assert [hours / HOUR for hours in moments(DAY, late=True)[:2]] == [21, 48]


# --- where the player wants them


def test_a_player_who_wants_no_reminders_gets_none() -> None:
    desk = paced(0)
    desk.choose(ANN, reminders=NEVER)
    desk.now += DAY
    assert desk.look().due == ()
    assert (desk.wait.reminded, desk.wait.pinged, desk.wait.written) == (1, 0, 0)


@pytest.mark.parametrize(
    ("closed", "stopped", "direct", "written"),
    [(False, False, 7, True), (True, False, 7, False), (False, True, 7, False), (False, False, 0, False)],
)
def test_reminders_come_by_direct_message_if_wanted_and_possible(
    closed: bool, stopped: bool, direct: int, written: bool
) -> None:
    desk = paced(0)
    desk.settings[ANN] = UserSettings(ANN, dms_closed=closed, stopped=stopped)
    desk.choose(ANN, reminders=DM, direct=direct)
    desk.now += DAY
    assert desk.look().due == ((Name(Kind.REMINDER, user=ANN),) if written else (PANEL,))
    assert (desk.wait.written, desk.wait.pinged) == ((desk.now, 0) if written else (0, desk.now))


def test_a_bot_is_not_reminded() -> None:
    desk = Desk.at(position(players=3, on_turn=1), computers=2, pace=0)
    assert given(desk, 7 * DAY) == [DAY, 3 * DAY, 7 * DAY]
    assert (desk.wait.pinged, desk.wait.written) == (0, 0)


# --- one for all games that wait


@pytest.mark.parametrize("written", [True, False])
def test_who_was_reminded_is_not_reminded_again_when_the_clock_is_set_back(written: bool) -> None:
    desk = paced(DAY)
    if written:
        desk.choose(ANN, reminders=DM, direct=7)
    desk.now += DAY / 2
    desk.look()
    assert (desk.wait.written > 0, desk.wait.pinged > 0) == (written, not written)
    calls = [ping.occasion for ping in reminder_pings(Viewer(desk.table, desk.played))]
    assert len(calls) == (not written)
    desk.down(-HOUR)
    due = desk.act(0, RefreshTimes()).due
    assert not [name for name in due if name.kind is Kind.REMINDER]
    assert [ping.occasion for ping in reminder_pings(Viewer(desk.table, desk.played))] == calls


@pytest.mark.parametrize(
    ("elsewhere", "pinged", "more"),
    [
        (Elsewhere(), True, 0),
        (Elsewhere(games=2), True, 2),
        (Elsewhere(games=2, told=-10), False, 0),  # another game's reminder has just named it
        (Elsewhere(games=2, told=-2 * HOUR), True, 2),  # long ago
    ],
)
def test_a_reminder_mentions_all_games_that_wait(elsewhere: Elsewhere, pinged: bool, more: int) -> None:
    """`told` of `elsewhere`: when another game reminded the player, in seconds from now."""
    desk = paced()
    desk.now += 3 * HOUR
    told = elsewhere.told and desk.now + elsewhere.told
    desk.look(elsewhere={ANN: Elsewhere(elsewhere.games, told)})
    assert (desk.wait.reminded, desk.wait.pinged > 0, desk.wait.more) == (1, pinged, more)


def test_a_game_that_has_waited_longer_reminds_first() -> None:
    desk = paced()
    desk.now += 3 * HOUR
    desk.look(elsewhere={ANN: Elsewhere(games=1, goes_first=True)})
    assert desk.wait.reminded == 0
    desk.look(elsewhere={ANN: Elsewhere(games=1, told=desk.now)})
    assert (desk.wait.reminded, desk.wait.pinged) == (1, 0)


def test_a_reminder_from_before_a_game_waited_doesnt_count_for_it() -> None:
    for seconds in (0, 1):
        desk = paced(HOUR)
        desk.now += HOUR / 8
        desk.look(elsewhere={ANN: Elsewhere(games=1, told=desk.wait.since + seconds)})
        assert desk.wait.pinged == (0 if seconds else desk.now)


# --- what holds reminders up


@pytest.mark.parametrize(("begin", "end", "hours"), [(0, 48, [51, 57, 69]), (4, 28, [3, 33, 45])])
def test_a_vacation_that_stops_the_clock_delays_reminders(begin: int, end: int, hours: list[int]) -> None:
    desk = paced()
    desk.leave(ANN, begin * HOUR, end * HOUR)
    assert [seconds / HOUR for seconds in given(desk, 71 * HOUR)] == hours


def test_several_delayed_reminders_come_as_one() -> None:
    desk = paced(0)
    desk.leave(ANN, 0, 8 * DAY)
    assert given(desk, 13 * DAY) == [8 * DAY]
    assert desk.wait.reminded == 3


@pytest.mark.parametrize("pace", [0, DAY])
def test_a_delayed_reminder_doesnt_delay_the_next_players_reminders(pace: int) -> None:
    """A player acts while on vacation. All that the game had to do was put off to the vacation's end."""
    desk = paced(pace, DECIDE, leave=0)
    desk.leave(ANN, 0, 20 * DAY)
    desk.pass_time(pace / 2 or 2 * DAY)
    desk.play(ANN, EndTurn())
    assert [seconds / HOUR for seconds in given(desk, DAY)] == ([3, 9, 21] if pace else [24])


@pytest.mark.parametrize(("pace", "days"), [(0, 2), (DAY, 2), (7 * DAY, 5)])
def test_a_player_who_returns_early_from_vacation_is_reminded(pace: int, days: int) -> None:
    """At these tables, a vacation stops no clock."""
    desk = paced(pace, leave=0)
    desk.leave(ANN, 0, 20 * DAY)
    desk.pass_time(days * DAY)
    assert desk.wait.reminded == 0
    desk.back(ANN)
    assert desk.next_look is not None
    assert desk.next_look <= desk.now
    desk.look()
    assert desk.wait.pinged == desk.now


def test_a_delayed_reminder_waits_for_the_end_of_another_vacation_without_looks_meanwhile() -> None:
    desk = paced(0)
    desk.leave(ANN, 0, 4 * DAY)
    desk.pass_time(2 * DAY)
    desk.leave(ANN, 0, 8 * DAY)
    assert desk.next_look == desk.now + 8 * DAY


def test_a_player_who_ends_their_quiet_hours_early_is_reminded() -> None:
    desk = paced(0)
    desk.choose(ANN, zone="UTC", quiet=(0, 1439))
    desk.now += DAY
    desk.look()
    assert desk.wait.reminded == 0
    desk.choose(ANN, quiet=(0, 60))
    desk.look()
    assert desk.wait.pinged == desk.now


def test_a_reminder_waits_for_the_end_of_quiet_hours() -> None:
    """The game began at 13:46:40 by their clock."""
    desk = paced(0)
    desk.choose(ANN, zone="UTC", quiet=(13 * 60, 14 * 60))
    assert given(desk, 2 * DAY) == [DAY + 13 * MINUTE + 20]


@pytest.mark.parametrize(("expiry", "over"), [(DECIDE, False), (REMIND, True)])
def test_a_delayed_reminder_doesnt_delay_the_deadline(expiry: str, over: bool) -> None:
    """The reminder of a player who is on vacation for longer than the table allows."""
    desk = paced(expiry=expiry, leave=2)
    desk.leave(ANN, 0, 30 * DAY)
    desk.pass_time(3 * DAY)
    [wait] = decisions(desk.table)
    assert (desk.awaited, wait.over, wait.reminded) == (ANN if over else BOB, over, 0)


def test_other_players_settings_delay_no_reminders() -> None:
    desk = paced()
    desk.leave(CEM, 0, 30 * DAY)
    desk.choose(BOB, zone="UTC", quiet=(0, 1439))
    assert given(desk, DAY) == [3 * HOUR, 9 * HOUR, 21 * HOUR]

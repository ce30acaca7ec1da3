"""Vacation stops the clock of a player who is away, up to the table's limit. No one loses or gains time by it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.projections import PANEL
from bot.table.act import Act
from bot.table.acts.motions import Propose
from bot.table.acts.play import Play
from bot.table.acts.seats import OfferSeat, Replace, TakeSeat
from bot.table.options import DECIDE
from bot.table.parts import PACE, PAUSE, RESUME
from bot.table.waiting import decisions, leave_left
from engine.actions import EndTurn, Resign
from tests.bot.table.desk import ANN, BOB, DAY, EVE, HOUR, Desk
from tests.engine.builder import seat
from tests.engine.builder import table as position
from tests.engine.tables import offer


def paced(pace: int = DAY, **options: Any) -> Desk:
    """A game that waits for Ann, who holds cards."""
    return Desk.at(position(seat(hand="bbbb"), seat(), seat()), pace=pace, **options)


def used(desk: Desk, user: int = ANN) -> float:
    """Seconds for which vacation has stopped a user's clock so far."""
    return desk.table.options.leave * DAY - leave_left(desk.table, desk.played, user, desk.now)


@pytest.mark.parametrize(
    ("leave", "begin", "end", "left"),
    [
        (14, 0, 3 * DAY, 4 * DAY),
        (14, HOUR, 3 * DAY, 4 * DAY - HOUR),  # an hour of their time runs before it
        (14, 2 * DAY, 3 * DAY, DAY),  # it begins when their time is over
        (14, DAY, 3 * DAY, DAY),
        (2, 0, 3 * DAY, 3 * DAY),  # no longer than the table allows
        (0, 0, 3 * DAY, DAY),
    ],
)
def test_vacation_stops_the_clock_as_long_as_the_table_allows(leave: int, begin: int, end: int, left: int) -> None:
    desk = paced(leave=leave)
    desk.leave(ANN, begin, end)
    assert desk.left == left
    assert desk.wait.vacation == left - DAY
    assert (used(desk), used(desk, BOB)) == (0, 0)


def test_downtime_in_a_vacation_is_not_shown_as_vacation() -> None:
    """The deadline stays, and the message says of how much of it the vacation is the cause."""
    desk = paced(leave=14)
    desk.leave(ANN, 0, 3 * DAY)
    desk.down(DAY)
    assert desk.look().due == (PANEL,)
    assert (desk.left, desk.wait.vacation) == (3 * DAY, 2 * DAY)
    assert not desk.look().due


@pytest.mark.parametrize(("pace", "step"), [(DAY, 4.0), (DAY, HOUR), (1800, HOUR)])
def test_a_vacation_goes_on_after_the_clock_was_set_back(pace: int, step: float) -> None:
    """It ends on the day that was chosen, and no one is late meanwhile."""
    desk = paced(pace, leave=14)
    desk.leave(ANN, 0, 12 * DAY)
    desk.now += 10 * DAY
    left = desk.left
    desk.down(-step)
    desk.look()
    assert not desk.wait.over
    assert desk.left == left + step
    assert used(desk) == 10 * DAY
    assert desk.table.on_leave == ()


def test_used_vacation_isnt_available_for_the_next_decision() -> None:
    desk = paced(leave=2)
    desk.leave(ANN, 0, DAY)
    desk.now += 1.5 * DAY
    desk.play(ANN, EndTurn())
    assert used(desk) == DAY
    desk.until_on(ANN)
    desk.leave(ANN, 0, 5 * DAY)
    assert desk.left == 2 * DAY


@pytest.mark.parametrize("pace", [DAY, 0])
def test_no_one_has_more_vacation_by_giving_a_seat_to_a_friend_and_back(pace: int) -> None:
    desk = paced(pace, leave=2)
    desk.leave(ANN, 0, 5 * DAY)
    desk.pass_time(2.5 * DAY)
    for there, back in ((ANN, EVE), (EVE, ANN)):
        desk.act(there, OfferSeat(back, "Guest"))
        desk.act(back, TakeSeat("Guest", 0))
    assert used(desk) == 2 * DAY
    assert desk.wait.until == (desk.now + DAY / 2 if pace else None)


def test_without_a_timer_vacation_counts_up_to_the_limit_of_the_whole_game() -> None:
    desk = paced(0, leave=2)
    desk.leave(ANN, 0, 5 * DAY)
    desk.now += 3 * DAY
    desk.play(ANN, EndTurn())
    assert used(desk) == 2 * DAY


def test_a_player_who_isnt_waited_for_uses_no_vacation() -> None:
    desk = paced()
    desk.leave(BOB, 0, 5 * DAY)
    desk.now += 3 * DAY
    desk.play(ANN, EndTurn())
    assert (desk.awaited, desk.left, used(desk, BOB)) == (BOB, 3 * DAY, 0)


def test_a_player_who_returns_early_uses_only_the_vacation_they_took() -> None:
    desk = paced()
    desk.leave(ANN, HOUR, 10 * DAY)
    desk.now += 3 * DAY
    desk.back(ANN)
    assert (desk.left, used(desk)) == (DAY - HOUR, 3 * DAY - HOUR)


def test_a_vacation_canceled_before_it_begins_uses_nothing() -> None:
    desk = paced()
    desk.leave(ANN, HOUR, 10 * DAY)
    desk.now += HOUR / 2
    desk.back(ANN)
    assert (desk.left, used(desk)) == (DAY - HOUR / 2, 0)


def test_extending_a_vacation_or_planning_another_costs_no_time() -> None:
    desk = paced(leave=30)
    desk.leave(ANN, 0, 5 * DAY)
    desk.now += 4 * DAY
    desk.leave(ANN, 0, 5 * DAY)  # makes it longer
    assert desk.left == 6 * DAY
    desk.now += 4 * DAY
    desk.back(ANN)
    assert desk.left == DAY
    desk.leave(ANN, 30 * DAY, 40 * DAY)  # the next one
    assert (desk.left, used(desk)) == (DAY, 8 * DAY)


def test_going_and_coming_back_many_times_gains_and_costs_nothing() -> None:
    desk = paced()
    desk.now += DAY / 2
    for _ in range(20):
        desk.leave(ANN, 0, 3 * DAY)
        desk.now += HOUR
        desk.back(ANN)
    assert (desk.left, used(desk)) == (DAY / 2, 20 * HOUR)


# --- however a wait ends


@pytest.mark.parametrize("paused", [True, False])
@pytest.mark.parametrize(
    ("by", "act"),
    [((BOB, ANN), Propose(PACE, pace=5 * DAY)), ((ANN,), Replace(ANN)), ((ANN,), Play(Resign()))],
)
def test_a_vacation_counts_however_the_wait_ends(by: tuple[int, ...], act: Act, paused: bool) -> None:
    """A pause doesn't count as vacation."""
    desk = paced()
    desk.leave(ANN, 0, 10 * DAY)
    desk.now += 3 * DAY
    if paused:
        desk.agree(PAUSE)
        desk.now += 2 * DAY
    for user in by:
        desk.act(user, act)
    assert used(desk) == 3 * DAY


def test_a_vacation_counts_once_if_time_runs_out_during_it() -> None:
    desk = paced(leave=2, expiry=DECIDE)
    desk.leave(ANN, 0, 10 * DAY)
    desk.pass_time(3 * DAY)
    assert (desk.awaited, used(desk)) == (BOB, 2 * DAY)


def test_time_that_runs_out_while_the_game_cant_be_seen_restarts() -> None:
    """The vacation until then stays used."""
    desk = paced(expiry=DECIDE)
    old = desk.wait
    desk.leave(ANN, 0, 3 * DAY)
    desk.pass_time(4 * DAY - 1)
    assert desk.wait.reminded == 3
    desk.now += 1
    desk.look(unseen=desk.now)
    assert (desk.wait, used(desk)) == (replace(old, until=desk.now + DAY), 3 * DAY)
    assert desk.wait.vacation == 0
    assert desk.next_look == desk.now + 3 * HOUR


# --- together with a pause


@pytest.mark.parametrize(
    ("begin", "end", "left"),
    [
        (0.5, 20, 11.5),  # begins before the pause: half a day was spent, and ten days of vacation follow the pause
        (2, 20, 11),  # begins in the pause
        (2, 5, 1),  # lies in the pause
        (12, 15, 1),  # begins when their time is over
        (10.5, 15, 5.5),  # begins while their time would run
    ],
)
def test_a_vacation_and_a_pause_both_stop_the_clock(begin: float, end: float, left: float) -> None:
    """The pause lasts from day 1 to day 10; the pace is two days."""
    desk = paced(2 * DAY, leave=30)
    desk.leave(ANN, begin * DAY, end * DAY)
    desk.now += DAY
    desk.agree(PAUSE)
    desk.now += 9 * DAY
    desk.agree(RESUME)
    assert desk.left == left * DAY


def test_a_vacation_started_during_a_pause_counts() -> None:
    desk = paced(2 * DAY)
    desk.now += DAY
    desk.agree(PAUSE)
    desk.now += 5 * DAY
    desk.leave(ANN, 0, 7 * DAY)
    desk.now += 3 * DAY
    desk.agree(RESUME)
    assert desk.left == DAY + 4 * DAY


def test_vacation_during_a_pause_uses_no_leave() -> None:
    """What was left before a pause is left after it; that doesn't turn the time before into vacation."""
    desk = paced(3 * DAY)
    desk.now += 2.5 * DAY
    desk.leave(ANN, 0, 10 * DAY)
    desk.agree(PAUSE)
    desk.now += 4 * DAY
    desk.agree(RESUME)
    desk.back(ANN)
    assert (desk.left, used(desk)) == (DAY / 2, 0)


# --- offers


def test_offers_that_wait_for_a_player_on_vacation_use_no_leave() -> None:
    """Offers don't hold up the game."""
    desk = paced()
    desk.leave(BOB, 0, 3 * DAY)
    for want in "lwgo":
        desk.play(ANN, offer("b", want, (1,)))
    desk.now += 2 * DAY
    desk.play(ANN, EndTurn())
    assert used(desk, BOB) == 0


def test_a_vacation_isnt_shown_if_the_player_has_only_an_offer_to_answer() -> None:
    """The time that they have for that isn't shown, either."""
    desk = paced()
    desk.play(ANN, offer("b", "w"))
    assert desk.leave(BOB, HOUR, 5 * DAY).due == ()
    [asked] = [wait for wait in desk.table.waits if wait.offer and wait.seat == desk.seat(BOB)]
    assert asked.until == desk.now + 6 * DAY - HOUR
    assert desk.leave(ANN, HOUR, 5 * DAY).due != ()


def test_without_a_time_limit_a_vacation_changes_nothing() -> None:
    desk = paced(0)
    assert desk.leave(ANN, 0, 5 * DAY).due == ()
    assert [wait.until for wait in decisions(desk.table)] == [None]

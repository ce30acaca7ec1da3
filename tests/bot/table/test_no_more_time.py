"""No one can wind time up: what is left of a decision's time belongs to the decision and the seat, whatever else is
done at the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.table.act import Act
from bot.table.acts.places import CloseUnused, Resume
from bot.table.acts.play import Play
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.options import VOTE
from bot.table.parts import PACE, PAUSE, RESUME
from bot.table.table import ARCHIVED
from engine.actions import (
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    BuildRoad,
    DeclineOffer,
    Discard,
    EndTurn,
    MoveRobber,
    Roll,
    TakeBackDiscard,
    Undo,
    WithdrawOffer,
)
from tests.bot.table.desk import ANN, BEGIN, BOB, CEM, DAY, EVE, HOUR, NAMES, Desk
from tests.bot.table.stalling import stalled, timed
from tests.bot.table.windows import late_requests
from tests.engine.builder import cards, edge, seat
from tests.engine.builder import table as position
from tests.engine.tables import offer
from tests.seeds import few_of

ALMOST = 23 * HOUR
"""Time that runs between two acts, at a turn timer of a day."""


def held(desk: Desk, *acts: tuple[int, Act], times: int = 4) -> float:
    """For how many hours the game can be made to wait for Ann if these acts are done again and again, each shortly
    before her time is over."""
    begin = desk.now
    for _ in range(times):
        for user, act in acts:
            waits = [wait.until for wait in desk.table.waits if wait.seat == desk.seat(ANN) and not wait.offer]
            if waits and waits[0] is not None and waits[0] <= desk.now:
                return (desk.now - begin) / HOUR
            if waits and waits[0] is not None:
                desk.now = max(desk.now, waits[0] - HOUR / 60)
            desk.act(user, act)
    [until] = [wait.until for wait in desk.table.waits if wait.seat == desk.seat(ANN) and not wait.offer]
    assert until is not None
    return (until - begin) / HOUR


# --- one way after the other


def test_a_bot_that_plays_for_a_moment_leaves_no_more_time() -> None:
    desk = timed()
    assert held(desk, (ANN, Replace(ANN)), (ANN, ReturnToSeat())) == pytest.approx(24)


def test_a_player_who_was_late_is_still_late_after_a_bot_has_played_for_a_moment() -> None:
    desk = timed()
    desk.pass_time(DAY)
    assert desk.wait.over
    for act in (Replace(ANN), ReturnToSeat()):
        desk.act(ANN, act)
    assert (desk.wait.over, desk.left) == (True, 0)


def test_a_seat_that_is_given_away_and_back_has_no_more_time() -> None:
    """What is left belongs to the seat, not to the player."""
    desk, users = timed(), (ANN, EVE)
    for n in range(3):
        giver, taker = users[n % 2], users[(n + 1) % 2]
        desk.now += 7 * HOUR
        desk.act(giver, OfferSeat(taker))
        desk.act(taker, TakeSeat(NAMES[taker], 0))
    assert desk.left == 3 * HOUR


@pytest.mark.parametrize("vote", [AgreeToEnd, AgreeToCallOff])
def test_votes_give_no_more_time(vote: Callable[[bool], Action]) -> None:
    assert held(timed(), (ANN, Play(vote(True))), (ANN, Play(vote(False)))) == pytest.approx(24)


def test_an_undo_and_what_follows_it_give_no_more_time() -> None:
    """Neither to the player who undoes nor to the next one."""
    desk = timed()
    for _ in range(3):
        desk.now += 7 * HOUR
        desk.play(ANN, EndTurn())
        desk.now += 7 * HOUR
        assert desk.left == pytest.approx(DAY - desk.wait.spent - 7 * HOUR)
        desk.play(ANN, Undo())
    assert desk.left == 3 * HOUR
    desk.play(ANN, EndTurn())
    assert (desk.awaited, desk.left) == (BOB, 3 * HOUR)


def test_a_road_that_is_built_and_undone_gives_no_more_time() -> None:
    """What is built is progress: the next decision has its full time, but only once."""
    desk = timed()
    build = BuildRoad(edge("c5"))
    desk.now += ALMOST
    desk.play(ANN, build)
    assert desk.left == DAY
    desk.now += 7 * HOUR
    for _ in range(3):
        desk.play(ANN, Undo())
        assert desk.left == HOUR
        desk.play(ANN, build)
        assert desk.left == 17 * HOUR


def test_a_robber_that_is_moved_and_taken_back_has_no_more_time() -> None:
    seats = (seat(settlements="B4"), seat(settlements="D4", hand="w"), seat(settlements="E6", hand="w"))
    desk = Desk.at(position(*seats, step="pre_roll", dice=[(3, 4)]), pace=DAY, leave=0)
    desk.play(ANN, Roll())
    places = [action for action in desk.played.options(0).actions() if isinstance(action, MoveRobber)]
    desk.now += ALMOST
    for _ in range(3):
        taken_back = False
        for action in places:
            desk.play(ANN, action)
            if desk.played.can_undo(0):
                desk.now += HOUR / 6
                desk.play(ANN, Undo())
                taken_back = True
                break
            break
        assert taken_back
        assert desk.left == HOUR


def test_a_discard_that_is_taken_back_has_no_more_time() -> None:
    hands = (seat(hand="bbbbwwww"), seat(hand="bbbbwwww"), seat())
    desk = Desk.at(position(*hands, step="pre_roll", dice=[(3, 4)]), pace=DAY, leave=0)
    desk.play(ANN, Roll())
    for _ in range(3):
        desk.now += 7 * HOUR
        desk.play(BOB, Discard(cards("bbbb")))
        desk.play(BOB, TakeBackDiscard())
    assert {wait.until for wait in desk.table.waits} == {desk.now + 3 * HOUR}


def test_trade_makes_a_turn_longer_by_the_timers_length_at_most() -> None:
    """Offers by anyone, answers, and offers that are canceled and made again."""
    desk = timed()
    others = [(BOB, Play(offer(gives, wants))) for gives, wants in ("wb", "ob", "wl", "ol")]
    assert held(desk, *others, times=9) == pytest.approx(48)
    desk = timed()
    begin = desk.now
    for n in range(1, 6):
        desk.now = min(desk.now + ALMOST, desk.wait.until or 0.0)
        desk.play(ANN, offer("b", "w", (1,)))
        desk.play(BOB, DeclineOffer(n))
        desk.play(ANN, WithdrawOffer(n))
    assert (desk.left, desk.now - begin) == (0, 48 * HOUR)


def test_trade_makes_all_decisions_of_a_turn_together_no_longer_than_that() -> None:
    desk = timed()
    desk.now += DAY - 1
    desk.play(BOB, offer("w", "b"))
    desk.now += ALMOST
    desk.play(ANN, BuildRoad(edge("c5")))
    assert desk.left == DAY
    desk.now += DAY - 1
    desk.play(CEM, offer("g", "b"))
    assert desk.left == pytest.approx(HOUR, abs=5)


def test_a_pause_gives_back_what_was_left() -> None:
    desk = timed()
    for _ in range(3):
        desk.now += 7 * HOUR
        desk.agree(PAUSE)
        desk.now += 5 * DAY
        desk.agree(RESUME)
    assert desk.left == 3 * HOUR


def test_other_turn_timers_back_and_forth_give_no_more_time_than_the_longest() -> None:
    desk = timed()
    for pace, left in ((2 * DAY, DAY + 17 * HOUR), (DAY, DAY), (2 * DAY, 27 * HOUR), (HOUR, HOUR), (DAY, 0)):
        desk.now += 7 * HOUR if left > HOUR else 0
        desk.agree(PACE, pace=pace, expiry=VOTE)
        assert desk.left == left or pace == DAY
    assert (desk.wait.until or 0.0) <= BEGIN + 2 * DAY


def test_a_game_without_a_timer_for_a_while_goes_on_with_what_was_left() -> None:
    desk = timed()
    desk.now += ALMOST
    desk.agree(PACE, pace=0)
    desk.now += 30 * DAY
    desk.agree(PACE, pace=DAY, expiry=VOTE)
    assert desk.left == HOUR


def test_a_shorter_timer_leaves_its_own_length() -> None:
    desk = timed()
    desk.now += 5 * HOUR
    desk.agree(PACE, pace=HOUR, expiry=VOTE)
    assert desk.left == HOUR


def test_a_game_that_is_archived_in_time_goes_on_with_what_was_left() -> None:
    desk = timed()
    desk.now += ALMOST
    desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    desk.now += 30 * DAY
    desk.act(CEM, Resume())
    assert desk.left == HOUR


def test_J2_a_turn_that_is_ended_again_opens_no_longer_window() -> None:
    desk = late_requests(pace=120)
    ann = desk.table.user_at(desk.played, desk.played.view(None).undo or 0)
    for _ in range(3):
        desk.now += 8
        desk.play(ann, Undo())
        desk.play(ann, EndTurn())
    assert desk.table.deadline is not None
    assert desk.table.deadline.at - desk.now == 30 - 24


def test_a_vacation_that_stops_the_clock_is_used_up_also_while_a_bot_plays() -> None:
    desk = Desk.at(position(players=3), pace=DAY, expiry=VOTE, leave=2)
    for _ in range(4):
        desk.leave(ANN, 0, 100 * DAY)
        desk.now += DAY
        desk.act(ANN, Replace(ANN))
        desk.now += DAY
        desk.act(ANN, ReturnToSeat())
    assert desk.left == 0


@pytest.mark.parametrize("act", [Play(AgreeToCallOff()), Replace(ANN), Play(EndTurn())])
def test_a_time_that_an_earlier_version_has_stored_goes_on(act: Act) -> None:
    desk = timed()
    old = tuple(replace(wait, what="", left=None) for wait in desk.table.waits)
    desk.table = replace(desk.table, waits=old, earlier=())
    assert desk.left == DAY
    desk.now += ALMOST
    desk.act(ANN, act)
    if isinstance(act, Replace):
        desk.act(ANN, ReturnToSeat())
    assert (desk.awaited, desk.left) == ((BOB, DAY) if act == Play(EndTurn()) else (ANN, HOUR))


def test_a_turn_timer_is_changed_while_a_time_of_an_earlier_version_runs() -> None:
    desk = timed()
    old = tuple(replace(wait, what="", left=None) for wait in desk.table.waits)
    desk.table = replace(desk.table, waits=old)
    desk.now += ALMOST
    desk.agree(PACE, pace=2 * DAY)
    assert desk.left == DAY + HOUR


# --- all ways together


@pytest.mark.parametrize("part", few_of(range(5)))
def test_whatever_anyone_does_no_decision_gets_more_than_its_time(part: int) -> None:
    for seed in range(8 * part, 8 * part + 8):
        stalled(seed)


@pytest.mark.soak
def test_whatever_anyone_does_in_a_thousand_games_no_decision_gets_more_than_its_time() -> None:
    for seed in range(1000, 2000):
        stalled(seed, 300)

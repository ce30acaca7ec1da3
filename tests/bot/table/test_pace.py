"""The time for each decision: what follows when it is over, and when it begins again."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.acts.waiting import LookAfter
from bot.table.options import DECIDE, REMIND, VOTE
from bot.table.parts import PACE
from bot.table.table import OVER
from bot.table.waiting import decisions
from engine.actions import (
    Action,
    BuildRoad,
    BuildSettlement,
    DecideFor,
    DeclineFor,
    DeclineOffer,
    Discard,
    EndTurn,
    Roll,
)
from engine.game import Game
from engine.record import REFEREE
from tests.bot.table.desk import ANN, BOB, CEM, DAY, HOUR, MINUTE, Desk
from tests.engine.builder import cards, seat
from tests.engine.builder import table as position
from tests.engine.tables import offer


def decided(desk: Desk, since: int) -> list[tuple[int, Action | None]]:
    """The actors and actions of the records after the first `since`."""
    return [(record.actor, record.action) for record in desk.played.records[since:]]


def paced(expiry: str = DECIDE, pace: int = HOUR, **options: Any) -> Desk:
    """A game with Ann, who holds a brick, in the main part of her turn."""
    return Desk.at(position(seat(hand="b"), seat(), seat()), pace=pace, expiry=expiry, **options)


def discarding(*hands: str) -> Desk:
    """A game of players with these hands, in which Ann must roll and will get a seven."""
    seats = (seat(hand=hand) for hand in hands)
    return Desk.at(position(*seats, step="pre_roll", dice=[(3, 4)]), pace=HOUR, expiry=DECIDE)


@pytest.mark.parametrize("pace", [2 * MINUTE, HOUR, 14 * DAY])
def test_each_player_has_the_pace_for_each_decision(pace: int) -> None:
    desk = paced(pace=pace)
    assert (desk.awaited, desk.left) == (ANN, pace)
    desk.now += pace / 2
    desk.play(ANN, EndTurn())
    assert (desk.awaited, desk.left) == (BOB, pace)


def test_without_a_pace_no_time_runs_out() -> None:
    desk = paced(pace=0)
    assert desk.wait.until is None
    desk.now += 14 * DAY
    desk.look()
    assert (desk.awaited, desk.wait.over) == (ANN, False)


def test_a_players_time_restarts_with_their_own_action() -> None:
    desk = paced()
    desk.now += HOUR - 60
    desk.play(ANN, offer("b", "w"))
    assert (desk.awaited, desk.left) == (ANN, HOUR)


# --- the plainest move


def test_the_plainest_move_is_made_for_a_late_player() -> None:
    desk = paced()
    desk.play(ANN, EndTurn())
    revision = desk.played.revision
    desk.pass_time(HOUR - 1)
    assert desk.played.revision == revision
    desk.pass_time(1)
    assert decided(desk, revision) == [(REFEREE, DecideFor(1))] * 2, "the dice, and the end of the turn"
    assert [(late.user, late.times) for late in desk.table.missed] == [(BOB, 1)]
    assert (desk.awaited, desk.left) == (CEM, HOUR)


def test_a_late_players_turn_is_played_to_its_end() -> None:
    """It is played until others must decide something."""
    desk = discarding("", "bbbbwwww", "")
    desk.pass_time(HOUR)
    assert (desk.played.view(None).step.kind, desk.awaited, desk.played.turn) == ("discard", BOB, 1)
    desk.play(BOB, Discard(cards("bbww")))
    assert (desk.awaited, desk.left) == (ANN, 0), "she isn't waited for again in that turn"
    desk.look()
    assert (desk.awaited, desk.played.turn) == (BOB, 2)
    assert [(late.user, late.times) for late in desk.table.missed] == [(ANN, 1)], "once in a turn"


@pytest.mark.parametrize("expiry", [REMIND, VOTE])
def test_without_automatic_moves_all_are_told_once_that_the_time_is_over(expiry: str) -> None:
    desk = paced(expiry)
    revision, updated = desk.played.revision, desk.table.updated
    desk.now += HOUR
    assert desk.look().due
    assert desk.wait.over
    assert desk.table.updated == updated, "nobody has touched the table"
    desk.now += MINUTE
    assert not desk.look().due
    assert desk.played.revision == revision


def test_nothing_is_decided_before_it_is_checked_that_players_could_see_the_game() -> None:
    desk = paced()
    desk.now += HOUR
    for at, turn in ((desk.now - 1, 1), (desk.now, 2)):
        desk.act(0, LookAfter(at=at))
        assert desk.played.turn == turn


@pytest.mark.parametrize(("unseen", "anew"), [(0.0, False), (-HOUR - 1, False), (-HOUR, True), (-1, True)])
def test_a_player_who_couldnt_see_the_game_during_their_time_has_full_time_again(unseen: float, anew: bool) -> None:
    """`unseen`: when people last couldn't see it, in seconds from the end of the player's time; 0: never."""
    desk = paced()
    desk.now += HOUR
    desk.look(unseen=unseen and desk.now + unseen)
    assert (desk.awaited, desk.left) == (ANN if anew else BOB, HOUR)


def test_a_restarted_time_runs_out_if_the_game_has_been_visible_since() -> None:
    desk = paced()
    desk.now += HOUR
    unseen = desk.now
    desk.look(unseen=unseen)
    desk.now += HOUR
    desk.look(unseen=unseen)
    assert desk.awaited == BOB


def test_a_players_own_action_resets_the_count_of_their_missed_turns() -> None:
    desk = paced()
    for _ in range(2):
        desk.until_on(ANN)
        desk.pass_time(HOUR)
    assert [(late.user, late.times) for late in desk.table.missed] == [(ANN, 2)]
    desk.until_on(ANN)
    desk.play(ANN, Roll())
    assert desk.table.missed == ()


@pytest.mark.parametrize("expiry", [REMIND, DECIDE])
def test_a_new_pace_counts_immediately_and_clears_missed_turns(expiry: str) -> None:
    """What has run of a decision's time stays spent."""
    desk = paced()
    desk.pass_time(HOUR + HOUR / 2)
    desk.agree(PACE, pace=5 * HOUR, expiry=expiry)
    options = desk.table.options
    assert (options.pace, options.expiry, desk.table.missed) == (5 * HOUR, expiry, ())
    assert (desk.awaited, desk.left) == (BOB, 4.5 * HOUR)
    [news] = desk.table.news
    assert (news.what, news.pace, news.expiry) == (PACE, 5 * HOUR, expiry)


def test_an_abandoned_game_goes_on_to_its_end() -> None:
    desk = Desk.of(ANN, BOB, CEM, seed=1, round_limit=3, pace=120, expiry=DECIDE)
    for _ in range(20):
        desk.pass_time(HOUR)
    assert desk.table.status == OVER
    assert Game.replay(desk.played.config, desk.played.records).hash() == desk.played.hash()


# --- setup


@pytest.mark.parametrize(("pace", "seconds"), [(120, 30 * MINUTE), (HOUR, HOUR)])
def test_each_setup_placement_has_at_least_half_an_hour(pace: int, seconds: int) -> None:
    """With a pace of minutes, a placement has half an hour, and turns after setup have the pace."""
    desk = Desk.of(ANN, BOB, CEM, pace=pace, expiry=DECIDE)
    assert (desk.left, desk.wait.vacation) == (seconds, 0)
    desk.pass_time(seconds - 1)
    assert desk.played.revision == 1
    desk.pass_time(1)
    assert desk.played.revision == 3, "a settlement and a road"
    desk.until(lambda game: game.turn > 0)
    assert desk.left == pace


def test_a_player_who_is_only_reminded_has_the_pace_for_a_placement() -> None:
    assert Desk.of(ANN, BOB, pace=120, expiry=REMIND).left == 120


def test_in_setup_each_placement_has_its_time() -> None:
    """That includes the last player, who places twice in a row, and a second placement after the first was decided for
    the player: days can lie between the two."""
    desk, order = Desk.of(ANN, BOB, CEM, pace=HOUR, expiry=DECIDE), list[int]()
    for _ in range(6):
        assert (desk.played.turn, desk.left) == (0, HOUR)
        order.append(desk.awaited)
        desk.pass_time(HOUR)
    assert order == [ANN, BOB, CEM, CEM, BOB, ANN]
    assert desk.played.turn == 1
    assert {late.times for late in desk.table.missed} == {2}


def test_a_player_who_places_twice_in_a_row_has_full_time_for_the_second_placement() -> None:
    desk = Desk.of(ANN, BOB, CEM, pace=HOUR, expiry=DECIDE)
    desk.until(lambda game: desk.awaited == CEM)
    desk.now += HOUR / 2
    for kind in (BuildSettlement, BuildRoad):
        desk.play(CEM, next(iter(desk.played.options(2)[kind])))
    assert (desk.awaited, desk.left) == (CEM, HOUR)


# --- several players at the same time


def test_each_player_who_must_discard_has_their_own_time() -> None:
    desk = discarding(*3 * ["bbbbwwww"])
    desk.play(ANN, Roll())
    waits = list(decisions(desk.table))
    assert [wait.seat for wait in waits] == [0, 1, 2]
    desk.now += HOUR / 2
    desk.play(BOB, Discard(cards("bbbb")))
    assert list(decisions(desk.table)) == [waits[0], waits[2]], "others' discards change nothing"
    desk.pass_time(HOUR / 2)
    assert desk.played.view(None).step.kind != "discard"


@pytest.mark.parametrize("late", [ANN, BOB])
def test_a_late_player_is_not_waited_for_again_in_that_turn(late: int) -> None:
    desk = discarding(*3 * ["bbbbwwww"])
    desk.play(ANN, Roll())
    for user in {ANN, BOB, CEM} - {late}:
        desk.play(user, Discard(cards("bbbb")))
    desk.pass_time(HOUR)
    assert (desk.awaited, desk.played.turn) == ((BOB, 2) if late == ANN else (ANN, 1))


# --- offers


@pytest.mark.parametrize("one_answers", [True, False])
def test_an_unanswered_offer_is_declined_and_its_maker_has_time_to_go_on(one_answers: bool) -> None:
    desk = paced()
    desk.play(ANN, offer("b", "w"))
    [first, second] = [wait for wait in desk.table.waits if wait.offer]
    desk.now += HOUR / 2
    if one_answers:
        desk.play(BOB, DeclineOffer(first.serial))
        assert (desk.awaited, desk.left) == (ANN, HOUR), "there is something else to decide"
    desk.pass_time(HOUR / 2)
    assert decided(desk, -1) == [(REFEREE, DeclineFor(second.seat, second.serial))]
    assert (desk.awaited, desk.left) == (ANN, HOUR)
    assert desk.table.missed == (), "an offer that doesn't interest is no absence"


def test_an_offer_that_all_have_declined_doesnt_excuse_a_late_player() -> None:
    desk = paced()
    desk.play(ANN, offer("b", "w", (1,)))
    desk.play(BOB, DeclineOffer(1))
    desk.pass_time(HOUR)
    assert desk.awaited == BOB
    assert [late.user for late in desk.table.missed] == [ANN]
    assert decided(desk, -1) == [(REFEREE, DecideFor(0))]

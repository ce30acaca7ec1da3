"""How fast people decide: what counts, from when to when, and what it says of a person. Nothing secret goes in."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.table.acts.orders import CarryOut
from bot.table.acts.places import CloseUnused, Resume
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.options import DECIDE, REMIND, VOTE
from bot.table.parts import PACE, PAUSE, RESUME
from bot.table.promptness import Promptness, Tally
from bot.table.table import ARCHIVED
from engine.actions import AgreeToCallOff, DeclineOffer, Discard, EndTurn, Resign, Roll, TakeBackDiscard, Undo
from engine.autoplay import default_action
from tests.bot.table.counting import Counting
from tests.bot.table.desk import ANN, BOB, CEM, DAY, EVE, HOUR, MINUTE, Desk
from tests.engine.builder import cards, seat
from tests.engine.builder import table as position
from tests.engine.tables import offer

IN_HOUR, IN_HOURS, IN_DAY, LONGER, LATE = Promptness


def rolling(pace: int = 2 * DAY, **options: Any) -> Counting:
    """A game that waits for Ann to roll, in which nothing is discarded."""
    hands = (seat(settlements="B4", roads="c4", hand="b"), seat(), seat())
    return Counting.at(position(*hands, step="pre_roll", dice=[(3, 3)]), pace=pace, **options)


def bobs(pace: int = 2 * DAY, **options: Any) -> Counting:
    """The same game when it begins to wait for Bob."""
    desk = rolling(pace, **options)
    desk.play(ANN, Roll())
    desk.play(ANN, EndTurn())
    desk.decided.clear()
    return desk


# --- what counts, and from when to when


@pytest.mark.parametrize(
    ("seconds", "promptness"),
    [
        (1, IN_HOUR),
        (HOUR, IN_HOUR),
        (HOUR + 1, IN_HOURS),
        (6 * HOUR, IN_HOURS),
        (6 * HOUR + 1, IN_DAY),
        (DAY, IN_DAY),
        (DAY + 1, LONGER),
    ],
)
def test_a_decision_goes_from_when_the_game_waits_to_the_seats_first_action(seconds: int, promptness: str) -> None:
    desk = bobs()
    desk.now += seconds
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, promptness)]


def test_the_rest_of_a_turn_is_no_decision_of_its_own() -> None:
    desk = rolling()
    for action in (Roll(), offer("b", "l"), EndTurn()):
        desk.now += HOUR
        desk.play(ANN, action)
    assert desk.counted == [(ANN, IN_HOUR)]


@pytest.mark.parametrize("pace", [0, 2 * MINUTE, DAY - HOUR])
def test_only_turn_timers_of_a_day_or_more_count(pace: int) -> None:
    desk = bobs(12 * HOUR if pace == DAY - HOUR else pace)
    desk.now += MINUTE
    desk.play(BOB, Roll())
    assert not desk.counted


def test_games_in_direct_messages_do_not_count() -> None:
    desk = bobs()
    desk.table = replace(desk.table, guild=None)
    desk.now += MINUTE
    desk.play(BOB, Roll())
    assert not desk.counted


def test_everyone_who_discards_decides_except_the_one_who_rolled() -> None:
    hands = (seat(hand="bbbbbbbb"), seat(hand="llllllll"), seat(hand="wwwwwwww"))
    desk = Counting.at(position(*hands, step="pre_roll", dice=[(3, 4)]), pace=2 * DAY)
    desk.now += HOUR
    desk.play(ANN, Roll())
    for user, letter, hours in ((ANN, "b", 2), (CEM, "w", 3), (BOB, "l", 4)):
        desk.now += hours * HOUR
        desk.play(user, Discard(cards(4 * letter)))
    assert desk.counted == [(ANN, IN_HOUR), (CEM, IN_HOURS), (BOB, IN_DAY)]


def test_bots_decide_nothing_for_people() -> None:
    four = position(seat(), seat(), seat(), seat(), step="pre_roll", dice=[(3, 3)])
    desk = Counting.at(four, computers=1, pace=2 * DAY)
    desk.act(CEM, Replace(CEM))
    for _ in range(10):
        desk.now += MINUTE
        desk.plain()
    assert desk.counted == [(ANN, IN_HOUR), (BOB, IN_HOUR), (ANN, IN_HOUR)]


def test_an_answer_to_an_offer_begins_a_decision_of_the_player_on_turn() -> None:
    desk = Counting.at(position(seat(hand="b"), seat(hand="l"), seat()), pace=3 * DAY)
    desk.now += HOUR
    desk.play(ANN, offer("b", "l"))
    desk.now += 2 * DAY
    desk.play(BOB, DeclineOffer(desk.played.state.offers[0].id))
    desk.now += 5 * HOUR
    desk.play(ANN, EndTurn())
    assert desk.counted == [(ANN, IN_HOUR), (ANN, IN_HOURS)]


# --- in time or late


@pytest.mark.parametrize("expiry", [REMIND, VOTE, DECIDE])
def test_a_decision_whose_time_runs_out_is_late_once(expiry: str) -> None:
    desk = bobs(DAY, expiry=expiry)
    desk.pass_time(DAY - 1)
    assert not desk.counted
    desk.pass_time(DAY / 2)
    assert desk.counted == [(BOB, LATE)]
    desk.now += MINUTE
    if expiry == DECIDE:
        assert desk.awaited == CEM
    else:
        desk.play(BOB, Roll())
    desk.now += MINUTE
    assert not desk.counted


def test_others_offers_make_no_one_late_again() -> None:
    """They give the player on turn more time, which can run out, too."""
    desk = Counting.at(position(seat(hand="b"), seat(hand="w"), seat()), pace=DAY, expiry=REMIND)
    desk.now += DAY
    desk.look()
    assert desk.counted == [(ANN, LATE)]
    desk.play(BOB, offer("w", "b", to=(0,)))
    desk.now += DAY
    desk.look()
    assert desk.wait.over
    desk.play(ANN, EndTurn())
    assert desk.counted == []


def test_one_who_is_away_is_late_once_in_each_turn() -> None:
    desk = bobs(DAY, expiry=DECIDE)
    desk.pass_time(6 * DAY + HOUR)  # Bob, Cem, Ann, each twice
    assert desk.counted == 2 * [(BOB, LATE), (CEM, LATE), (ANN, LATE)]


def test_one_whose_deadline_has_passed_unnoticed_is_in_time() -> None:
    desk = bobs(DAY, expiry=DECIDE)
    desk.now += DAY + 1
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, LONGER)]


# --- time that doesn't count, and what can happen in between


def test_time_that_stood_still_for_all_does_not_count() -> None:
    desk = bobs()
    desk.now += 30 * MINUTE
    desk.agree(PAUSE)
    desk.now += 3 * DAY
    desk.agree(RESUME)
    desk.down(DAY)
    desk.now += 20 * MINUTE
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, IN_HOUR)]


def test_a_clock_that_is_set_back_does_not_make_anyone_faster_or_slower() -> None:
    desk = bobs()
    desk.now += 5 * HOUR
    desk.down(-2 * HOUR)
    desk.now += 2 * HOUR
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, IN_DAY)]


def test_decisions_count_although_the_player_acted_before_the_clock_was_set_back() -> None:
    desk = bobs()
    desk.play(BOB, Roll())
    desk.down(-5 * HOUR)
    for user, action in ((BOB, EndTurn()), (CEM, Roll()), (CEM, EndTurn()), (ANN, Roll())):
        desk.now += MINUTE
        desk.play(user, action)
    assert desk.counted == [(BOB, IN_HOUR), (CEM, IN_HOUR), (ANN, IN_HOUR)]


@pytest.mark.parametrize("alone", [False, True])
def test_decisions_count_only_while_another_person_plays(alone: bool) -> None:
    for late in (False, True):
        desk = bobs()
        for user in (ANN, CEM)[: 1 + alone]:
            desk.act(user, Replace(user))
        desk.now += 3 * DAY * late
        desk.look() if late else desk.play(BOB, Roll())
        assert desk.counted == ([] if alone else [(BOB, LATE if late else IN_HOUR)])


def test_time_in_the_archive_does_not_count() -> None:
    desk = bobs(DAY * 7)
    desk.now += 3 * HOUR
    desk.act(0, CloseUnused(ARCHIVED, desk.table.updated))
    desk.now += 90 * DAY
    desk.act(BOB, Resume())
    desk.now += HOUR
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, IN_HOURS)]


def test_a_decision_that_comes_back_by_an_undo_begins_again() -> None:
    desk = bobs()
    desk.now += 5 * HOUR
    desk.play(ANN, Undo())
    desk.now += 5 * HOUR
    desk.play(ANN, EndTurn())
    desk.now += 5 * HOUR
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, IN_HOURS)]


def test_an_undo_of_ones_own_action_counts_nothing_twice() -> None:
    hands = (seat(hand="bbbbbbbb"), seat(hand="llllllll"), seat(hand="wwwwwwww"))
    desk = Counting.at(position(*hands, step="pre_roll", dice=[(3, 4)]), pace=2 * DAY)
    desk.play(ANN, Roll())
    desk.decided.clear()
    for action in (Discard(cards("llll")), TakeBackDiscard(), Discard(cards("llll"))):
        desk.now += HOUR
        desk.play(BOB, action)
    assert desk.counted == [(BOB, IN_HOUR)]


def test_a_vote_decides_nothing_that_the_game_waits_for() -> None:
    desk = bobs(DAY, expiry=REMIND)
    desk.now += HOUR
    desk.play(BOB, AgreeToCallOff())
    desk.now += 2 * HOUR
    desk.play(BOB, Roll())
    assert not desk.counted


def test_resigning_counts_neither_for_the_player_nor_for_others() -> None:
    desk = bobs()
    desk.now += 2 * DAY - 1
    desk.play(BOB, Resign())
    assert desk.awaited == CEM
    assert not desk.counted


def test_a_new_player_decides_from_when_they_take_the_seat() -> None:
    desk = bobs()
    desk.now += DAY + HOUR
    desk.act(BOB, OfferSeat(EVE, "Eve"))
    desk.act(EVE, TakeSeat("Eve", desk.table.users.index(BOB)))
    desk.now += 5 * HOUR
    desk.play(EVE, Roll())
    assert desk.counted == [(EVE, IN_HOURS)]


def test_one_who_takes_their_seat_back_decides_from_then_on() -> None:
    desk = bobs()
    desk.now += DAY
    desk.act(BOB, Replace(BOB))
    desk.now += DAY
    desk.act(BOB, ReturnToSeat())
    desk.now += 5 * HOUR
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, IN_HOURS)]


def test_with_another_turn_timer_decisions_begin_again_and_count_by_it() -> None:
    desk = bobs(0)
    desk.now += 3 * DAY
    desk.agree(PACE, pace=2 * DAY, expiry=REMIND)
    desk.now += HOUR
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, IN_HOUR)]
    desk.play(BOB, EndTurn())
    desk.agree(PACE, pace=HOUR, expiry=REMIND)
    desk.now += MINUTE
    desk.play(CEM, Roll())
    assert not desk.counted


# --- two worlds


@pytest.mark.parametrize(
    "secret",
    [
        lambda desk: desk.choose(BOB, quiet=(60, 1380), zone="Asia/Tokyo"),
        lambda desk: desk.choose(BOB, zone="America/New_York"),
        lambda desk: desk.leave(BOB, -HOUR, 10 * DAY),
        lambda desk: desk.leave(BOB, HOUR, 2 * HOUR),
        lambda desk: desk.order(BOB, roll=True),
        lambda desk: desk.choose(BOB, promptness=False),
    ],
    ids=["quiet hours", "zone", "vacation", "a short vacation", "autopilot", "hidden"],
)
@pytest.mark.parametrize("hours", [0.5, 5, 20, 47])
def test_M_what_counts_does_not_depend_on_anything_private(secret: Callable[[Desk], Any], hours: float) -> None:
    """In one world Bob rolls himself, in the other his secret does it or doesn't matter: the same counts."""
    worlds = bobs(), bobs()
    secret(worlds[1])
    for desk in worlds:
        desk.now += hours * HOUR
    worlds[0].play(BOB, Roll())
    if worlds[1].table.orders_of(BOB).roll:
        worlds[1].act(0, CarryOut(worlds[1].seat(BOB)))
    else:
        worlds[1].play(BOB, Roll())
    counted = worlds[0].counted
    assert len(counted) == 1
    assert worlds[1].counted == counted


@pytest.mark.parametrize("seed", [1, 2])
def test_M_a_long_game_counts_the_same_with_and_without_secrets(seed: int) -> None:
    """In the second world everyone has quiet hours and a vacation, which stops no timer here, and Bob's autopilot rolls
    when he does in the first."""
    worlds, rng, counted = [bobs(DAY, expiry=DECIDE, leave=0) for _ in range(2)], random.Random(seed), set[Promptness]()
    for user in (ANN, BOB, CEM):
        worlds[1].choose(user, quiet=(1320, 480), zone="Asia/Tokyo")
        worlds[1].leave(user, rng.uniform(0, DAY), rng.uniform(2 * DAY, 30 * DAY))
    worlds[1].order(BOB, roll=True)
    for _ in range(60):
        seconds = rng.choice([0.2, 3, 10, 23, 30]) * HOUR
        for desk in worlds:
            desk.pass_time(seconds)
        game = worlds[0].played
        seat = game.to_act[0]
        user, action = worlds[0].table.user_at(game, seat), default_action(game.state, seat, game.options(seat))
        worlds[0].play(user, action)
        if (user, action) == (BOB, Roll()):
            assert worlds[1].carry_out(BOB) == [Roll()]
        else:
            worlds[1].play(user, action)
        here, there = (desk.counted for desk in worlds)
        assert here == there
        counted |= {promptness for _, promptness in here}
    assert counted == {*Promptness} - {LONGER}, "with a timer of a day no one takes longer"


def test_a_decision_within_a_deadline_that_a_vacation_made_later_is_in_time_but_not_faster() -> None:
    """All see the later deadline."""
    desk = bobs(DAY, expiry=DECIDE)
    desk.leave(BOB, 0, 3 * DAY)
    desk.pass_time(2 * DAY)
    desk.play(BOB, Roll())
    assert desk.counted == [(BOB, LONGER)]


# --- what it says of a person


@pytest.mark.parametrize(
    ("counts", "games", "promptness"),
    [
        ((0, 0, 0, 0, 0), 0, None),
        ((19, 0, 0, 0, 0), 5, None),
        ((20, 0, 0, 0, 0), 1, None),
        ((20, 0, 0, 0, 0), 2, IN_HOUR),
        ((10, 10, 0, 0, 0), 2, IN_HOUR),
        ((9, 11, 0, 0, 0), 2, IN_HOURS),
        ((9, 0, 11, 0, 0), 2, IN_DAY),
        ((9, 1, 10, 0, 0), 2, IN_HOURS),
        ((4, 5, 0, 11, 0), 2, LONGER),
        ((17, 0, 0, 0, 3), 2, IN_HOUR),
        ((16, 0, 0, 0, 4), 2, LATE),
        ((0, 0, 9, 8, 3), 2, LONGER),  # late decisions are slower than all others
        ((0, 0, 0, 0, 20), 2, LATE),
        ((801, 0, 0, 0, 199), 9, IN_HOUR),
    ],
)
def test_a_persons_class_is_that_of_the_median_unless_they_often_run_out_of_time(
    counts: tuple[int, ...], games: int, promptness: Promptness | None
) -> None:
    assert Tally(dict(zip(Promptness, counts, strict=True)), games).promptness is promptness

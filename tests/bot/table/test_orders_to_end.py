"""Orders to end a turn: with few cards in hand, and with nothing that a player could be waiting for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import (
    AcceptOffer,
    BuildRoad,
    DeclineOffer,
    EndTrade,
    EndTurn,
    MakeOffer,
    PlayMonopoly,
    Roll,
    Undo,
)
from tests.bot.table.desk import ANN, BOB, CEM, Desk
from tests.engine.builder import edge, seat
from tests.engine.builder import table as position
from tests.engine.tables import offer

PIECES = {"settlements": "B4", "roads": "c4"}


def ending(hand: str = "b", cards: str = "", **config: Any) -> Desk:
    """A game with Ann in the main part of her turn, whose end she has ordered."""
    desk = Desk.at(position(seat(**PIECES, hand=hand, cards=cards), seat(hand="w"), seat(hand="w"), **config))
    desk.order(ANN, end=True)
    return desk


@pytest.mark.parametrize(
    ("few", "hand", "cards", "ended"),
    [
        (1, "", "", True),
        (1, "b", "", True),
        (1, "bw", "", False),  # all can see that it could be enough for something
        (0, "b", "", False),
        (3, "wgo", "", True),  # even if it buys something
        (3, "bbbb", "", False),
        (7, "", "k", False),
        (7, "", "v", False),  # no one can see that it can't be played
    ],
)
def test_a_turn_is_ended_only_with_few_cards_and_no_development_card(
    few: int, hand: str, cards: str, ended: bool
) -> None:
    desk = ending(hand, cards)
    desk.order(ANN, few=few)
    assert desk.carry_out(ANN) == ([EndTurn()] if ended else [])


def test_once_a_card_was_played_other_cards_dont_keep_a_turn_open() -> None:
    """H2: there is one card a turn."""
    desk = ending("", "mv")
    assert desk.carry_out(ANN) == []
    desk.play(ANN, PlayMonopoly(0))
    assert desk.carry_out(ANN) == [EndTurn()]


@pytest.mark.parametrize("step", ["pre_roll", "main"])
@pytest.mark.parametrize("one", [("", ""), ("bl", ""), ("wgo", "k"), ("bbbb", "kk"), ("", "y")])
def test_M_rolling_and_ending_depend_on_numbers_of_cards_only(step: str, one: tuple[str, str]) -> None:
    """Hands that look alike to others: as many cards, but nothing that can be done with them."""
    seen = set[Any]()
    for hand, cards in (one, ("l" * len(one[0]) if len(one[0]) < 4 else "lwgo", "v" * len(one[1]))):
        desk = Desk.at(position(seat(**PIECES, hand=hand, cards=cards), seat(), seat(), step=step))
        desk.order(ANN, roll=True, end=True, few=4)
        seen.add(tuple(map(repr, desk.carry_out(ANN))))
    assert len(seen) == 1


def test_no_turn_is_ended_before_the_roll_or_for_another_player() -> None:
    desk = Desk.at(position(players=3, step="pre_roll"))
    for user in (ANN, BOB):
        desk.order(user, end=True)
    assert (desk.carry_out(ANN), desk.carry_out(BOB)) == ([], [])
    desk.play(ANN, Roll())
    assert (desk.carry_out(BOB), desk.carry_out(ANN)) == ([], [EndTurn()])


@pytest.mark.parametrize(("hand", "ended"), [("b", True), ("bl", False)])
def test_L11_a_turn_is_ended_in_the_trade_phase_too(hand: str, ended: bool) -> None:
    """The roll gives her one card more."""
    seats = (seat(**PIECES, hand=hand), seat(), seat())
    desk = Desk.at(position(*seats, step="pre_roll", variants=("separate-phases",)))
    desk.play(ANN, Roll())
    desk.order(ANN, end=True, few=2)
    assert set(desk.played.options(0)) == {EndTrade, EndTurn, MakeOffer}
    assert desk.carry_out(ANN) == ([EndTurn()] if ended else [])


def test_a_player_who_undoes_an_autopilots_end_of_turn_ends_it_by_hand() -> None:
    """That holds however often she undoes it. Her next turn is ended for her again."""
    desk = ending("")
    desk.order(ANN, few=7)
    assert desk.carry_out(ANN) == [EndTurn()]
    for _ in range(2):
        desk.play(ANN, Undo())
        assert desk.carry_out(ANN) == []
        desk.play(ANN, EndTurn())
    desk.until_on(ANN)
    desk.play(ANN, Roll())
    assert desk.carry_out(ANN) == [EndTurn()]


def test_a_player_who_undoes_something_else_still_has_their_turn_ended() -> None:
    desk = ending("bl")
    desk.order(ANN, few=7)
    desk.play(ANN, EndTurn())
    desk.until_on(ANN)
    for action in (Roll(), BuildRoad(edge("c5")), Undo(), BuildRoad(edge("c5"))):
        desk.play(ANN, action)
    assert desk.carry_out(ANN) == [EndTurn()]


def test_a_turn_is_not_kept_open_by_an_offer_that_all_have_declined() -> None:
    """An offer that a player hasn't answered yet keeps it open."""
    desk = ending()
    desk.play(ANN, offer("b", "w"))
    for user in (BOB, CEM):
        assert desk.carry_out(ANN) == []
        desk.play(user, DeclineOffer(1))
    assert desk.carry_out(ANN) == [EndTurn()]


@pytest.mark.parametrize("answer", [AcceptOffer(1), None])
def test_an_offer_that_a_player_may_still_accept_keeps_a_turn_open(answer: AcceptOffer | None) -> None:
    desk = ending()
    desk.play(ANN, offer("b", "w", (1,)))
    if answer is not None:
        desk.play(BOB, answer)
    assert desk.carry_out(ANN) == []


def test_another_players_offer_keeps_a_turn_open() -> None:
    desk = ending()
    desk.play(BOB, offer("w", "b", (0,)))
    assert desk.carry_out(ANN) == []

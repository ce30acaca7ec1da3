"""Requests: what people look for between their turns. They bind no one, and the engine doesn't know about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.projections import PANEL
from bot.table.act import Act, By
from bot.table.acts import lobby
from bot.table.acts.places import VoidGame
from bot.table.acts.play import Play
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.acts.wishes import PostWish, WithdrawWish, fulfilled, open_wishes
from bot.table.parts import PAUSE, Wish
from engine.actions import AcceptOffer, CloseOffer, EndTurn, Resign, Roll, Undo
from engine.events import Traded
from engine.resources import NOTHING, Hand, hand_of
from tests.bot.table.desk import ANN, BOB, CEM, DOT, EVE, Desk
from tests.engine.builder import cards, seat
from tests.engine.builder import table as position
from tests.engine.tables import offer

BRICK, WOOL = hand_of(brick=1), hand_of(wool=1)


def desk_of_four(*hands: str) -> Desk:
    """A game of four with these hands, in Ann's turn."""
    return Desk.at(position(*(seat(hand=hand) for hand in hands or [""] * 4)))


def wishing(user: int = CEM) -> Desk:
    """A game of four in which a user looks for brick."""
    desk = desk_of_four()
    desk.act(user, PostWish(BRICK))
    return desk


def held(desk: Desk) -> dict[int, tuple[Hand, Hand]]:
    """The requests that hold, by user: what they want and what they give."""
    return {wish.user: (wish.want, wish.give) for wish in open_wishes(desk.table, desk.played).values()}


def test_a_request_is_shown_until_it_is_replaced_or_withdrawn() -> None:
    desk = desk_of_four()
    for want, give, due in ((BRICK, NOTHING, True), (WOOL, BRICK, True), (WOOL, BRICK, False)):
        assert desk.act(CEM, PostWish(want, give)).due == ((PANEL,) if due else ())
        assert held(desk) == {CEM: (want, give)}
    assert desk.act(CEM, WithdrawWish()).due == (PANEL,)
    assert desk.table.wishes == ()


@pytest.mark.parametrize(
    ("user", "act", "key"),
    [
        (EVE, PostWish(BRICK), "not-playing"),
        (DOT, PostWish(BRICK), "not-playing"),  # has resigned
        (ANN, PostWish(BRICK), "wish/own-turn"),
        (CEM, PostWish(NOTHING), "unreadable/no-cards"),
        (CEM, PostWish(BRICK, BRICK), "wish/same-resource"),
        (CEM, WithdrawWish(), "no-wish"),
        (ANN, WithdrawWish(), "no-wish"),
        (BOB, PostWish(BRICK), "replaced"),
        (BOB, WithdrawWish(), "replaced"),
    ],
)
def test_invalid_requests_are_refused(user: int, act: Act, key: str) -> None:
    desk = desk_of_four()
    desk.play(DOT, Resign())
    desk.act(BOB, Replace(BOB))
    assert desk.refused(user, act) == key


def test_requests_are_refused_before_the_first_turn_and_after_the_end() -> None:
    assert Desk.lobby(ANN, BOB).refused(ANN, PostWish(BRICK)) == "not-started"
    desk = Desk.of(ANN, BOB)
    assert desk.refused(BOB, PostWish(BRICK)) == "wish/setup"
    desk.act(ANN, VoidGame("Mod"))
    assert desk.refused(BOB, PostWish(BRICK)) == "over"


def test_a_request_ends_when_its_makers_turn_begins_and_an_undo_restores_it() -> None:
    desk = wishing(BOB)
    for action, holds in ((EndTurn(), False), (Undo(), True), (EndTurn(), False)):
        desk.play(ANN, action)
        assert (BOB in held(desk)) == holds
    desk.act(ANN, PostWish(BRICK))  # the end of her turn can still be undone
    assert ANN in held(desk)
    desk.play(ANN, Undo())
    assert ANN not in held(desk), "nobody looks for something in their own turn"


def test_a_request_stays_ended_after_its_makers_turn() -> None:
    desk = wishing(BOB)
    for user, action in ((ANN, EndTurn()), (BOB, Roll()), (BOB, EndTurn())):
        desk.play(user, action)
    assert held(desk) == {}


def test_a_paused_game_keeps_its_requests_and_takes_no_new_ones() -> None:
    desk = wishing()
    desk.agree(PAUSE)
    assert desk.refused(CEM, PostWish(WOOL)) == "paused"
    assert held(desk) == {CEM: (BRICK, NOTHING)}
    desk.act(CEM, WithdrawWish())
    assert held(desk) == {}


@pytest.mark.parametrize(
    ("way", "holds"),
    [
        ([(CEM, Play(Resign()))], False),
        ([(CEM, Replace(CEM))], False),
        ([(CEM, Replace(CEM)), (CEM, ReturnToSeat())], True),
        ([(CEM, OfferSeat(EVE)), (EVE, TakeSeat("Eve", 2))], False),
        ([(ANN, VoidGame("Mod"))], False),
    ],
)
def test_a_request_ends_when_its_maker_no_longer_plays(way: list[tuple[int, Act]], holds: bool) -> None:
    desk = wishing()
    for user, act in way:
        desk.act(user, act)
    assert bool(held(desk)) == holds


def test_a_request_ends_with_a_trade_that_gives_some_of_it() -> None:
    desk = desk_of_four("b", "w", "", "")
    for user, want, give in ((BOB, cards("bbb"), cards("w")), (CEM, BRICK, NOTHING), (DOT, WOOL, NOTHING)):
        desk.act(user, PostWish(want, give))
    desk.play(ANN, offer("b", "w"))
    desk.play(BOB, AcceptOffer(1))
    assert set(held(desk)) == {BOB, CEM, DOT}, "an answer is no deal yet"
    desk.play(ANN, CloseOffer(1, 1))
    assert set(held(desk)) == {CEM, DOT}


@pytest.mark.parametrize(
    ("maker", "partner", "give", "get", "left"),
    [
        (1, 0, WOOL, BRICK, 0),
        (1, 0, BRICK, WOOL, 1),
        (0, 1, BRICK, WOOL, 0),
        (0, 1, WOOL, BRICK, 1),
        (0, 2, BRICK, WOOL, 1),
    ],
)
def test_a_request_ends_only_with_a_trade_that_gives_its_maker_what_it_wants(
    maker: int, partner: int, give: Hand, get: Hand, left: int
) -> None:
    """Whichever side of the trade Bob is on."""
    desk = desk_of_four()
    table = replace(desk.table, wishes=(Wish(BOB, BRICK, NOTHING, 1),))
    desk.played.last_events = (Traded(maker, partner, give, get),)
    assert len(fulfilled(table, desk.played).wishes) == left


def test_a_rematch_begins_without_requests() -> None:
    desk = wishing()
    desk.act(ANN, VoidGame("Mod"))
    assert lobby.rematch(desk.table, By(ANN, desk.now)).wishes == ()

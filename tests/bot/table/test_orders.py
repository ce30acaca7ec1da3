"""Orders: each does what its owner would do in the position at that time, and no one else learns of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.table.act import Act
from bot.table.acts.motions import Agree, AskForSeat
from bot.table.acts.orders import GiveOrders, automatic_action, thrown, too_little
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.orders import Orders
from bot.table.parts import PAUSE, RESUME, SUBSTITUTE
from engine.actions import (
    AcceptOffer,
    DeclineOffer,
    Discard,
    PlayRoadBuilding,
    Resign,
    Roll,
    TakeBackDiscard,
)
from engine.domains import Cards
from engine.offer import Offer
from engine.resources import single
from tests.bot.table.desk import ANN, BOB, CEM, DOT, EVE, Desk
from tests.engine.builder import cards, seat
from tests.engine.builder import table as position
from tests.engine.tables import offer

BRICK, LUMBER, WOOL, GRAIN, ORE = range(5)


def rolling(held: str = "", **options: Any) -> Desk:
    """A game in which Ann must roll; `held`: her development cards."""
    return Desk.at(position(seat(cards=held), seat(), seat(), step="pre_roll"), **options)


@pytest.mark.parametrize(("held", "done"), [("", [Roll()]), ("v", []), ("k", []), ("m", [])])
def test_an_autopilot_rolls_only_for_a_player_without_development_cards(held: str, done: list[Roll]) -> None:
    """M: whether it rolls doesn't depend on which cards they are."""
    desk = rolling(held)
    desk.order(ANN, roll=True)
    assert desk.carry_out(ANN) == done
    assert [(deed.turn, deed.order) for deed in desk.table.orders_of(ANN).done] == [(1, "roll")] * len(done)


def test_L3_an_autopilot_rolls_if_no_card_can_come_before_the_roll() -> None:
    desk = Desk.at(position(seat(cards="k"), seat(), seat(), step="pre_roll", variants=("cards-after-roll",)))
    desk.order(ANN, roll=True)
    assert desk.carry_out(ANN) == [Roll()]


def test_an_autopilot_acts_only_once_and_only_for_its_owner() -> None:
    desk = rolling()
    desk.order(ANN, roll=True)
    assert (desk.carry_out(BOB), desk.carry_out(ANN), desk.carry_out(ANN)) == ([], [Roll()], [])


def test_nothing_is_done_without_an_autopilot() -> None:
    desk = rolling()
    assert desk.carry_out(ANN) == []
    desk.order(ANN, roll=True)
    desk.order(ANN, roll=False)
    assert desk.carry_out(ANN) == []


@pytest.mark.parametrize("paused", [True, False])
def test_autopilots_do_nothing_during_a_pause(paused: bool) -> None:
    desk = rolling()
    desk.order(ANN, roll=True)
    desk.agree(PAUSE)
    if not paused:
        desk.agree(RESUME)
    assert desk.carry_out(ANN) == ([] if paused else [Roll()])


# --- discards


def discarding(*hands: str) -> Desk:
    """A game of players with these hands, in which Ann has rolled a seven."""
    desk = Desk.at(position(*(seat(hand=hand) for hand in hands), step="pre_roll", dice=[(3, 4)]))
    desk.play(ANN, Roll())
    return desk


@pytest.mark.parametrize(
    ("held", "keep", "discarded"),
    [
        ("bbbbllll", (), "bbll"),  # always of the kind with the most cards
        ("bbbbllll", (BRICK,), "llll"),
        ("bbbbbbll", (BRICK,), "bbll"),  # as far as that is possible
        ("bbblwwgo", (GRAIN, ORE), "bbbw"),
    ],
)
def test_an_autopilots_discard_keeps_the_chosen_resources_if_possible(
    held: str, keep: tuple[int, ...], discarded: str
) -> None:
    desk = discarding(held, "", "")
    desk.order(ANN, keep=keep)
    assert desk.carry_out(ANN) == [Discard(cards(discarded))]


@pytest.mark.parametrize(("caps", "total"), [((4, 4, 0, 0, 0), 4), ((3, 1, 2, 1, 1), 4), ((0, 9, 1, 0, 3), 6)])
@pytest.mark.parametrize("keep", [(), (0,), (3, 4), (0, 1, 2, 3, 4)])
def test_an_autopilot_discards_no_more_cards_than_there_are(
    caps: tuple[int, ...], total: int, keep: tuple[int, ...]
) -> None:
    hand = thrown(Cards(Discard, caps, total), keep)
    spared = sum(cap for kind, cap in enumerate(caps) if kind not in keep)
    assert sum(hand) == total
    assert all(n <= cap for n, cap in zip(hand, caps, strict=True))
    assert sum(hand[kind] for kind in keep) == max(total - spared, 0)


def test_D4_a_player_who_undoes_an_autopilots_discard_chooses_by_hand() -> None:
    """Otherwise the order would do the same again."""
    desk = discarding("bbbbllll", "bbbbbbbb", "")
    desk.order(ANN, keep=())
    assert desk.carry_out(ANN) == [Discard(cards("bbll"))]
    desk.play(ANN, TakeBackDiscard())
    assert desk.carry_out(ANN) == []
    desk.play(ANN, Discard(cards("bbbb")))


# --- offers


def offering(order: dict[str, Any], give: str = "b", want: str = "ww") -> Desk:
    """A game in which Ann has made an offer to the others, and Bob has an order."""
    desk = Desk.at(position(seat(hand="bbb", cards="r"), seat(hand="ww"), seat(hand="ww")))
    desk.order(BOB, **order)
    desk.play(ANN, offer(give, want))
    return desk


@pytest.mark.parametrize(
    ("order", "declined"),
    [
        ({"never": (WOOL,)}, True),
        ({"never": (BRICK, ORE)}, False),
        ({"refused": (ANN,)}, True),
        ({"refused": (CEM,)}, False),
        ({"least": 1}, True),
        ({"least": 0}, False),
        ({"roll": True, "end": True, "keep": ()}, False),
    ],
)
def test_an_autopilot_declines_offers_that_the_player_never_accepts(order: dict[str, Any], declined: bool) -> None:
    desk = offering(order)
    assert desk.carry_out(BOB) == ([DeclineOffer(1)] if declined else [])
    assert [(deed.order, deed.about) for deed in desk.table.orders_of(BOB).done] == [("decline", 1)] * declined
    assert desk.carry_out(BOB) == []


@pytest.mark.parametrize(
    ("least", "give", "want", "declined"),
    [(0, 1, 3, False), (1, 1, 2, True), (1, 1, 1, False), (2, 3, 2, True), (2, 2, 1, False), (3, 2, 1, True)],
)
def test_an_offer_is_declined_if_it_gives_too_few_cards_per_card_it_wants(
    least: int, give: int, want: int, declined: bool
) -> None:
    """`least`: the cards that it must give for each card that it wants."""
    mine, made = Orders(ANN, least=least), Offer(1, 1, single(0, give), single(1, want), 0b1)
    assert too_little(mine, made) == declined


def test_an_autopilot_doesnt_decline_an_offer_that_the_player_accepted() -> None:
    desk = offering({"never": (WOOL,)})
    desk.play(BOB, AcceptOffer(1))
    assert desk.carry_out(BOB) == []


def test_an_autopilot_declines_while_the_roads_of_a_card_are_placed() -> None:
    desk = Desk.at(position(seat(settlements="B4", roads="c4", hand="b", cards="r"), seat(hand="w"), seat()))
    desk.order(BOB, refused=(ANN,))
    desk.play(ANN, offer("b", "w"))
    desk.play(ANN, PlayRoadBuilding())
    assert desk.carry_out(BOB) == [DeclineOffer(1)]


# --- whose orders they are


def test_setting_an_autopilot_shows_nothing_to_others() -> None:
    desk = rolling()
    before = desk.table
    assert desk.order(ANN, roll=True, end=True, never=(LUMBER,)).due == ()
    assert desk.table.orders_of(ANN) == Orders(ANN, roll=True, end=True, never=(LUMBER,))
    assert replace(desk.table, orders=()) == before
    desk.order(ANN, roll=False, end=False, never=())
    assert desk.table == before


@pytest.mark.parametrize(("user", "key"), [(EVE, "not-playing"), (BOB, "replaced"), (CEM, "not-playing")])
def test_only_active_players_can_set_an_autopilot(user: int, key: str) -> None:
    desk = rolling()
    desk.act(BOB, Replace(BOB))
    desk.play(CEM, Resign())
    assert desk.refused(user, GiveOrders({"roll": True})) == key


def test_a_replaced_players_autopilot_does_nothing_until_they_return() -> None:
    desk = rolling()
    desk.order(ANN, roll=True)
    desk.act(ANN, Replace(ANN))
    assert automatic_action(desk.table, desk.played, desk.people, 0) is None
    desk.act(ANN, ReturnToSeat())
    assert desk.carry_out(ANN) == [Roll()]


def orders_of(desk: Desk) -> set[int]:
    return {orders.user for orders in desk.table.orders}


@pytest.mark.parametrize(
    "way",
    [
        [(CEM, OfferSeat(EVE)), (EVE, TakeSeat("Eve", 2))],
        [(EVE, AskForSeat("Eve", 2)), *((by, Agree(SUBSTITUTE)) for by in (ANN, BOB))],
    ],
)
def test_a_players_autopilot_is_removed_when_they_lose_their_seat(way: list[tuple[int, Act]]) -> None:
    """A player who gets their seat back has no orders."""
    desk = rolling()
    for user in (BOB, CEM):
        desk.order(user, roll=True)
    if way[0][0] == EVE:
        desk.go_away(CEM)
    for user, act in way:
        assert orders_of(desk) == {BOB, CEM}
        desk.act(user, act)
    assert orders_of(desk) == {BOB}
    desk.act(EVE, OfferSeat(CEM))
    desk.act(CEM, TakeSeat("Cem", 2))
    assert orders_of(desk) == {BOB}


def test_an_autopilot_is_removed_when_a_player_leaving_lets_a_substitute_in() -> None:
    desk = Desk.at(position(players=4))
    desk.order(BOB, roll=True)
    desk.go_away(BOB)
    desk.act(EVE, AskForSeat("Eve", 1))
    desk.act(ANN, Agree(SUBSTITUTE))
    desk.play(CEM, Resign())
    assert (desk.table.users[1], orders_of(desk)) == (BOB, {BOB})
    desk.play(DOT, Resign())
    assert (desk.table.users[1], orders_of(desk)) == (EVE, set())

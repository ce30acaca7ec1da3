"""Section M: who can see what."""

from __future__ import annotations

import json

import pytest

from engine.actions import AgreeToEnd, BankTrade, BuyCard, MoveRobber, PlayMonopoly
from engine.codec import encode
from engine.events import BankTraded, CardBought, CardTaken, Monopolised
from engine.steps.robber import RobberStep
from tests.engine.builder import Table, cards, hex_, seat, table

VIEWERS = (None, 0, 1, 2)


def hidden() -> Table:
    """Three players with hands and hidden cards."""
    return table(
        seat(settlements="A1", hand="oooo", cards="kvm", fresh="k"),
        seat(settlements="C4", hand="bw", cards="vv"),
        seat(hand="llll"),
    )


@pytest.mark.parametrize("viewer", VIEWERS)
def test_M_only_the_owner_sees_the_kinds_of_cards(viewer: int | None) -> None:
    """Only the owner sees the kinds of resource and development cards, which cards are too new, and points with
    hidden cards."""
    view = hidden().game.view(viewer)
    for player in view.players:
        own = player.seat == viewer
        for secret in (player.hand, player.development_cards, player.fresh_cards, player.all_points):
            assert (secret is not None) == own


@pytest.mark.parametrize("viewer", VIEWERS)
def test_M_numbers_of_cards_are_public(viewer: int | None) -> None:
    """All see how many cards of either sort each player holds, and public points."""
    view = hidden().game.view(viewer)
    assert [p.hand_size for p in view.players] == [4, 2, 4]
    assert [p.development_count for p in view.players] == [3, 2, 0]
    assert [p.points for p in view.players] == [1, 1, 0]
    assert (view.deck, view.bank) == (20, (18, 15, 18, 19, 15))


def test_M_after_the_end_all_viewers_see_everything() -> None:
    """After the end all see hands, cards, points and what was drawn, including onlookers."""
    t = hidden()
    t.state.hands[0] = [0, 0, 1, 1, 1]
    t.play(0, BuyCard())
    t.state.round = 2
    for player in range(3):
        t.play(player, AgreeToEnd())
    view = t.game.view()
    assert view.players[1].hand == cards("bw")
    assert view.players[1].development_cards == (0, 0, 0, 0, 2)
    assert [p.all_points for p in view.players] == [2, 3, 0]
    assert CardBought(0, 0) in view.events


def test_M_only_the_thief_and_the_victim_see_the_card_that_was_taken() -> None:
    """Thief and victim see the card that was taken; others and onlookers only see that one was."""
    t = hidden()
    t.state.push(RobberStep(0))
    t.steals(1, "w")
    t.play(0, MoveRobber(hex_("2.2")))
    seen = {v: next(e for e in t.game.view(v).last if isinstance(e, CardTaken)).card for v in VIEWERS}
    assert seen == {None: None, 0: 2, 1: 2, 2: None}


def test_M_bank_trades_monopolies_and_dice_are_public() -> None:
    """All see the kinds and numbers of cards in trades with the bank and in what a Monopoly takes."""
    t = hidden()
    trade = BankTrade(cards("ooo"), cards("g"))
    t.play(0, trade)
    t.play(0, PlayMonopoly(1))
    assert BankTraded(0, trade.give, trade.get) in t.game.view().events
    assert Monopolised(0, 1, ((2, 4),)) in t.game.view().events
    assert t.game.view().dice == (1, 2)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_M_a_view_can_be_written_as_json_but_a_raw_event_cannot(viewer: int | None) -> None:
    """A view's content can be written down. An event with its secret inside can't, so that no leak goes unnoticed."""
    t = hidden()
    t.state.hands[0] = [0, 0, 1, 1, 1]
    t.play(0, BuyCard())
    view = t.game.view(viewer)
    json.dumps([e.to_json() for e in (*view.events, *view.last)] + encode(view.players) + encode(view.offers))
    with pytest.raises(TypeError):
        t.game.last_events[0].to_json()


def test_M_a_refusal_names_only_the_players_own_hand() -> None:
    """A refusal is about the player's own cards and the board, and is the same whatever others hold."""
    for other in ("bw", "oo"):
        t = table(seat(settlements="A1", hand="o"), seat(settlements="C4", hand=other), seat())
        assert str(t.refused(0, BankTrade(cards("oooo"), cards("b")))) == "You only have 1 ore."

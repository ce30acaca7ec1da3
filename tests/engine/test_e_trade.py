"""Section E: offers between players, trade with the bank."""

from __future__ import annotations

import pytest

from engine.actions import (
    AcceptOffer,
    BankTrade,
    BuildRoad,
    BuildSettlement,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    WithdrawOffer,
)
from engine.config import FORMAT
from engine.events import OfferAnswered, OfferMade, Traded
from tests.engine.builder import cards, edge, hex_, node, seat, table
from tests.engine.tables import offer, trading


def test_E1_players_trade_only_with_the_current_player() -> None:
    """Others propose to the player on turn only, never to each other or to all."""
    t = trading()
    refused = t.refused(1, offer("o", "g", to=(2,)))
    assert refused.code == "nobody-to-ask"
    assert "you can only trade with them" in str(refused)
    t.play(1, offer("o", "b"))
    assert t.game.view().offers[0].to == 1 << 0
    assert t.code(2, AcceptOffer(1)) == "not-asked"
    assert str(t.refused(1, AcceptOffer(1))) == "That offer is your own: the others answer it."
    assert t.code(0, offer("b", "o", to=(0,))) == "nobody-to-ask"


def test_E1_players_trade_only_after_the_roll() -> None:
    """Before the roll no player trades (D3 covers the player on turn)."""
    t = table(seat(hand="b"), seat(hand="o"), step="pre_roll")
    assert t.code(1, offer("o", "b")) == "wrong-turn"
    assert not t.game.options(1)


def test_E2_several_players_can_accept_and_the_current_player_closes_with_one() -> None:
    """Several players can accept. The player on turn closes with one of them, and only then do the cards move."""
    t = trading()
    assert t.play(0, offer("bw", "o")) == (OfferMade(0, 1, cards("bw"), cards("o"), (1, 2)),)
    assert t.code(0, CloseOffer(1, 2)) == "not-accepted"
    t.play(1, AcceptOffer(1))
    assert t.play(2, AcceptOffer(1)) == (OfferAnswered(2, 1, True),)
    assert t.code(2, AcceptOffer(1)) == "answered"
    assert (t.hand(0), t.hand(1), t.hand(2)) == ("bbww", "lo", "go")
    assert t.code(1, CloseOffer(1, 1)) == "wrong-turn"
    assert t.play(0, CloseOffer(1, 2)) == (Traded(0, 2, cards("bw"), cards("o")),)
    assert (t.hand(0), t.hand(1), t.hand(2)) == ("bwo", "lo", "bwg")
    assert not t.game.view().offers


def test_E2_only_the_named_players_can_answer_an_offer() -> None:
    """An offer to some players isn't for the others."""
    t = trading()
    t.play(0, offer("b", "o", to=(2,)))
    assert t.code(1, AcceptOffer(1)) == "not-asked"
    assert t.code(1, offer("o", "bb", answers=1)) == "not-asked"
    assert str(t.refused(0, offer("b", "l", answers=1))) == str(t.refused(0, AcceptOffer(1)))
    assert t.can(2, AcceptOffer(1))


def test_E2_a_player_can_change_an_answer_and_the_last_one_counts() -> None:
    """Players who declined can still accept, and those who accepted can decline; the last answer counts."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, DeclineOffer(1))
    assert t.code(1, DeclineOffer(1)) == "answered"
    t.play(1, AcceptOffer(1))
    t.play(1, DeclineOffer(1))
    assert t.code(0, CloseOffer(1, 1)) == "not-accepted"
    view = t.game.view().offers[0]
    assert (view.accepted, view.declined) == (0, 1 << 1)


@pytest.mark.parametrize("format", [5, FORMAT])
def test_E2_H4_offers_are_answered_while_the_roads_of_a_card_are_placed(format: int) -> None:
    """Up to format 5 they had to wait."""
    t = table(seat(settlements="B4", roads="c4", hand="b", cards="r"), seat(hand="w"), seat(hand="w"), format=format)
    t.play(0, offer("b", "w"))
    t.play(2, offer("w", "b"))
    t.play(0, PlayRoadBuilding())
    if format == 5:
        assert t.code(1, DeclineOffer(1)) == "wrong-turn"
        return
    t.play(1, AcceptOffer(1))
    t.play(0, AcceptOffer(2))
    assert (t.hand(0), t.hand(2), t.step.kind) == ("w", "b", "road_building")


def test_E2_the_current_player_can_have_four_open_offers_and_the_others_one_each() -> None:
    """A new proposal replaces its maker's old one. The player on turn has at most four offers open."""
    t = trading()
    t.play(1, offer("o", "b"))
    t.play(1, offer("l", "b"))
    assert [o.id for o in t.game.view().offers] == [2]
    for resource in ("o", "w", "g", "l"):
        t.play(0, offer("b", resource))
    refused = t.refused(0, offer("b", "oo"))
    assert refused.code == "too-many-offers"
    assert "cancel one" in str(refused)


@pytest.mark.parametrize(("give", "want"), [("", "o"), ("b", ""), ("", "")])
@pytest.mark.parametrize("edition", ["2007", "1996"])
def test_A2_E2_each_side_of_an_offer_needs_at_least_one_card(edition: str, give: str, want: str) -> None:
    """No gifts: each side of an offer names at least one card, in both editions."""
    assert trading(edition).code(0, offer(give, want)) == "empty-side"
    assert trading(edition).code(1, offer("ol"[: len(give)], want)) == "empty-side"


def test_A2_E2_the_same_resource_can_be_on_both_sides_only_in_1996() -> None:
    """The same resource can't be on both sides, but in 1996 nothing forbids it."""
    assert trading().code(0, offer("bw", "b")) == "same-resource"
    assert trading("1996").can(0, offer("bw", "b"))


def test_E2_a_player_cannot_offer_or_accept_cards_that_they_do_not_hold() -> None:
    """Players who can't pay learn it when they offer or accept; the refusal names their own hand."""
    t = trading()
    refused = t.refused(0, offer("bbb", "o"))
    assert refused.code == "unaffordable"
    assert "2 brick and 2 wool" in str(refused)
    t.play(0, offer("b", "oo"))
    refused = t.refused(1, AcceptOffer(1))
    assert refused.code == "unaffordable"
    assert "2 ore" in str(refused)


def test_E2_closing_is_refused_when_a_side_no_longer_holds_the_cards() -> None:
    """Cards move only if both sides still hold them. Otherwise nothing moves and the offer stays."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, AcceptOffer(1))
    t.state.hands[1] = [0, 1, 0, 0, 0]
    assert t.can(0, CloseOffer(1, 1)), "what the partner holds must not show in the options"
    refused = t.refused(0, CloseOffer(1, 1))
    assert refused.code == "trade-gone"
    assert "blue" in str(refused)
    t.state.hands[0] = [0, 0, 1, 0, 0]
    assert t.code(0, CloseOffer(1, 1)) == "unaffordable"


def test_E2_accepting_a_proposal_that_its_maker_cannot_pay_is_refused() -> None:
    """The same holds when the player on turn accepts another player's proposal."""
    t = trading()
    t.play(1, offer("o", "b"))
    t.state.hands[1] = [0, 0, 0, 0, 0]
    assert t.can(0, AcceptOffer(1))
    assert t.code(0, AcceptOffer(1)) == "trade-gone"


def test_E3_offers_end_with_the_turn() -> None:
    """The next turn begins without offers."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, offer("l", "b"))
    t.play(0, EndTurn())
    assert not t.game.view().offers
    late = [
        (2, AcceptOffer(1)),
        (1, AcceptOffer(1)),
        (2, DeclineOffer(1)),
        (0, WithdrawOffer(1)),
        (0, CloseOffer(1, 2)),
    ]
    for who, action in [*late, (2, offer("o", "b", answers=1))]:
        assert str(t.refused(who, action)) == "That offer isn't open anymore."


def test_E3_offers_end_when_withdrawn_by_their_maker() -> None:
    """Players can cancel their own offers, but not those of others."""
    t = trading()
    t.play(0, offer("b", "o"))
    assert t.code(1, WithdrawOffer(1)) == "no-such-offer"
    t.play(0, WithdrawOffer(1))
    for number in (1, -1):
        assert t.code(1, AcceptOffer(number)) == "no-such-offer"


@pytest.mark.parametrize("card", [PlayKnight(), PlayMonopoly(3)])
def test_E3_offers_end_when_a_knight_or_monopoly_is_played(card: PlayKnight | PlayMonopoly) -> None:
    """All offers end with a knight or Monopoly, no matter who loses which cards."""
    t = trading()
    t.play(0, offer("b", "o"))
    t.play(1, offer("l", "b"))
    t.play(0, card)
    if isinstance(card, PlayKnight):
        t.play(0, MoveRobber(hex_("1.1")))
    assert t.game.view().step.kind == "main"
    assert not t.game.view().offers


def test_E3_an_offer_stays_open_when_it_can_no_longer_be_paid() -> None:
    """An offer that can't be paid anymore stays open, so that it reveals nothing."""
    t = trading()
    t.play(0, offer("bb", "o"))
    t.play(0, offer("b", "l"))
    t.play(1, AcceptOffer(2))
    t.play(0, CloseOffer(2, 1))
    assert [o.id for o in t.game.view().offers] == [1]
    t.play(1, AcceptOffer(1))
    refused = t.refused(0, CloseOffer(1, 1))
    assert refused.code == "unaffordable"


def test_E4_a_player_without_a_harbor_trades_four_for_one() -> None:
    """Without a harbor four of a resource buy one of another."""
    t = table(seat(settlements="C5", hand="ooooobbb"), seat())
    t.play(0, BankTrade(cards("oooo"), cards("g")))
    assert t.hand(0) == "bbbgo"
    refused = t.refused(0, BankTrade(cards("bbb"), cards("g")))
    assert refused.code == "wrong-rate"
    assert "4 for 1" in str(refused)


@pytest.mark.parametrize("where", [{"settlements": "A1"}, {"cities": "A2"}])
def test_E4_a_generic_harbor_trades_three_for_one(where: dict[str, str]) -> None:
    """A settlement or city at either end of a generic harbor's edge trades everything 3:1."""
    t = table(seat(hand="ooo", **where), seat())
    assert t.game.view().players[0].rates == (3, 3, 3, 3, 3)
    t.play(0, BankTrade(cards("ooo"), cards("b")))
    assert t.hand(0) == "b"


def test_E4_a_resource_harbor_trades_two_for_one_and_the_best_rate_counts() -> None:
    """A resource's own harbor trades that resource 2:1, the others as before; no worse rate is accepted."""
    t = table(seat(settlements="B8 A1", hand="oooowww"), seat())
    assert t.game.view().players[0].rates == (3, 3, 3, 3, 2)
    t.play(0, BankTrade(cards("oo"), cards("b")))
    t.play(0, BankTrade(cards("www"), cards("b")))
    assert t.code(0, BankTrade(cards("oo"), cards("bb"))) == "wrong-count"
    assert t.hand(0) == "bboo"


def test_E4_one_action_can_hold_several_trades() -> None:
    """Several lots at their rates can be given in one action."""
    t = table(seat(settlements="B8", hand="oooowwww"), seat())
    t.play(0, BankTrade(cards("oooowwww"), cards("bbg")))
    assert t.hand(0) == "bbg"


def test_E4_a_new_building_opens_its_harbor_in_the_same_turn() -> None:
    """A newly settled harbor works in the same turn."""
    t = table(seat(settlements="B6", roads="c6 c7", hand="blwgoo"), seat())
    assert t.code(0, BankTrade(cards("oo"), cards("b"))) == "wrong-rate"
    t.play(0, BuildSettlement(node("B8")))
    t.play(0, BankTrade(cards("oo"), cards("b")))


def test_E4_the_bank_must_hold_the_requested_cards_before_it_is_paid() -> None:
    """Cards that the bank doesn't have can't be bought, even if the trade itself would pay them in."""
    t = table(seat(hand="oooollll"), seat(), bank="bg")
    refused = t.refused(0, BankTrade(cards("oooo"), cards("w")))
    assert refused.code == "bank-short"
    assert "wool" in str(refused)
    assert t.code(0, BankTrade(cards("oooollll"), cards("bb"))) == "bank-short"
    t.play(0, BankTrade(cards("oooollll"), cards("bg")))


def test_E5_the_bank_does_not_trade_a_resource_for_the_same_resource() -> None:
    """No player can trade a resource with the bank for the same resource."""
    t = table(seat(hand="oooowwww"), seat())
    assert t.code(0, BankTrade(cards("oooo"), cards("o"))) == "same-resource"
    assert t.code(0, BankTrade(cards("oooowwww"), cards("ob"))) == "same-resource"
    assert t.code(0, BankTrade(cards(""), cards("b"))) == "empty-side"
    assert t.code(0, BankTrade(cards("bbbb"), cards("o"))) == "unaffordable"
    assert t.code(1, BankTrade(cards("oooo"), cards("b"))) == "wrong-turn"


def test_E4_trade_is_refused_while_the_robber_must_be_moved() -> None:
    """Trade belongs to the main part of the turn, not to a time when something else must be decided."""
    t = trading()
    t.play(0, PlayKnight())
    assert t.code(0, BankTrade(cards("bbbb"), cards("o"))) == "wrong-phase"
    assert t.code(0, BuildRoad(edge("c3"))) == "wrong-phase"

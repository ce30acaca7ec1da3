"""L6 and L7: building ends trade, and every player keeps a settlement."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CloseOffer,
    EndTurn,
    MakeOffer,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    Undo,
)
from engine.resources import BRICK
from tests.engine.builder import Table, cards, edge, node, seat, table

ENDS = ("build-ends-trade",)
KEEP = ("keep-a-settlement",)
CITY = "ggooo"
OFFER = MakeOffer(cards("o"), cards("w"))


def rich(**config: Any) -> Table:
    """A player who can build and buy everything, and another to trade with."""
    first = seat(settlements="B4", roads="c4 c5 b3", hand="bbbbblllllwwwwwgggggooooo", cards="rkym")
    return table(first, seat(hand="wwbb"), variants=ENDS, **config)


def trading_is_over(t: Table) -> bool:
    """Whether no player can trade in any way."""
    assert t.game.view(0).offers == () or t.state.agenda[-1].kind != "main"
    kinds = {BankTrade, MakeOffer, AcceptOffer, CloseOffer}
    codes = {
        t.code(0, OFFER),
        t.code(1, MakeOffer(cards("w"), cards("o"))),
        t.code(0, BankTrade(cards("wwww"), cards("o"))),
    }
    return not kinds & {*t.game.options(0), *t.game.options(1)} and codes == {"alternate-rule"}


@pytest.mark.parametrize(
    "built",
    [BuildRoad(edge("d3")), BuildSettlement(node("A5")), BuildCity(node("B4")), BuyCard()],
    ids=lambda action: action.name,
)
def test_L6_there_is_no_trade_after_the_first_thing_built_or_bought(built: Action) -> None:
    t = rich()
    t.play(0, BankTrade(cards("wwww"), cards("o")))
    t.play(0, OFFER)
    t.play(1, AcceptOffer(1))
    t.play(0, built)
    assert t.code(0, CloseOffer(1, 1)) == "alternate-rule"
    assert trading_is_over(t)


def test_L6_a_road_building_card_ends_trade() -> None:
    t = rich()
    t.play(0, OFFER)
    t.play(0, PlayRoadBuilding())
    assert t.game.view(1).offers == ()
    t.play(0, BuildRoad(edge("d3")))
    t.play(0, BuildRoad(edge("c6")))
    assert trading_is_over(t)


def test_L6_undoing_a_free_road_does_not_reopen_trade() -> None:
    t = rich()
    t.play(0, PlayRoadBuilding())
    t.play(0, BuildRoad(edge("d3")))
    t.play(0, Undo())
    t.play(0, BuildRoad(edge("d3")))
    t.play(0, BuildRoad(edge("c6")))
    assert trading_is_over(t)


def test_L6_other_development_cards_do_not_end_trade() -> None:
    for card in (PlayYearOfPlenty(cards("bb")), PlayMonopoly(BRICK)):
        t = rich()
        t.play(0, card)
        assert t.can(0, OFFER)
    t = rich(robber="3.3")
    t.play(0, PlayKnight())
    t.play(0, next(iter(t.game.options(0).actions())))
    assert t.can(0, OFFER)


def test_L6_a_road_before_the_roll_ends_the_trade_of_that_turn() -> None:
    t = rich(step="pre_roll", dice=[(1, 1)])
    for action in (PlayRoadBuilding(), BuildRoad(edge("d3")), BuildRoad(edge("c6")), Roll()):
        t.play(0, action)
    assert trading_is_over(t)


def test_L6_trade_is_open_again_in_the_next_turn() -> None:
    t = rich(dice=[(1, 1)])
    t.play(0, BuyCard())
    t.play(0, EndTurn())
    t.play(1, Roll())
    assert t.can(1, MakeOffer(cards("w"), cards("o")))


def test_L6_undoing_a_build_reopens_trade() -> None:
    t = rich()
    t.play(0, OFFER)
    t.play(0, BuildRoad(edge("d3")))
    t.play(0, Undo())
    assert len(t.game.view(1).offers) == 1
    assert t.can(0, BankTrade(cards("wwww"), cards("o")))


def test_L6_building_in_the_special_building_phase_does_not_end_trade_in_the_next_turn() -> None:
    five = [seat(hand="bbbb"), seat(settlements="B4", roads="c4", hand="bl"), seat(), seat(), seat(hand="bbbb")]
    t = table(*five, scenario="extension", variants=ENDS, on_turn=4, dice=[(1, 1)])
    t.state.asked = 1 << 1
    t.state.standing = [0] * 5
    for player, action in ((4, EndTurn()), (1, BuildRoad(edge("c5"))), (1, PassOn()), (0, Roll())):
        t.play(player, action)
    assert t.can(0, BankTrade(cards("bbbb"), cards("w")))


# --- L7


def test_L7_the_last_settlement_cannot_become_a_city() -> None:
    t = table(seat(settlements="B4", cities="E3", roads="c4 c5", hand=CITY + "blwg"), seat(), variants=KEEP)
    assert BuildCity not in t.game.options(0)
    assert t.refused(0, BuildCity(node("B4"))).code == "alternate-rule"
    t.play(0, BuildSettlement(node("B6")))  # the new settlement first
    t.play(0, BuildCity(node("B4")))
    assert t.state.settlements[0] == 1 << node("B6")


def test_L7_either_of_two_settlements_can_become_a_city() -> None:
    t = table(seat(settlements="B4 E3", hand=CITY), seat(), variants=KEEP)
    assert t.places(0, BuildCity) == "B4 E3"


def test_L7_without_the_rule_the_last_settlement_can_become_a_city() -> None:
    t = table(seat(settlements="B4", hand=CITY), seat())
    t.play(0, BuildCity(node("B4")))


def test_L7_the_last_settlement_can_become_a_city_that_wins_the_game() -> None:
    t = table(seat(settlements="B4", cities="E3 D9", hand=CITY), seat(), target=6, variants=KEEP)
    t.play(0, BuildCity(node("B4")))
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (0,)


def test_L7_hidden_points_count_for_that_win_but_not_with_L1() -> None:
    first = seat(settlements="B4", cities="E3", hand=CITY, cards="v")
    t = table(first, seat(), target=5, variants=KEEP)
    t.play(0, BuildCity(node("B4")))
    assert t.game.outcome is not None
    t = table(first, seat(), target=5, variants=(*KEEP, "vp-cards-played"))
    assert t.code(0, BuildCity(node("B4"))) == "alternate-rule"


def test_L7_in_a_special_building_phase_the_last_settlement_can_never_become_a_city() -> None:
    five = [seat(), seat(settlements="B4", cities="E3 D9", hand=CITY), seat(), seat(), seat()]
    t = table(*five, scenario="extension", target=6, variants=KEEP)
    t.state.asked = 1 << 1
    t.play(0, EndTurn())
    assert t.game.to_act == (1,)
    assert t.code(1, BuildCity(node("B4"))) == "alternate-rule"

"""Alternate rule L11: a trade phase, then a building phase."""

from __future__ import annotations

import pytest

from engine.actions import (
    AcceptOffer,
    BankTrade,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    EndTrade,
    EndTurn,
    MakeOffer,
    PlayKnight,
    PlayRoadBuilding,
    Roll,
    Undo,
)
from engine.events import TradeEnded
from engine.terms import StepKind
from tests.engine.builder import Table, cards, edge, node, seat, table

L11 = ("separate-phases",)
RICH = "bbbbllllwwwwggggoooo"


def rolled(*seats: object, variants: tuple[str, ...] = L11) -> Table:
    """A table in the trade phase of seat 0."""
    t = table(*seats, step="pre_roll", dice=[(1, 1)], variants=variants)  # type: ignore[arg-type]
    t.play(0, Roll())
    return t


def test_L11_trade_comes_first_and_building_after_it() -> None:
    t = rolled(seat(settlements="B4", roads="c4", hand=RICH), seat(hand="o"))
    assert t.game.view().step.kind is StepKind.TRADE_PHASE
    for action in (BuildRoad(edge("c3")), BuildSettlement(node("C4")), BuyCard()):
        assert t.code(0, action) == "wrong-phase"
    assert "go on to build" in str(t.refused(0, BuyCard()))
    t.play(0, BankTrade(cards("bbbb"), cards("o")))
    assert t.play(0, EndTrade()) == (TradeEnded(0),)
    assert t.game.view().step.kind is StepKind.BUILDING_PHASE
    for trade in (BankTrade(cards("llll"), cards("o")), MakeOffer(cards("l"), cards("o"))):
        assert t.code(0, trade) == "wrong-phase"
    assert "Trade is over" in str(t.refused(0, BankTrade(cards("llll"), cards("o"))))
    t.play(0, BuyCard())
    t.play(0, EndTurn())
    assert t.game.view().on_turn == 1


def test_L11_ending_trade_ends_offers_and_cannot_be_undone() -> None:
    t = rolled(seat(hand="bl"), seat(hand="o"))
    t.play(0, MakeOffer(cards("b"), cards("o")))
    t.play(1, AcceptOffer(1))
    t.play(0, EndTrade())
    assert t.game.view().offers == ()
    assert t.code(0, Undo()) == "no-undo"
    assert t.code(0, EndTrade()) == "wrong-phase"
    assert t.code(1, EndTrade()) == "wrong-turn"


def test_L11_the_turn_may_end_without_building() -> None:
    t = rolled(seat(), seat())
    t.play(0, EndTurn())
    assert t.game.view().on_turn == 1


@pytest.mark.parametrize("building", [False, True])
def test_L11_a_development_card_may_be_played_in_either_phase(building: bool) -> None:
    t = rolled(seat(settlements="B4", cards="k"), seat())
    if building:
        t.play(0, EndTrade())
    kind = t.game.view().step.kind
    t.play(0, PlayKnight())
    t.play(0, next(t.game.options(0).actions()))
    assert t.game.view().step.kind is kind


def test_L11_with_L6_a_free_road_does_not_end_the_trade_phase() -> None:
    """A free road counts as built, but the trade phase goes on."""
    t = rolled(seat(settlements="B4", roads="c4", cards="r", hand="bbbb"), seat(), variants=(*L11, "build-ends-trade"))
    t.play(0, PlayRoadBuilding())
    for _ in range(2):
        t.play(0, next(t.game.options(0).actions()))
    t.play(0, BankTrade(cards("bbbb"), cards("o")))


def test_L11_with_L1_victory_points_can_be_played_in_both_phases() -> None:
    t = rolled(seat(settlements="B4", cards="v"), seat(), variants=(*L11, "vp-cards-played"))
    assert "play_victory_point" in {cls.name for cls in t.game.options(0)}
    t.play(0, EndTrade())
    assert "play_victory_point" in {cls.name for cls in t.game.options(0)}

"""What each step view shows, the same to all: facts that no other code should have to work out again."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import BuildCity, BuyCard, MoveRobber, PlayKnight, PlayRoadBuilding, Roll
from engine.terms import StepKind
from tests.engine.builder import Table, hex_, node, seat, table


def told(t: Table) -> Any:
    """The step's view. Checks that it is the same for all."""
    seen = {repr(t.game.view(viewer).step) for viewer in (None, *range(t.state.players))}
    assert len(seen) == 1
    return t.game.view().step


@pytest.mark.parametrize(
    ("cards", "variants", "expected"),
    [("k", (), True), ("v", (), True), ("", (), False), ("k", ("cards-after-roll",), False)],
)
def test_the_view_shows_whether_a_card_can_be_played_before_the_roll(
    cards: str, variants: tuple[str, ...], expected: bool
) -> None:
    """As far as all can know: a victory point card looks like any other (D3, L3)."""
    t = table(seat(cards=cards), seat(), step="pre_roll", variants=variants)
    assert told(t).may_play_card is expected


def test_the_view_shows_that_a_second_card_cannot_be_played_before_the_roll() -> None:
    t = table(seat(settlements="B4", roads="c4", cards="rk"), seat(), step="pre_roll")
    t.play(0, PlayRoadBuilding())
    for _ in range(2):
        t.play(0, next(iter(t.game.options(0).actions())))
    assert told(t).kind is StepKind.PRE_ROLL
    assert told(t).may_play_card is False


@pytest.mark.parametrize(("variants", "expected"), [((), True), (("build-ends-trade",), False)])
@pytest.mark.parametrize("action", [BuildCity(node("B4")), BuyCard()])
def test_L6_the_view_shows_whether_trade_is_still_open(variants: tuple[str, ...], expected: bool, action: Any) -> None:
    t = table(
        seat(settlements="B4", hand="ooogg" if isinstance(action, BuildCity) else "owg"), seat(), variants=variants
    )
    assert told(t).may_trade is True
    t.play(0, action)
    assert told(t).may_trade is expected


@pytest.mark.parametrize(("variants", "expected"), [((), False), (("optional-robber",), True)])
def test_L5_the_view_shows_whether_the_robber_can_be_left(variants: tuple[str, ...], expected: bool) -> None:
    t = table(seat(cards="k"), seat(), step="pre_roll", dice=[(3, 4)], variants=variants)
    t.play(0, Roll())
    assert told(t).may_leave is expected
    t = table(seat(cards="k"), seat(), variants=variants)
    t.play(0, PlayKnight())
    assert told(t).may_leave is False


@pytest.mark.parametrize(("edition", "expected"), [("2007", False), ("1996", True)])
def test_A2_the_view_shows_whether_taking_a_card_can_be_declined(edition: str, expected: bool) -> None:
    t = table(seat(cards="k"), seat(settlements="B4", hand="b"), seat(settlements="C5", hand="o"), edition=edition)
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("2.2")))
    assert (told(t).victims, told(t).may_decline) == (0b110, expected)

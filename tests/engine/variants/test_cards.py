"""L1 to L4: when development cards are played, open hands, early sevens."""

from __future__ import annotations

import pytest

from engine.actions import (
    BuyCard,
    EndTurn,
    MoveRobber,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
)
from engine.events import CardBought, CardPlayed, CardTaken, Rolled
from engine.resources import BRICK, VICTORY_POINT
from tests.engine.builder import Table, cards, events_of, hex_, seat, table

PLAYED = ("vp-cards-played",)


def test_L1_a_victory_point_card_counts_only_after_it_is_played() -> None:
    t = table(seat(settlements="B4 E3", cards="vv"), seat(settlements="D5", cards="v"), variants=PLAYED)
    assert [t.state.all_points(s) for s in (0, 1)] == [2, 1]
    t.play(0, PlayVictoryPoint())
    assert t.game.view(1).players[0].points == t.state.all_points(0) == 3
    assert t.game.view(1).players[0].development_count == 1
    assert t.game.view(0).players[0].all_points == 3


def test_L1_a_victory_point_card_is_the_only_card_of_its_turn() -> None:
    t = table(seat(settlements="B4", roads="c4", cards="vvrkym"), seat(), variants=PLAYED)
    t.play(0, PlayVictoryPoint())
    for action in (
        PlayVictoryPoint(),
        PlayKnight(),
        PlayRoadBuilding(),
        PlayMonopoly(BRICK),
        PlayYearOfPlenty(cards("bb")),
    ):
        assert t.code(0, action) == "one-card"
    other = table(seat(cards="vy"), seat(), variants=PLAYED)
    other.play(0, PlayYearOfPlenty(cards("bb")))
    assert other.code(0, PlayVictoryPoint()) == "one-card"


def test_L1_a_victory_point_card_cannot_be_played_in_the_turn_it_was_bought() -> None:
    t = table(seat(hand="wgo"), seat(), variants=PLAYED, dice=[(1, 1), (1, 1)])
    t.draws_card("v")
    t.play(0, BuyCard())
    assert t.code(0, PlayVictoryPoint()) == "too-new"
    for action in (EndTurn(), Roll(), EndTurn()):
        t.play(t.game.to_act[0], action)
    t.play(0, PlayVictoryPoint())  # before the roll, like any other
    assert t.state.played[0][VICTORY_POINT] == 1


def test_L1_a_held_card_does_not_win_but_a_played_one_does() -> None:
    t = table(seat(cities="B4 C4 E3", settlements="E5", cards="v"), seat(), target=8, variants=PLAYED)
    assert t.state.outcome is None
    t.play(0, PlayVictoryPoint())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (0,)
    assert t.game.outcome.points == (8, 0)


def test_L1_unplayed_cards_do_not_count_at_the_round_limit() -> None:
    t = table(seat(settlements="B4"), seat(settlements="E5", cards="vvv"), seat(), variants=PLAYED, round_limit=1)
    for _ in range(3):
        while t.game.outcome is None:
            t.play(t.game.to_act[0], Roll() if t.game.view().step.kind == "pre_roll" else EndTurn())
    assert t.game.outcome is not None
    assert t.game.outcome.points == (1, 1, 0)
    assert t.game.outcome.winners == (0, 1)


def test_L1_victory_point_cards_cannot_be_played_in_a_special_building_phase() -> None:
    five = [seat(), seat(settlements="B4", cards="vv"), seat(), seat(), seat()]
    t = table(*five, scenario="extension", variants=PLAYED, dice=[(1, 1)])
    t.state.asked = 1 << 1
    t.play(0, EndTurn())
    assert t.game.view(1).step.kind == "special_building"
    assert not t.can(1, PlayVictoryPoint())
    assert t.code(1, PlayVictoryPoint()) == "wrong-phase"
    t.play(1, PassOn())
    t.play(1, PlayVictoryPoint())


def test_L1_without_the_rule_victory_point_cards_count_unplayed() -> None:
    t = table(seat(settlements="B4", cards="v"), seat())
    assert t.state.all_points(0) == 2
    assert t.code(0, PlayVictoryPoint()) == "wrong-phase"


def test_L2_all_viewers_see_resource_cards_but_not_development_cards() -> None:
    t = table(seat(hand="bbo", cards="k"), seat(hand="w", cards="v"), variants=("open-hands",))
    for viewer in (None, 0, 1):
        players = t.game.view(viewer).players
        assert [p.hand for p in players] == [cards("bbo"), cards("w")]
        assert all((p.development_cards is None) == (p.seat != viewer) for p in players)
        assert all((p.all_points is None) == (p.seat != viewer) for p in players)


@pytest.mark.parametrize("variants", [("open-hands",), ()])
def test_L2_the_card_that_the_robber_takes_is_public_and_still_drawn(variants: tuple[str, ...]) -> None:
    t = table(seat(), seat(settlements="B4", hand="bo"), seat(), step="pre_roll", dice=[(3, 4)], variants=variants)
    t.play(0, Roll())
    t.steals(1, "o")
    (taken,) = events_of(t.play(0, MoveRobber(hex_("1.1"))), CardTaken)
    assert t.game.records[-1].draws[0][:3] == ("steal", 0, 2)
    assert t.hand(0) == "o"
    shown = [taken.redact(viewer).card for viewer in (0, 1, 2, None)]
    assert shown == ([4, 4, 4, 4] if variants else [4, 4, None, None])


def test_L2_a_bought_development_card_stays_hidden() -> None:
    t = table(seat(hand="wgo"), seat(), variants=("open-hands",))
    t.draws_card("m")
    (bought,) = events_of(t.play(0, BuyCard()), CardBought)
    assert [bought.redact(v).card for v in (0, 1, None)] == [3, None, None]


def test_L3_no_development_card_can_be_played_before_the_roll() -> None:
    variants = ("cards-after-roll", "vp-cards-played")
    every = seat(settlements="B4", roads="c4", cards="krymv", hand="b")
    t = table(every, seat(hand="b"), step="pre_roll", variants=variants)
    played = (
        PlayKnight(),
        PlayRoadBuilding(),
        PlayYearOfPlenty(cards("bb")),
        PlayMonopoly(BRICK),
        PlayVictoryPoint(),
    )
    assert set(t.game.options(0)) == {Roll}
    for action in played:
        assert t.code(0, action) == "alternate-rule"
    t.rolls((1, 1))
    t.play(0, Roll())
    assert all(t.can(0, action) for action in played)


def test_L3_a_seven_can_still_be_answered_with_a_knight() -> None:
    """L3 with L8: the player on turn can't play a knight before the roll, but a seven, which comes after it, can be
    answered."""
    t = table(
        seat(hand="b", cards="k"),
        seat(settlements="D4", cards="k"),
        step="pre_roll",
        dice=[(3, 4)],
        variants=("cards-after-roll", "knight-interrupt"),
    )
    assert t.code(0, PlayKnight()) == "alternate-rule"
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("4.1")))
    (played,) = events_of(t.play(1, PlayKnight()), CardPlayed)
    assert played == CardPlayed(1, 0)
    t.play(1, MoveRobber(hex_("1.1")))
    t.play(0, PlayKnight())  # the first mover answers; this uses up no card of their turn
    t.play(0, MoveRobber(hex_("4.1")))
    assert not t.state.card_played


def roll_again(t: Table, turns: int) -> None:
    """In this number of turns, a seven is rolled, and then a two, which counts."""
    for _ in range(turns):
        t.rolls((3, 4), (1, 1))
        rolled = events_of(t.play(t.game.to_act[0], Roll()), Rolled)
        assert [(r.dice, r.counted) for r in rolled] == [((3, 4), False), ((1, 1), True)]
        t.play(t.game.to_act[0], EndTurn())


def test_L4_a_seven_is_rolled_again_in_each_players_first_two_turns() -> None:
    t = table(seat(), seat(), seat(), step="pre_roll", variants=("no-early-sevens",))
    t.state.turns = [1, 0, 0]
    roll_again(t, 6)
    assert t.state.rolls[7] == 0
    assert t.state.rolls[2] == 6  # rolls that don't count are left out
    t.rolls((3, 4))
    t.play(0, Roll())
    assert t.game.view().step.kind == "move_robber"


def test_L4_counts_each_players_own_turns_when_a_seat_is_skipped() -> None:
    t = table(seat(), seat(), seat(), step="pre_roll", variants=("no-early-sevens",))
    t.state.turns = [2, 0, 0]
    roll_again(t, 3)  # the second turn of seat 0, the first of the others
    t.rolls((3, 4))
    t.play(0, Roll())  # the third turn of seat 0
    assert t.game.view().step.kind == "move_robber"


def test_L4_several_sevens_in_a_row_are_all_shown() -> None:
    t = table(seat(hand="bbbbbbbbb"), seat(), step="pre_roll", variants=("no-early-sevens",))
    t.rolls((3, 4), (1, 6), (2, 5), (6, 6))
    rolled = events_of(t.play(0, Roll()), Rolled)
    assert [sum(r.dice) for r in rolled] == [7, 7, 7, 12]
    assert t.game.view().step.kind == "main"
    assert t.hand(0) == "bbbbbbbbb"

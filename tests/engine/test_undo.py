"""Undo: a player's last action, until another player acts, or dice or cards are drawn."""

from __future__ import annotations

from engine.actions import (
    AskToBuild,
    BuildRoad,
    EndTurn,
    MoveRobber,
    Roll,
    TakeCard,
    Undo,
)
from engine.game import Game
from engine.steps.robber import RobberStep
from tests.engine.builder import Table, edge, hex_, seat, table


def moving() -> Table:
    """Seat 0 moves the robber. At 3.2 they could take a card from either of two others."""
    t = table(
        seat(settlements="B4", roads="c4", hand="b"), seat(settlements="C2", hand="o"), seat(settlements="D3", hand="g")
    )
    t.state.push(RobberStep(0))
    return t


def test_the_end_of_a_turn_can_be_undone_until_another_player_acts() -> None:
    """The turn goes on as it was, with its dice and its number."""
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat(), dice=[(1, 2), (2, 3)], step="pre_roll")
    t.play(0, Roll())
    before = t.game.view(0)
    t.play(0, EndTurn())
    assert t.game.view().turn == before.turn + 1
    assert t.game.view().undo == 0
    t.play(0, Undo())
    after = t.game.view(0)
    assert (after.turn, after.on_turn, after.dice, after.round) == (before.turn, 0, before.dice, before.round)
    t.play(0, BuildRoad(edge("c3")))
    t.play(0, EndTurn())
    t.play(1, Roll())
    assert t.code(0, Undo()) == "no-undo"


def test_actions_before_the_end_of_a_turn_can_still_be_undone_after_it() -> None:
    """What can be undone before the end of the turn can still be undone after it."""
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat())
    t.play(0, BuildRoad(edge("c3")))
    t.play(0, EndTurn())
    t.play(0, Undo())
    t.play(0, Undo())
    assert t.hand(0) == "bl"


def test_moving_the_robber_can_be_undone_until_a_card_is_taken() -> None:
    t = moving()
    origin = t.state.robber
    t.play(0, MoveRobber(hex_("3.2")))
    if t.game.can_undo(0):
        t.play(0, Undo())
        assert t.state.robber == origin
        t.play(0, MoveRobber(hex_("3.2")))
        victims = [s for s in (1, 2) if TakeCard(s) in t.game.options(0).get(TakeCard, ())]
        t.play(0, TakeCard(victims[0]))
    assert t.code(0, Undo()) == "no-undo"


def test_the_end_of_a_turn_that_calls_players_to_build_cannot_be_undone() -> None:
    """The end of a turn that calls builders can't be undone, since the call has shown who asked."""
    t = table(seat(hand="b"), seat(hand="b"), seat(hand="b"), seat(), seat(), scenario="extension")
    t.play(1, AskToBuild())
    t.play(0, EndTurn())
    assert t.code(0, Undo()) == "no-undo"


def test_a_turn_can_be_ended_again_after_its_end_was_undone() -> None:
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat(), dice=[(1, 2)])
    t.play(0, EndTurn())
    t.play(0, Undo())
    assert isinstance(t.game.copy(), Game)
    t.play(0, EndTurn())
    assert t.game.turn == 2

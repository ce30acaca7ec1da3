"""What is new on the board: for all, the latest turn; for a player, what has changed since they last acted."""

from __future__ import annotations

from engine.actions import BuildRoad, BuildSettlement, EndTurn, MoveRobber, Roll, Undo
from engine.chance import SeededChance
from engine.changes import Changes
from engine.config import Config
from engine.game import Game
from tests.engine.builder import edge, hex_, seat, table


def test_everything_built_in_a_turn_is_new_to_all_viewers_until_the_next_turn_builds() -> None:
    t = table(seat(settlements="B4", roads="c4", hand="bbll"), seat(settlements="F3", roads="h4"), dice=[(1, 2)])
    first, second = edge("c5"), edge("c6")
    assert t.game.view().changes == Changes()
    for at in (first, second):
        t.play(0, BuildRoad(at))
    both = Changes(edges=1 << first | 1 << second)
    assert t.game.view().changes == both
    t.play(0, EndTurn())
    assert t.game.view().changes == both
    assert t.game.view(1).changes == both
    t.play(1, Roll())
    assert t.game.view().changes == both


def test_a_player_sees_what_others_did_since_they_last_acted() -> None:
    game = Game.new(Config(("red", "blue", "white")), SeededChance(bytes(32), "1", ()))
    first = game.to_act[0]
    marks = []
    while not game.turn:
        actor = game.to_act[0]
        action = next(game.options(actor).actions())
        game.play(actor, action)
        if actor == first:
            assert game.view(first).changes == Changes()
        marks.append(game.view(first).changes)
    assert any(changes.nodes.bit_count() == 4 and changes.edges.bit_count() == 4 for changes in marks)


def test_an_undone_piece_is_not_new() -> None:
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat())
    t.play(0, BuildRoad(edge("c5")))
    t.play(0, Undo())
    assert t.game.view().changes.edges == 0
    assert t.game.view(1).changes.edges == 0


def test_changes_include_the_robbers_former_hex() -> None:
    t = table(seat(), seat(), dice=[(3, 4)], step="pre_roll")
    t.play(0, Roll())
    before = t.game.state.robber
    t.play(0, MoveRobber(hex_("1.1")))
    assert t.game.view().changes.robber == before
    assert t.game.view(1).changes.robber == before


def test_in_setup_the_latest_settlement_and_its_road_are_new_until_the_next_settlement() -> None:
    """Also when the last road has begun the first turn; an undone road leaves its settlement marked."""
    game = Game.new(Config(("red", "blue", "white")), SeededChance(bytes(32), "1", ()))
    placed = Changes()
    assert game.view().changes == placed
    while not game.turn:
        actor = game.to_act[0]
        action = next(game.options(actor).actions())
        if isinstance(action, BuildRoad) and placed.nodes.bit_count() == 1:
            game.play(actor, action)
            if not game.turn:
                game.play(actor, Undo())
                assert game.view().changes == placed
                game.play(actor, action)
            placed = placed._replace(edges=1 << action.at)
        else:
            assert isinstance(action, BuildSettlement)
            game.play(actor, action)
            placed = Changes(nodes=1 << action.at)
        assert game.view().changes == placed
    game.play(game.to_act[0], Roll())
    assert game.view().changes == placed

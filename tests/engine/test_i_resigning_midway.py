"""I7: when the player on turn resigns, the rest of the turn is settled before it ends and players are called (J2)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import (
    AgreeToEnd,
    AskToBuild,
    Discard,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayRoadBuilding,
    Resign,
    Roll,
    Undo,
)
from engine.events import BuildersCalled, NothingTaken, RequestsOpened, Resigned, RobberMoved, TurnEnded
from engine.terms import EndReason
from tests.engine.builder import Seat, Table, cards, events_of, hex_, seat
from tests.engine.tables import five

OLD = pytest.mark.parametrize("format", [1, 2, 3, 4])


def on_a_seven(*seats: Seat, **config: Any) -> Table:
    """Five players. The one on turn rolls a seven, and resigns before the discards."""
    t = five(seat(settlements="C6"), *seats, **{"step": "pre_roll", "dice": [(3, 4)], **config})
    t.play(t.state.on_turn, Roll())
    t.play(t.state.on_turn, Resign())
    return t


NINE = seat(hand="w" * 9)


def test_J2_and_I7_a_seven_is_settled_before_players_are_called_by_their_cards() -> None:
    t = on_a_seven(NINE, seat(hand="o" * 6), standing=6)
    assert (t.step.kind, t.state.on_turn) == ("discard", 0)
    events = t.play(1, Discard(cards("wwww")))
    assert [type(event) for event in events][-3:] == [RobberMoved, TurnEnded, BuildersCalled]
    assert events[-1] == BuildersCalled((2,))


@OLD
def test_J2_and_I7_up_to_format_4_players_are_called_when_the_player_on_turn_resigns(format: int) -> None:
    """Those games keep the rules that they began with."""
    t = on_a_seven(NINE, standing=6, format=format)
    assert events_of(t.game.last_events, BuildersCalled) == [BuildersCalled((1,))]
    t.play(1, Discard(cards("wwww")))
    assert t.game.to_act == (1,)


def test_J2_and_I7_players_can_ask_to_build_until_the_seven_is_settled() -> None:
    t = on_a_seven(NINE)
    for who in (1, 3):
        t.play(who, AskToBuild())
    assert events_of(t.play(1, Discard(cards("wwww"))), BuildersCalled) == [BuildersCalled((1, 3))]


def test_J2_and_I7_the_window_for_late_requests_opens_after_the_seven() -> None:
    t = on_a_seven(NINE, standing=20, request_time=60)
    assert not events_of(t.game.last_events, RequestsOpened)
    t.play(1, Discard(cards("wwww")))
    assert (t.step.kind, t.step.after) == ("late_requests", 0)


def test_J2_and_L8_players_are_called_after_the_answers_to_a_mover_who_resigned() -> None:
    """The one who is robbed by an answer isn't called for the card that is gone."""
    robbed, thief = seat(settlements="E6", hand="wwww"), seat(settlements="B4", cards="k")
    t = five(seat(), thief, robbed, standing=4, variants=("knight-interrupt",), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("2.1")))
    t.play(0, Resign())
    t.play(1, PlayKnight())
    events = t.play(1, MoveRobber(hex_("5.2")))
    assert not events_of(events, BuildersCalled)
    assert (t.hand(1), t.hand(2), t.state.on_turn) == ("w", "www", 1)


def test_J2_and_L8_a_mover_who_answered_undoes_the_move_and_not_the_end_of_the_turn() -> None:
    """The turn of the player who resigned ends with that move, and goes on again with the undo."""
    t = five(seat(), seat(cards="k"), variants=("knight-interrupt",), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("2.1")))
    t.play(0, Resign())
    t.play(1, PlayKnight())
    assert events_of(t.play(1, MoveRobber(hex_("4.1"))), TurnEnded) == [TurnEnded(0)]
    t.play(1, Undo())
    assert (t.step.kind, t.state.on_turn) == ("move_robber", 0)


def test_J2_and_I7_free_roads_and_a_victim_are_settled_immediately() -> None:
    t = five(seat(settlements="B4", roads="c4", cards="r"), seat(hand="wwww"), standing=4)
    t.play(0, PlayRoadBuilding())
    assert events_of(t.play(0, Resign()), BuildersCalled) == [BuildersCalled((1,))]
    t = five(seat(cards="k"), seat(settlements="C4", hand="oooo"), seat(settlements="B4", hand="ooo"), standing=4)
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("2.2")))
    assert [type(e) for e in t.play(0, Resign())] == [Resigned, NothingTaken, TurnEnded, BuildersCalled]


def test_I6_and_I7_points_can_not_be_counted_before_the_last_first_turn_is_settled() -> None:
    t = on_a_seven(on_turn=4, standing=4, step="pre_roll")
    assert t.game.view().may_count_points  # nothing was left to settle
    t = on_a_seven(NINE, on_turn=4)
    assert t.code(0, AgreeToEnd()) == "too-early"
    t.play(1, AskToBuild())
    t.play(1, Discard(cards("wwww")))
    for who in range(4):
        t.play(who, AgreeToEnd())
    assert t.game.outcome is not None
    assert t.game.outcome.reason == EndReason.AGREEMENT


def test_I6_and_I7_the_last_round_ends_after_the_seven_of_a_player_who_resigned() -> None:
    t = on_a_seven(NINE, on_turn=4, round_limit=1)
    assert t.step.kind == "discard"
    t.play(1, Discard(cards("wwww")))
    assert t.game.outcome is not None
    assert (t.game.outcome.reason, t.hand(1)) == (EndReason.ROUNDS, "wwwww")


def test_J2_and_I7_a_player_who_resigned_is_not_shown_among_those_who_build_next() -> None:
    t = five()
    for who in (1, 2, 3):
        t.play(who, AskToBuild())
    t.play(0, EndTurn())
    t.play(2, Resign())
    assert t.step.queue == (1, 3)

"""J2 with a turn timer of minutes: a short window after each turn in which others can still ask to build."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from engine.actions import AskToBuild, EndTurn, Expire, PassOn, Resign, Roll, SetStanding, Undo
from engine.config import FORMAT
from engine.events import BuildersCalled
from engine.geometry import bits
from engine.record import REFEREE
from tests.engine.builder import Seat, Table, events_of, seat
from tests.engine.tables import five


def waiting(*seats: Seat, **config: Any) -> Table:
    """Five players with a turn timer of minutes, who are also called by their number of cards. The player on turn has
    ended their turn."""
    t = five(*seats, **{"standing": 8, "request_time": 60, **config})
    t.play(t.state.on_turn, EndTurn())
    return t


def test_J2_other_players_can_ask_to_build_in_a_short_window_after_the_turn() -> None:
    t = waiting(on_turn=3)
    step = t.game.view().step
    assert (step.kind, tuple(bits(step.awaited))) == ("late_requests", (0, 1, 2, 4))
    t.play(1, AskToBuild())
    t.play(4, PassOn())
    assert t.code(4, PassOn()) == "not-asked"
    assert t.code(3, AskToBuild()) == "wrong-phase"
    assert t.code(0, Roll()) == "wrong-phase"
    events = t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    assert events_of(events, BuildersCalled) == [BuildersCalled((1,))]
    assert t.game.to_act == (1,)


def test_J2_the_window_closes_immediately_when_all_players_have_answered() -> None:
    t = waiting(on_turn=0)
    for s in (1, 2, 3):
        t.play(s, PassOn())
    assert t.game.view().step.kind == "late_requests"
    events = t.play(4, PassOn())
    assert not events_of(events, BuildersCalled)
    assert (t.state.on_turn, t.game.view().step.kind) == (1, "pre_roll")


def test_J2_other_players_do_not_learn_of_an_answer_in_the_window() -> None:
    asked, passed, silent = (waiting(on_turn=0) for _ in range(3))
    asked.play(2, AskToBuild())
    passed.play(2, PassOn())
    for s in (None, 0, 1, 3, 4):
        assert len({pickle.dumps(t.game.view(s)) for t in (asked, passed, silent)}) == 1
        if s is not None:
            assert len({t.game.decision(s) for t in (asked, passed, silent)}) == 1
            assert len({t.game.can_undo(s) for t in (asked, passed, silent)}) == 1


def test_J2_a_player_can_change_an_answer_while_the_window_is_open() -> None:
    t = waiting(on_turn=0)
    t.play(1, AskToBuild())
    t.play(1, AskToBuild(False))
    t.play(2, PassOn())
    t.play(2, AskToBuild())
    events = t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    assert events_of(events, BuildersCalled) == [BuildersCalled((2,))]


def test_J2_the_end_of_a_turn_can_be_undone_while_the_window_is_open() -> None:
    t = waiting(on_turn=0)
    t.play(1, AskToBuild())
    assert t.game.can_undo(0)
    t.play(0, Undo())
    assert (t.state.on_turn, t.game.view().step.kind) == (0, "main")
    t.play(0, EndTurn())
    for s in (2, 3, 4):
        t.play(s, PassOn())
    assert t.game.to_act == (1,)  # the request still stands


def test_J2_a_player_who_leaves_is_no_longer_waited_for() -> None:
    t = waiting(on_turn=0)
    for s in (1, 2, 3):
        t.play(s, PassOn())
    t.play(4, Resign())
    assert t.game.view().step.kind == "pre_roll"


@pytest.mark.parametrize(("format", "called"), [(5, (1, 2)), (FORMAT, (2,))])
def test_J2_who_passes_in_the_window_is_not_called_by_their_cards(format: int, called: tuple[int, ...]) -> None:
    """Who says nothing is."""
    rich = seat(hand="bbbbbbbb")
    t = waiting(seat(), rich, rich, on_turn=0, format=format)
    t.play(1, PassOn())
    events = t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    assert events_of(events, BuildersCalled) == [BuildersCalled(called)]


def test_J2_a_player_who_passed_and_then_asks_is_called() -> None:
    t = waiting(seat(), seat(hand="bbbbbbbb"), on_turn=0)
    t.play(1, PassOn())
    t.play(1, AskToBuild())
    events = t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    assert events_of(events, BuildersCalled) == [BuildersCalled((1,))]


@pytest.mark.parametrize("format", [5, FORMAT])
def test_J2_the_window_waits_for_no_one_who_is_called_only_on_request(format: int) -> None:
    """They can ask as long as it waits for others. If it waits for no one, the end of the turn can be undone."""
    waits = format == 5
    t = waiting(on_turn=0, standing=0, format=format)
    assert (t.game.view().step.kind == "late_requests") == waits
    if not waits:
        t.play(0, Undo())
        assert (t.state.on_turn, t.game.view().step.kind) == (0, "main")
    t = five(standing=0, request_time=60, format=format)
    t.play(3, SetStanding(8))
    t.play(0, EndTurn())
    assert t.game.to_act == ((1, 2, 3, 4) if waits else (3,))
    assert t.game.view().step.awaited == t.game.view(1).step.awaited | (0 if waits else 1 << 1)
    t.play(1, AskToBuild())
    t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    assert t.game.to_act == (1,)

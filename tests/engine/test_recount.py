"""A game turn by turn: what stands in its log and was not taken back, and the view of a moment in the past."""

from __future__ import annotations

import pytest

from engine.actions import EndTurn, Undo
from engine.events import CardBought, CardTaken, Event, TurnBegan, Undone
from engine.game import Game, events_of
from engine.recount import recount
from engine.scenarios import SCENARIOS
from tests.engine.test_chronicle import lively, played


def told(game: Game) -> list[Event]:
    return [event for turn in recount(game.config, game.records, None).turns for _, event in turn.events]


@pytest.mark.parametrize("seed", range(3))
def test_what_was_taken_back_is_not_told(seed: int) -> None:
    """A game in which much is taken back and done again reads like one in which nothing was."""
    game = played(seed, undoing=True)
    assert any(isinstance(record.action, Undo) for record in game.records)
    found = recount(game.config, game.records, None)
    assert not any(isinstance(event, Undone) for event in told(game))
    assert [turn.number for turn in found.turns] == list(range(game.turn + 1))
    ends = sum(event.name == "turn_ended" for event in told(game))
    assert ends == game.turn - 1 + isinstance(game.records[-1].action, EndTurn)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_without_undo_all_events_are_told_in_order_each_in_its_turn(scenario: str) -> None:
    game = lively(5, most=400, scenarios=(scenario,), variants=0.3)
    over = game.outcome is not None
    everything = [e.redact(None, over) for events in events_of(game.config, game.records) for e in events]
    if any(isinstance(event, Undone) for event in everything):
        kept = told(game)
        assert len(kept) < len(everything)
        assert all(event in everything for event in kept)
    else:
        assert told(game) == [event for event in everything if not isinstance(event, TurnBegan)]


def test_secrets_are_the_readers_own() -> None:
    game = lively(2, most=900, scenarios=("base",), targets=(10,))
    if game.outcome is not None:
        game = Game.replay(game.config, game.records[:-1])
    for seat in (None, 0, 1):
        for turn in recount(game.config, game.records, seat).turns:
            for _, event in turn.events:
                if isinstance(event, CardBought) and event.seat != seat:
                    assert event.card is None
                if isinstance(event, CardTaken) and seat not in (event.seat, event.victim):
                    assert event.card is None


def test_a_moment_is_a_number_of_records_or_the_beginning_of_a_turn() -> None:
    game = played(1)
    past = Game.replay(game.config, game.records[:60])
    found = recount(game.config, game.records, 1, 60)
    assert (found.since, found.then) == (60, past.view(1))
    assert next(turn.number for turn in found.turns if turn.since(60).events) in (past.turn, past.turn + 1)
    begun = recount(game.config, game.records, None, turn=9)
    assert begun.then.turn == 9
    assert Game.replay(game.config, game.records[: begun.since - 1]).turn == 8
    assert begun.then == Game.replay(game.config, game.records[: begun.since]).view(None)
    assert recount(game.config, game.records, 0, 10**6).since == game.revision
    assert recount(game.config, game.records, 0, 0).since == 1

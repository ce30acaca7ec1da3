"""Which records of a log were not undone, and which ones end its turns."""

from __future__ import annotations

import pytest

from engine.events import TurnBegan, Undone
from engine.game import Game, events_of
from engine.log.lasting import ends_of_turns, lasting
from tests.engine.randomly import lively, played
from tests.seeds import few_of


@pytest.mark.parametrize("seed", few_of(range(4), 2))
def test_an_undo_cancels_the_latest_remaining_record_of_its_seat(seed: int) -> None:
    game = lively(seed, most=900)
    log = list(events_of(game.config, game.records))
    taken_back = 0
    for number, events in enumerate(log):
        if any(isinstance(event, Undone) for event in events):
            before, after = lasting(log[:number]), lasting(log[: number + 1])
            assert before[:-1] == after
            assert game.records[before[-1]].actor == game.records[number].actor
            taken_back += 1
    noticed = [number for number, events in enumerate(log) if events]
    assert len(lasting(log)) == len(noticed) - 2 * taken_back
    assert set(lasting(log)) <= set(noticed)


def test_a_turn_ends_with_the_record_that_finally_ended_it() -> None:
    game = played(1, undoing=True)
    ends = ends_of_turns(game.config, game.records)
    assert list(ends) == list(range(game.turn))
    before = Game.replay(game.config, game.records[: ends[0]])
    for turn, number in ends.items():
        before = before.followed_by(game.records[before.revision : number])
        after = before.followed_by(game.records[number : number + 1])
        assert (before.turn, after.turn) == (turn, turn + 1)
        assert any(isinstance(event, TurnBegan) for event in after.last_events)
        assert turn == game.turn - 1 or ends[turn + 1] > number

"""A seed gives the same game in every process, a log gives the same game again, and every alteration is noticed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import pytest

from engine.config import Config
from engine.errors import IllegalAction, ReplayError
from engine.game import Game
from engine.record import Record
from tests.engine.randomly import attempt, chance, random_action, random_config
from tests.house import ROOT

SEEDS = range(3)


def play(seed: int, **choice: Any) -> Game:
    """A whole random game."""
    rng = random.Random(seed)
    game = Game.new(random_config(rng, **choice), chance(seed))
    while game.outcome is None:
        attempt(game, *random_action(game, rng))
    return game


def fingerprints() -> str:
    """Hashes of some games, one per line."""
    return "\n".join(play(seed).hash() for seed in SEEDS)


def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    """Nothing depends on the order of sets, on ids or on the process."""
    code = "from tests.engine.test_determinism import fingerprints; print(fingerprints())"
    for hash_seed in ("1", "2"):
        other = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert other.stdout.strip() == fingerprints()


def test_a_game_replayed_halfway_continues_as_the_original() -> None:
    """After a replay of half the log, the game goes on with the same draws, options and hashes."""
    whole = play(3)
    middle = len(whole.records) // 2
    game = Game.replay(whole.config, whole.records[:middle], chance(3))
    for record in whole.records[middle:]:
        assert record.action is not None
        game.play(record.actor, record.action)
        assert game.records[-1] == record
    assert game.hash() == whole.hash()


def test_a_game_follows_its_log_as_it_grows() -> None:
    """A game that takes in further records, a few at a time, is the same as the one that was played, and so are its
    draws."""
    whole = play(3)
    first = game = Game.replay(whole.config, whole.records[:7], chance(3))
    before = first.hash()
    for end in (*range(10, len(whole.records) - 1, 40), len(whole.records) - 1):
        game = game.followed_by(whole.records[game.revision : end])
        assert game.records == whole.records[:end]
    last = whole.records[-1]
    assert last.action is not None
    game.play(last.actor, last.action)
    assert (game.hash(), game.records[-1]) == (whole.hash(), last)
    assert first.hash() == before
    with pytest.raises(ReplayError, match="out of order"):
        first.followed_by(whole.records[8:])


def test_a_copy_is_independent() -> None:
    """Actions in a copy leave no trace in the game it was made from, and undo works as before."""
    rng = random.Random(5)
    game = Game.new(Config(("red", "blue", "white")), chance(5))
    for _ in range(300):
        before, undo = game.hash(), [game.can_undo(s) for s in range(3)]
        twin = game.copy()
        assert [twin.can_undo(s) for s in range(3)] == undo
        for _ in range(5):
            if twin.outcome is None:
                attempt(twin, *random_action(twin, rng))
        assert (game.hash(), [game.can_undo(s) for s in range(3)]) == (before, undo)
        if game.outcome is None:
            attempt(game, *random_action(game, rng))


def test_an_altered_log_is_noticed() -> None:
    """No replay accepts a draw of another kind, number, range or result, a draw too many or too few, or an impossible
    action."""
    records = play(4).records
    rolls = [r for r in records if r.draws and r.number][:3]
    for roll in rolls:
        (kind, ordinal, n, result), *later_draws = roll.draws
        altered = [
            (("seats", ordinal, n, result), *later_draws),
            ((kind, ordinal + 1, n, result), *later_draws),
            ((kind, ordinal, n + 1, result), *later_draws),
            ((kind, ordinal, n, n), *later_draws),
            tuple(later_draws),
            (*roll.draws, ("dice", 99, 6, 0)),
        ]
        for draws in altered:
            log = list(records)
            log[roll.number] = Record(roll.number, roll.actor, roll.action, draws)
            with pytest.raises(ReplayError):
                Game.replay(play(4).config, log)
    stranger = Record(rolls[0].number, rolls[0].actor + 1, rolls[0].action, rolls[0].draws)
    for log in ([*records[: stranger.number], stranger], records[1:], records[:3] + records[4:], []):
        with pytest.raises(ReplayError):
            Game.replay(play(4).config, log)


def test_nothing_can_be_played_after_the_game_has_ended() -> None:
    """Nothing can be played in a game that has ended."""
    game = play(2)
    with pytest.raises(IllegalAction) as refused:
        game.play(0, next(r.action for r in reversed(game.records) if r.action))
    assert refused.value.code == "over"
    assert game.to_act == ()

"""Shards are shared fairly, whichever processes come and go, and then no shard moves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bot.service.shards import ShardMoves, shard_moves
from bot.store.base import Sharing


def settle(processes: list[str], shards: dict[int, str], of: int, rng: random.Random) -> int:
    """Let processes look, one after another in random order, until none moves. Returns how many shards were left."""
    left = 0
    for _ in range(1000):
        moved = False
        for process in rng.sample(processes, len(processes)):
            step = shard_moves(Sharing(process, frozenset(processes), dict(shards), of), range(of), fixed=False)
            for shard in step.leave:
                assert shards.pop(shard) == process
            for shard in step.take:
                assert shard not in shards
                shards[shard] = process
            left += len(step.leave)
            moved = moved or step != ShardMoves()
        if not moved:
            return left
    raise AssertionError("they never settle")


@pytest.mark.parametrize("seed", range(200))
def test_shards_are_shared_fairly_when_processes_come_and_go(seed: int) -> None:
    rng = random.Random(seed)
    of = rng.choice((1, 2, 3, 4, 7, 16, 40))
    processes, shards = ["p0"], dict[int, str]()
    for n in range(1, 12):
        if len(processes) > 1 and rng.random() < 0.4:
            dead = processes.pop(rng.randrange(len(processes)))
            shards = {shard: process for shard, process in shards.items() if process != dead}
            assert settle(processes, shards, of, rng) == 0, "living processes keep theirs"
        else:
            processes.append(f"p{n}")
            assert settle(processes, shards, of, rng) <= of // len(processes) + 1
        counts = Counter(shards.values())
        assert sorted(shards) == list(range(of))
        assert max(counts[p] for p in processes) - min(counts[p] for p in processes) <= 1


def test_a_process_with_fixed_shards_takes_only_those() -> None:
    assert shard_moves(Sharing("a", frozenset({"a", "b"}), {4: "b"}, 16), range(4, 8), fixed=True) == ShardMoves(
        take=(5, 6, 7)
    )

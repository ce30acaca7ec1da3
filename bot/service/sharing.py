"""How identical processes share Discord's shards among themselves: none decides for the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.store.base import Sharing

HOLD = 15.0
"""Seconds after which the shards of a dead process are free for others."""
LOOK = 3.0
"""Seconds between two looks at which processes are alive and which shards they have."""


@dataclass(frozen=True, slots=True)
class Moves:
    """What a process does to get its fair share."""

    take: tuple[int, ...] = ()
    leave: tuple[int, ...] = ()


def moves(sharing: Sharing, wanted: Sequence[int], fixed: bool) -> Moves:
    """The shards that this process should take and leave, of those in `wanted`.

    A fair share is the number of shards divided by that of processes, and one more for some. If a process has less,
    the processes with the most give shards up. `fixed`: the host has assigned shards to each process.
    """
    me, mine = sharing.process, [shard for shard in wanted if sharing.shards.get(shard) == sharing.process]
    free = [shard for shard in wanted if shard not in sharing.shards]
    if fixed:
        return Moves(take=tuple(free))
    counted = Counter(sharing.shards.values())
    counts = {process: counted[process] for process in sorted(sharing.processes)}
    least, remainder = divmod(len(wanted), len(counts))
    short = sum(max(least - count, 0) for count in counts.values()) - len(free)
    given = 0
    for _ in range(short):
        giver = max(counts, key=lambda process: counts[process])
        counts[giver] -= 1
        given += giver == me
    others_short = any(count < least for process, count in counts.items() if process != me)
    fair = least if others_short or not remainder else least + 1
    return Moves(take=tuple(free[: max(fair - len(mine), 0)]), leave=tuple(mine[len(mine) - given :]))

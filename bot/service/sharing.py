"""How identical processes share out Discord's shards among themselves: nobody decides for the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.store.shards import Sharing

HOLD = 15.0
"""Seconds after which the shards of a process that died are free for others."""
LOOK = 3.0
"""Seconds between two looks at who is alive and who has what."""


@dataclass(frozen=True, slots=True)
class Moves:
    """What a process does to get its fair share."""

    take: tuple[int, ...] = ()
    leave: tuple[int, ...] = ()


def moves(sharing: Sharing, wanted: Sequence[int], fixed: bool) -> Moves:
    """What this process should take and leave, of the shards that it is there for.

    A fair share is the number of shards by that of processes, and one more for some. What has to be given up for
    somebody who has less, is by those who have most. `fixed`: the host has told each process its shards.
    """
    me, mine = sharing.process, [shard for shard in wanted if sharing.shards.get(shard) == sharing.process]
    free = [shard for shard in wanted if shard not in sharing.shards]
    if fixed:
        return Moves(take=tuple(free))
    counted = Counter(sharing.shards.values())
    held = {process: counted[process] for process in sorted(sharing.processes)}
    least, rest = divmod(len(wanted), len(held))
    short = sum(max(least - count, 0) for count in held.values()) - len(free)
    given = 0
    for _ in range(short):
        giver = max(held, key=lambda process: held[process])
        held[giver] -= 1
        given += giver == me
    others_short = any(count < least for process, count in held.items() if process != me)
    fair = least if others_short or not rest else least + 1
    return Moves(take=tuple(free[: max(fair - len(mine), 0)]), leave=tuple(mine[len(mine) - given :]))

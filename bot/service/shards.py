"""Which games this process owns: those of the servers on its shards of Discord's gateway. And how identical processes
share the shards among themselves: none decides for the others.

Discord sends what people do on a server to one process. That process shows the server's games and does what is due in
them. Any other process can still carry out an action, such as a click in a direct message, and notifies the owner. If
the store isn't shared, this process owns all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from bot.store import Shards, Store
from bot.store.base import Sharing

# --- ownership

CHANGED = "changed"
"""Prefix of the notification to the process that owns a game."""


def shard_of(guild: int | None, of: int) -> int:
    """The shard that serves a server, out of `of` shards; None: direct messages."""
    return ((guild or 0) >> 22) % of


class Ownership:
    """This process's shards, as its connection to Discord reports them, and which games it owns because of them."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self.shared = store.shared
        """Whether other processes can exist."""
        self._store, self._now = store, now
        self._of, self._shards, self._until = 1, frozenset[int](), 0.0
        self._began, self._since = now(), dict[int, float]()
        self._gained: list[Callable[[], None]] = []

    def has(self, of: int, shards: Collection[int], until: float) -> None:
        """Set the shards that this process has, out of `of`, at least until a time."""
        gained = self.shared and not self._shards.issuperset(shards)
        self._since = {shard: self._since.get(shard, self._now()) for shard in shards}
        self._of, self._shards, self._until = of, frozenset(shards), until
        if gained:
            for tell in self._gained:
                tell()

    def when_gained(self, tell: Callable[[], None]) -> None:
        """Call `tell` when this process gets shards that it didn't have before."""
        self._gained.append(tell)

    async def start(self, changed: Callable[[int], None]) -> None:
        """Call `changed` with the number of each game that this process owns and another process has changed."""

        def heard(words: str) -> None:
            kind, *rest = words.split(":")
            if kind == CHANGED:
                guild, number = map(int, rest[:2])
                if self.owns(guild):
                    changed(number)

        await self._store.listen(heard)

    async def tell(self, guild: int | None, number: int) -> None:
        """Notify the owner of a game that it has changed. If the notification is lost, the owner soon finds out
        anyway."""
        await self._store.tell(f"{CHANGED}:{guild or 0}:{number}")

    def owns(self, guild: int | None) -> bool:
        """Whether this process owns the games of a server; None: those in direct messages."""
        return not self.shared or (self._now() < self._until and shard_of(guild, self._of) in self._shards)

    def held_for(self, guild: int | None) -> float:
        """Seconds for which Discord has sent to no other process what people do on a server; None: in direct
        messages."""
        since = self._since.get(shard_of(guild, self._of)) if self.shared else self._began
        return 0.0 if since is None else self._now() - since

    @property
    def shards(self) -> Shards | None:
        """The shards whose games this process owns, for questions to the store; None: all games."""
        if not self.shared:
            return None
        return Shards(self._of, tuple(sorted(self._shards)) if self._now() < self._until else ())


# --- sharing

SHARDS_HELD_FOR = 15.0
"""Seconds after which the shards of a dead process are free for others."""
LOOK_AT_SHARDS = 3.0
"""Seconds between two looks at which processes are alive and which shards they have."""


@dataclass(frozen=True, slots=True)
class ShardMoves:
    """What a process does to get its fair share."""

    take: tuple[int, ...] = ()
    leave: tuple[int, ...] = ()


def shard_moves(sharing: Sharing, wanted: Sequence[int], fixed: bool) -> ShardMoves:
    """The shards that this process should take and leave, of those in `wanted`.

    A fair share is the number of shards divided by that of processes, and one more for some. If a process has less,
    the processes with the most give shards up. `fixed`: the host has assigned shards to each process.
    """
    me, mine = sharing.process, [shard for shard in wanted if sharing.shards.get(shard) == sharing.process]
    free = [shard for shard in wanted if shard not in sharing.shards]
    if fixed:
        return ShardMoves(take=tuple(free))
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
    return ShardMoves(take=tuple(free[: max(fair - len(mine), 0)]), leave=tuple(mine[len(mine) - given :]))

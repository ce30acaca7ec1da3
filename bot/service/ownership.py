"""Which games this process looks after: those of the servers on its shards of Discord's gateway.

Discord sends what people do on a server to one process, and that one shows the server's games and does what is due in
them. Any other may carry out an action all the same, as a click in a direct message, and tells the one that has it.
Where the store isn't shared all games are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from bot.store import Shards, Store

CHANGED = "changed"
"""Begins the word to the process that looks after a game."""


def shard_of(guild: int | None, of: int) -> int:
    """The shard of so many that serves a server; None: direct messages."""
    return ((guild or 0) >> 22) % of


class Ownership:
    """What the connection to Discord says of this process's shards, for whoever asks whose a game is."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self.shared = store.shared
        """Whether there may be other processes."""
        self._store, self._now = store, now
        self._of, self._shards, self._until = 1, frozenset[int](), 0.0
        self._gained: list[Callable[[], None]] = []

    def has(self, of: int, shards: Collection[int], until: float) -> None:
        """This process has these shards of so many, until then at least."""
        gained = self.shared and not self._shards.issuperset(shards)
        self._of, self._shards, self._until = of, frozenset(shards), until
        if gained:
            for tell in self._gained:
                tell()

    def when_gained(self, tell: Callable[[], None]) -> None:
        """Have somebody told when this process has shards that it didn't have before."""
        self._gained.append(tell)

    async def start(self, changed: Callable[[int], None]) -> None:
        """`changed` is called with the number of a game that is ours to look after and another process has changed."""

        def heard(words: str) -> None:
            kind, *rest = words.split(":")
            if kind == CHANGED:
                guild, number = map(int, rest[:2])
                if self.owns(guild):
                    changed(number)

        await self._store.listen(heard)

    async def tell(self, guild: int | None, number: int) -> None:
        """Let whoever looks after a game know that it has changed; where the word gets lost, they find it soon."""
        await self._store.tell(f"{CHANGED}:{guild or 0}:{number}")

    def owns(self, guild: int | None) -> bool:
        """Whether this process looks after the games of a server, None: of direct messages."""
        return not self.shared or (self._now() < self._until and shard_of(guild, self._of) in self._shards)

    @property
    def shards(self) -> Shards | None:
        """All that it looks after, for questions to the store; None: everything."""
        if not self.shared:
            return None
        return Shards(self._of, tuple(sorted(self._shards)) if self._now() < self._until else ())

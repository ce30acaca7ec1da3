"""Which process connects which shard of Discord's gateway, as the store keeps it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.config import FORMAT


@dataclass(frozen=True, slots=True)
class Session:
    """A session with Discord's gateway, which another process may go on with."""

    id: str
    sequence: int
    """Number of the latest event that has arrived."""
    gateway: str
    """Its address."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """How the processes share out the shards at a moment."""

    process: str
    """This one."""
    processes: frozenset[str]
    """Those that are alive."""
    shards: Mapping[int, str]
    """The shards that one of them connects."""
    of: int
    """How many shards they count together; 0 where none is connected."""


class ShardStore(Protocol):
    """Which process connects which shard of Discord's gateway. Raises `Unavailable`."""

    async def share(
        self, now: float, until: float, sessions: Mapping[int, Session | None], heard: Collection[int] = ()
    ) -> Sharing:
        """Say that this process is alive, and goes on with these shards, until then; None: the session isn't known.
        `heard`: those whose connections bring people's clicks now (`ReachStore.heard`).

        Whoever has let its time run out has lost nothing as long as nobody else took it.
        """

    async def format(self, now: float) -> int:
        """The newest format of the rules that all living processes play, so that any can go on with what begins now."""
        return FORMAT

    async def take_shard(self, shard: int, of: int, now: float, until: float) -> bool:
        """Take a shard that nobody has, until then; whether this process has it."""

    async def session(self, shard: int) -> Session | None:
        """The session that the one before has left there."""

    async def leave_shards(self, sessions: Mapping[int, Session | None]) -> None:
        """Let others take shards and go on with the sessions."""

    async def leave(self) -> None:
        """This process is no more; so are its shards."""

    async def turn(self, bucket: int, now: float, apart: float) -> float:
        """When this process may begin a new session: so many seconds after the one before in that bucket."""

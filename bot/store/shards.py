"""What the store keeps about which process connects which shard of Discord's gateway."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.config import FORMAT


@dataclass(frozen=True, slots=True)
class Session:
    """A session with Discord's gateway, which another process can resume."""

    id: str
    sequence: int
    """Number of the latest event that has arrived."""
    gateway: str
    """The gateway's address."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """How the processes share the shards at one moment."""

    process: str
    """This process."""
    processes: frozenset[str]
    """The processes that are alive."""
    shards: Mapping[int, str]
    """The process that connects each shard; shards that none connects are missing."""
    of: int
    """How many shards the processes count in all; 0: none is connected."""


class ShardStore(Protocol):
    """Which process connects which shard of Discord's gateway. Raises `Unavailable`."""

    async def share(
        self, now: float, until: float, sessions: Mapping[int, Session | None], heard: Collection[int] = ()
    ) -> Sharing:
        """Announce that this process is alive, and keeps the shards in `sessions`, until `until`; None: the shard's
        session isn't known. `heard`: shards whose connections bring people's clicks now (`ReachStore.heard`).

        A process whose time has run out still has its shards as long as no other took them.
        """

    async def format(self, now: float) -> int:
        """The newest format of the rules that all living processes play, so that any can go on with games that begin
        now."""
        return FORMAT

    async def take_shard(self, shard: int, of: int, now: float, until: float) -> bool:
        """Take a shard that no process has, until `until`; return whether this process has it."""

    async def session(self, shard: int) -> Session | None:
        """The session that the previous process left for a shard."""

    async def leave_shards(self, sessions: Mapping[int, Session | None]) -> None:
        """Give up shards, so that others can take them and resume their sessions."""

    async def leave(self) -> None:
        """Remove this process, and give up its shards."""

    async def reserve_turn(self, bucket: int, now: float, apart: float) -> float:
        """When this process can begin a new session: now, but at least `apart` seconds after the previous one in that
        bucket."""

    async def turn_before(self, latest: float, bucket: int, now: float, apart: float) -> float | None:
        """The same, but reserve no turn that would come after `latest`: None."""

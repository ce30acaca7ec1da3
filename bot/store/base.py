"""What goes into a store and comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple

from bot.projections import Name
from bot.results import Result
from bot.table.table import Table


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a table."""

    table: Table
    """The table after the change, but with `changes` as it was before."""
    interaction: str | None
    """Id of the interaction that made the change."""
    due: Sequence[Name]
    """Names of the projections that must show `table.version` now."""
    _: KW_ONLY
    since: int
    """The table's version that the change was made from."""
    at: float
    """Time of the change, in seconds since the epoch."""
    members: bool = False
    """Whether the members changed."""
    records: Sequence[tuple[int, int, Any]] = ()
    """(number, actor, JSON data) of new records, the interaction's own first."""
    jobs: Mapping[str, float | None] = field(default_factory=dict)
    """When each job is due, by the job's name; None: drop the job."""
    result: Result | None = None
    """The game's result for ratings, if the change ends a game that counts."""
    user: int = 0
    """Who has made the change themselves; 0: no one, but the clock, a bot or an autopilot."""
    act: str = ""
    """What they have done: the kind of the act. Empty: no line is added to the table's audit."""


class Line(NamedTuple):
    """A line of a table's audit, which says who did what and when. A table doesn't follow from its audit."""

    game: int
    at: float
    user: int
    """`user` and `kind` as `user` and `act` in `Change`."""
    kind: str
    record: int | None
    """Number of the first record that it made in the game."""
    records: int
    """How many records it made."""

    @property
    def made(self) -> range:
        """Numbers of the records that it made."""
        first = self.record or 0
        return range(first, first + self.records)


class Progress(NamedTuple):
    """How far a table has come, all read at one moment."""

    version: int
    changes: int
    """As in `Table`."""
    records: int
    """Number of records of its game."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of the shards among which Discord's gateway divides servers."""

    count: int
    """How many shards there are in all."""
    ids: tuple[int, ...]


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


@dataclass(frozen=True, slots=True)
class GameLocation:
    """The place of a game that is open, or has something still to show."""

    number: int
    guild: int
    channel: int
    version: int
    unseen: bool
    """Whether something is known to keep the game from being shown (`projections.is_unseen`)."""

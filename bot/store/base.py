"""What goes into the store and comes out of it: changes of tables, jobs (things to do with a game at a certain time),
which process has which shards, and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple

from bot.projections import Name
from bot.ratings import GameResult
from bot.settings import SettingsError
from bot.table.promptness import Decided
from bot.table.subscriptions import Subscriber
from bot.table.table import Table
from engine.errors import RefereeError

Tell = Callable[[str, int, int], None]
"""Called with the progress of what can take long: what is counted, how many are done, and of how many."""


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
    result: GameResult | None = None
    """The game's result for ratings, if the change ends a game that counts."""
    decided: Sequence[Decided] = ()
    """The decisions of people that end with the change, in a game of a server."""
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
    open: bool
    unseen: bool
    """Whether something is known to keep the game from being shown (`projections.is_unseen`)."""


CLOCK_WAS_SET = 3.0
"""Seconds by which the machine's clock must have moved against the steady one, or the stored times, to count as set."""

# --- jobs

LOOK_JOB = "waiting"
"""Name of the job that looks after a game: it ends what has no time left, and reminds the players for whom the game
waits."""
CALL_JOB = "call"
"""Name of the job that shows a game in which someone can be called whose call was put off; a colon and the lane
follow."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do with a game at a certain time."""

    game: int
    name: str
    """What to do. A game has at most one job of each name."""
    at: float
    """Seconds since the epoch."""
    times: int = 0
    """How often it was set again, as the store counts it."""


# --- subscriptions


@dataclass(frozen=True, slots=True)
class Telling:
    """That a subscriber is told of a table."""

    to: Subscriber
    """As they were when it was decided."""
    through: int
    """The number of the last table that they are told of."""
    due: Name
    """The projection by which they are told."""
    note: Name | None = None
    """What must be known besides."""


# --- errors


class NothingYet(SettingsError):
    """There is no store at the address yet: the first start makes it."""


class Conflict(Exception):
    """What a change was made from has changed meanwhile, or the same change is already stored. Nothing was stored."""


class Unavailable(Exception):
    """The store can't do it right now: it is locked, full or out of reach. A change was perhaps stored nevertheless."""


class MustEnd(Unavailable):
    """This process can't go on alongside others that share the store. It must hand on what it has and end, so that its
    supervisor starts it again. The text says why."""


class Damaged(RefereeError):
    """A game can't go on because its stored record can't be read; code "damaged". The host has been told why."""

    def __init__(self, number: int | None) -> None:
        if number is None:
            super().__init__("damaged/file")
        else:
            super().__init__("damaged", number=number)


class Newer(Damaged):
    """A game can't go on here because a newer version of the program wrote something that this one doesn't know; code
    "newer". Nothing is damaged. The host has been told."""

    def __init__(self, number: int) -> None:
        RefereeError.__init__(self, "newer", number=number)

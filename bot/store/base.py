"""What the service asks of a store, whichever database keeps it, and the errors that any store may raise."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple, Protocol

from bot.jobs import Job
from bot.projections import Backlog, Projection, Shown
from bot.results import Result
from bot.store.errors import Damaged, MustEnd, Newer
from bot.store.reach import ReachStore
from bot.store.servers import ServerStore
from bot.store.shards import ShardStore
from bot.table.log import Entry
from bot.table.preferences import UserSettings
from bot.table.table import RUNNING, Table
from bot.table.time import Interval


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a table."""

    table: Table
    """After it, with `changes` as it was before."""
    interaction: str | None
    """Id of the interaction that made it."""
    due: Sequence[str]
    """Names of the projections that must show `table.version` now."""
    _: KW_ONLY
    since: int
    """The version that it was made from."""
    at: float
    """Its time, in seconds since the epoch."""
    members: bool = False
    """Whether the members changed."""
    records: Sequence[tuple[int, int, Any]] = ()
    """(number, actor, JSON data) of new records, the interaction's own first."""
    jobs: Mapping[str, float | None] = field(default_factory=dict)
    """When to do what, by the job's name; None: no longer."""
    result: Result | None = None
    """What came of the game, where it ends with it and counts."""
    acts: Sequence[Entry] = ()
    """What the table's log is told of it; one that begins with a snapshot replaces what was told before."""


class Progress(NamedTuple):
    """How far a table has got, all at one moment."""

    version: int
    changes: int
    """As in `Table`."""
    records: int
    """How many its game has."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some shards of Discord's gateway, by which servers are divided."""

    of: int
    """How many there are."""
    some: tuple[int, ...]


class ProjectionStore(Protocol):
    """Which version of its game each visible thing must show, which one it shows, and in which message.

    Each method is one transaction, and doing it twice is doing it once. What is noted outlives the process, but a
    power cut may take the latest of it: then something is shown once more, which is harmless. Raises `Damaged`,
    `Unavailable`.
    """

    async def note(self, number: int, shown: Iterable[Shown] = (), gone: Iterable[str] = ()) -> None:
        """Note what is shown of a game, and forget what is gone: its message was deleted, or nothing is left to do
        about it. What is both was shown since.

        Unknown names are fine: a ping, an old panel. A later version that was noted stays, and where it is.
        """

    async def shown(
        self, number: int, what: str, version: int, channel: int | None = None, message: int | None = None
    ) -> None:
        """Note that one thing shows a version."""
        await self.note(number, [Shown(what, version, channel, message)])

    async def gone(self, number: int, what: str) -> None:
        """Forget one."""
        await self.note(number, gone=[what])

    async def visible(self, number: int) -> dict[str, Projection]:
        """All that is, or must be, visible of a game, by name."""

    async def pending(self, shards: Shards | None = None) -> list[int]:
        """Numbers of this namespace's tables of which something is not yet shown, in rising order; of the servers on
        some shards alone, where they are named."""


class JobStore(Protocol):
    """What has to be done at a time.

    Jobs are set and dropped by `Change.jobs` too. Raises `Unavailable`.
    """

    async def set_job(self, job: Job) -> None:
        """Set a job, or another time for it."""

    async def due_jobs(self, now: float, most: int, shards: Shards | None = None) -> list[Job]:
        """Some jobs of this namespace whose time has come, those that are due longest first; `shards` as in
        `pending`."""

    async def drop_job(self, job: Job) -> None:
        """A job is done; one that has been set anew meanwhile, perhaps for the same time, stays."""

    async def has_job(self, job: Job) -> bool:
        """Whether a job is still to be done, and hasn't been set anew."""

    async def next_job(self, after: float, shards: Shards | None = None) -> float | None:
        """When the next job after a time is to be done; None: no such job is known."""


class ResultStore(Protocol):
    """What came of games, for ratings. Raises `Unavailable`."""

    async def results(self, guild: int | None = None) -> list[Result]:
        """What came of the games of a server in this namespace, or of all of them, in the order of their ends."""

    async def set_result(self, number: int, result: Result | None) -> None:
        """Store what came of a game of this namespace that is over, in place of what was stored; None: nothing."""


class PeopleStore(Protocol):
    """What people have chosen. Raises `Unavailable`."""

    async def settings(self, user: int) -> UserSettings:
        """Somebody's settings in this namespace, or the defaults."""

    async def settings_of(self, users: Collection[int]) -> dict[int, UserSettings]:
        """The settings of those of several people who have chosen any."""

    async def change_settings(self, user: int, change: Callable[[UserSettings], UserSettings]) -> UserSettings:
        """Store what `change` makes of somebody's settings, which nobody else changes meanwhile; the new ones."""

    async def concerning(self, user: int) -> list[int]:
        """Tables of this namespace that know somebody, whatever for, in rising order."""

    async def logged_of(self, user: int) -> list[int]:
        """Tables of this namespace whose logs tell of somebody, perhaps, in rising order."""

    async def forget(self, user: int) -> None:
        """Forget somebody's settings in this namespace, their orders, and what was shown to them alone."""


class Store(ProjectionStore, ShardStore, ReachStore, JobStore, ResultStore, PeopleStore, ServerStore, Protocol):
    """All that is kept of tables, games and people. Several processes may work on the same one at a time.

    A namespace is the world that ids of users, channels and interactions belong to: "discord" on Discord; at the
    offline table a name for each simulated world, because its ids start anew. Table numbers are unique in all of them.

    Each method is one transaction: all of it happens or nothing, and nobody sees half of it. One that changes something
    goes on to its end when its caller is cancelled, and unless it says less it returns when not even a power cut takes
    the change away. What one method has made, or returned, each later one sees, in other processes too.

    All methods raise `Unavailable`, and `Damaged` where what is kept can't be read. Times are seconds since the epoch.
    """

    shared: bool
    """Whether other processes are expected to change things as well: then nothing in memory is more than a guess."""

    async def close(self) -> None:
        """Finish what is under way, then let go of everything; no other method may be called afterwards."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        """From now on hear what other processes `tell` in this namespace; where they don't share the store, nothing."""

    async def tell(self, words: str) -> None:
        """Say something to the other processes. Words can get lost: nothing may depend on them."""

    def damaged(self, number: int, reason: str) -> Damaged:
        """Tell the host, once an hour, why a game can't be read; the error to be raised."""

    def newer(self, number: int) -> Newer:
        """Tell the host, once an hour, that a newer version wrote a game; the error to be raised."""

    # --- tables

    async def add_table(self, table: Table, seed: bytes, interaction: str, due: Sequence[str]) -> Table:
        """Store a new table with the game's secret seed; the table with its number and its commitment to the seed. With
        that its log begins.

        Numbers rise, but some may be left out. `interaction` and `due` are as in `Change`. Raises `Conflict` when the
        channel has an open table, or the interaction has been carried out.
        """

    async def save(self, change: Change) -> None:
        """Store a change of a table.

        Raises `Conflict` when the table has changed since, when the interaction or a
        record is there already, and when an open table would be the channel's second.
        """

    async def table(self, number: int) -> Table | None:
        """A table of this namespace."""

    async def any_table(self, number: int) -> Table | None:
        """A table of any namespace: to be read, not to be played at."""

    async def numbers(self) -> list[int]:
        """Numbers of all tables of all namespaces, in rising order."""

    async def open_table(self, channel: int) -> Table | None:
        """The lobby or running game of a channel; there is never more than one."""

    async def latest_table(self, channel: int) -> Table | None:
        """The latest table of a channel."""

    async def tables_in(self, channel: int, statuses: Sequence[str], most: int) -> list[int]:
        """The latest tables of a channel that have one of these statuses, the newest first."""

    async def played_by(self, user: int, status: str = RUNNING) -> list[int]:
        """Games of this namespace with a status in which a user plays, in rising order."""

    async def untouched(self, before: Mapping[str, float]) -> list[int]:
        """Open tables of this namespace that have not changed since a time that goes by their status."""

    # --- games

    async def seed(self, number: int) -> bytes:
        """A game's secret."""

    async def records(self, number: int, since: int = 0) -> list[Any]:
        """JSON data of a game's records but the first `since`, in order and without a gap."""

    async def acts(self, number: int) -> list[Entry]:
        """A table's log, in order."""

    async def progress(self, number: int) -> Progress:
        """How far a table has got."""

    async def interaction(self, id: str) -> tuple[int, int | None] | None:
        """(game, number of the record it made or None) of an interaction that has been carried out.

        An interaction is known for at least an hour; Discord itself repeats one for 15 minutes.
        """

    # --- time

    async def ahead(self) -> float:
        """Seconds by which this machine's clock is certainly ahead of the store's; less than 0: behind."""
        return 0.0

    def time(self) -> float:
        """Seconds since the epoch by the clock that all who share the store go by; to be called after `check`."""
        return time.time()

    async def check(self) -> None:
        """Look whether this process can go on beside others: raises `MustEnd` if its clock is off, or a newer version
        has changed the schema. To be called at the start, and then every few seconds."""
        return None

    def end_by(self, end: Callable[[MustEnd], None]) -> None:
        """Have somebody told as soon as this process must end, whoever finds it out."""
        return None

    async def wake(self, now: float, least: float = 0.0) -> float:
        """Note for how long this namespace wasn't seen, and return that: in `Table.downtime` it is a time that doesn't
        count.

        Each game in which people's time runs is to be looked at now. Seen it was at each stored change of a table, and
        when it said so: by `alive`, or by this. `least`: processes say so all the time, and a change may be made before
        one looks; less than so many seconds count as none.
        """

    async def move(self, seconds: float, now: float) -> None:
        """The clock was set by so many seconds, perhaps back: all jobs move with it, and a time that was left out
        doesn't count, as after `wake`. `now`: as it shows by now."""

    async def downtime(self) -> tuple[Interval, ...]:
        """`Table.downtime` of this namespace's tables."""

    async def alive(self, now: float) -> None:
        """Note that the namespace was seen; as durable as a mark."""

    # --- commands

    async def commands(self) -> str:
        """The commands that Discord was told of last, as `save_commands` got them; empty: none."""

    async def save_commands(self, commands: str) -> None:
        """Note which commands Discord has been told of; as durable as a mark."""

    # --- figures

    async def backlog(self, now: float) -> Backlog:
        """How much is due and running in this namespace. Asked every few seconds, so it must be cheap."""

"""What the service requires of a store, whichever database keeps it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple, Protocol

from bot.jobs import Job
from bot.projections import Backlog, Name, Projection
from bot.results import Result
from bot.store.errors import Damaged, MustEnd, Newer
from bot.store.reach import ReachStore
from bot.store.servers import ServerStore
from bot.store.shards import ShardStore
from bot.table.preferences import UserSettings
from bot.table.table import RUNNING, Table
from bot.table.time import Interval


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


class ProjectionStore(Protocol):
    """Which version of its game each visible thing must show, which one it shows, and in which message.

    Each method is one transaction, and repeating it changes nothing. What is noted outlives the process, but a power
    cut can take the latest notes: then something is shown again, which is harmless. Raises `Damaged`, `Unavailable`.
    """

    async def note(self, number: int, shown: Iterable[Projection] = (), gone: Iterable[Name] = ()) -> None:
        """Note what is shown of a game, and forget the projections in `gone`: their message was deleted, or nothing is
        left to do about them. A projection in both is forgotten first, then noted as shown.

        What a projection must show (`due`) stays as it is, and so does its place if it has none now. If a later version
        was noted, that stays.
        """

    async def visible(self, number: int) -> dict[Name, Projection]:
        """All that is, or must be, visible of a game: its projections by name."""

    async def pending(self, shards: Shards | None = None) -> list[int]:
        """Numbers of this namespace's tables that have something still to show, in ascending order, without those of
        which nothing can be shown until Discord says so (`projections.is_barred`). With `shards`, only tables of
        servers on those shards."""


class JobStore(Protocol):
    """Jobs: what must be done with a game, and when.

    `Change.jobs` sets and drops jobs, too. Raises `Unavailable`.
    """

    async def set_job(self, job: Job) -> None:
        """Set a job, or give it another time."""

    async def due_jobs(self, now: float, most: int, shards: Shards | None = None) -> list[Job]:
        """At most `most` jobs of this namespace that are due, the longest overdue first; `shards` as in `pending`."""

    async def drop_job(self, job: Job) -> None:
        """Drop a job that is done. If it was set again meanwhile, even for the same time, it stays."""

    async def has_job(self, job: Job) -> bool:
        """Whether a job must still be done and hasn't been set again."""

    async def next_job(self, after: float, shards: Shards | None = None) -> float | None:
        """When the first job after a time is due; None: there is none."""


class ResultStore(Protocol):
    """Results of games, for ratings. Raises `Unavailable`."""

    async def results(self, guild: int | None = None) -> list[Result]:
        """Results of a server's games in this namespace (None: of all servers), in the order of their ends."""

    async def set_result(self, number: int, result: Result | None) -> None:
        """Replace the stored result of a game of this namespace that is over; None: remove it."""


class PeopleStore(Protocol):
    """People's settings, and the tables that know of people. Raises `Unavailable`."""

    async def settings(self, user: int) -> UserSettings:
        """A user's settings in this namespace, or the defaults."""

    async def settings_of(self, users: Collection[int]) -> dict[int, UserSettings]:
        """Settings of those users who have chosen any, by user."""

    async def change_settings(self, user: int, change: Callable[[UserSettings], UserSettings]) -> UserSettings:
        """Replace a user's settings by what `change` makes of them; no one else changes them meanwhile. Returns the new
        settings."""

    async def concerning(self, user: int) -> list[int]:
        """Numbers of tables of this namespace that know of a user, for whatever reason, in ascending order."""

    async def acts_of(self, user: int) -> list[Line]:
        """What the audits of this namespace's tables say of a user, table by table, in order."""

    async def forget(self, user: int) -> None:
        """Forget a user's settings in this namespace, what audits say of them, autopilots that version 0.2.0 stored if
        they are the user's or name them, and the projections of what was shown to the user alone."""


class Store(ProjectionStore, ShardStore, ReachStore, JobStore, ResultStore, PeopleStore, ServerStore, Protocol):
    """All that is kept of tables, games and people. Several processes can work on the same store at the same time.

    A namespace is the world that ids of users, channels and interactions belong to: "discord" on Discord; at the
    offline table a name for each simulated world, because its ids start over. Table numbers are unique across
    namespaces.

    Each method is one transaction: it happens as a whole or not at all, and no one sees half of it. A method that
    changes something finishes even if its caller is canceled. Unless it promises less, it returns once not even a power
    cut can undo the change. What one method has stored or returned, every later one sees, in other processes, too.

    All methods raise `Unavailable`, and `Damaged` if stored data can't be read. Times are seconds since the epoch.
    """

    shared: bool
    """Whether other processes are expected to change the store, too. Then what is in memory is only a guess."""

    async def close(self) -> None:
        """Finish what is under way, then release everything. No other method can be called afterwards."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        """From now on, call `heard` with what other processes `tell` in this namespace; never if the store
        isn't shared."""

    async def tell(self, words: str) -> None:
        """Send words to the other processes. Words can get lost, so nothing must depend on them."""

    def damaged(self, number: int, reason: str) -> Damaged:
        """Tell the host, once an hour, why a game can't be read. Returns the error to raise."""

    def newer(self, number: int) -> Newer:
        """Tell the host, once an hour, that a newer version wrote a game. Returns the error to raise."""

    # --- tables

    async def add_table(self, table: Table, seed: bytes, interaction: str, due: Sequence[Name]) -> Table:
        """Store a new table with the game's secret seed. Returns the table with its number and its commitment to the
        seed.

        Numbers rise, but some can be skipped. `interaction` and `due` are as in `Change`. Raises `Conflict` if the
        channel has an open table, or if the interaction was carried out before.
        """

    async def save(self, change: Change) -> None:
        """Store a change of a table.

        Raises `Conflict` if the table has changed since, if the interaction or a record is already stored, or if an
        open table would be the channel's second.
        """

    async def table(self, number: int) -> Table | None:
        """A table of this namespace."""

    async def any_table(self, number: int) -> Table | None:
        """A table of any namespace, to be read but not played at."""

    async def numbers(self) -> list[int]:
        """Numbers of all tables of all namespaces, in ascending order."""

    async def open_table(self, channel: int) -> Table | None:
        """The lobby or running game of a channel; there is never more than one."""

    async def latest_table(self, channel: int) -> Table | None:
        """The latest table of a channel."""

    async def tables_in(self, channel: int, statuses: Sequence[str], most: int) -> list[int]:
        """Numbers of a channel's latest tables with one of these statuses, newest first; at most `most`."""

    async def played_by(self, user: int, status: str = RUNNING) -> list[int]:
        """Numbers of games of this namespace with this status in which a user plays, in ascending order."""

    async def untouched(self, before: Mapping[str, float]) -> list[int]:
        """Numbers of open tables of this namespace that haven't changed since the time given for their status."""

    # --- games

    async def seed(self, number: int) -> bytes:
        """A game's secret seed."""

    async def records(self, number: int, since: int = 0) -> list[Any]:
        """JSON data of a game's records except the first `since`, in order and without a gap."""

    async def acts(self, number: int) -> list[Line]:
        """Lines of a table's audit, in order; none an hour after the end of its game."""

    async def progress(self, number: int) -> Progress:
        """How far a table has come."""

    async def interaction(self, id: str) -> tuple[int, int | None] | None:
        """(game, number of the record it made or None) of an interaction that was carried out.

        Interactions are remembered for at least an hour; Discord itself repeats one for 15 minutes.
        """

    # --- time

    async def ahead(self) -> float:
        """Seconds by which this machine's clock is certainly ahead of the store's; negative: behind."""
        return 0.0

    def time(self) -> float:
        """Seconds since the epoch by the clock of all processes that share the store. Call `check` first."""
        return time.time()

    async def check(self) -> None:
        """Check whether this process can go on alongside others: raises `MustEnd` if its clock is off, or if a newer
        version has changed the schema. Call it at the start, and then every few seconds."""
        return None

    def on_must_end(self, end: Callable[[MustEnd], None]) -> None:
        """Have `end` called as soon as any method finds that this process must end."""
        return None

    async def note_downtime(self, now: float, least: float = 0.0) -> float:
        """Note for how many seconds no process served this namespace, and return them. In `Table.downtime` they are an
        interval that doesn't count, and the games in which people's time runs are due to be looked at now.

        The namespace was last served when `alive` or this was last called, or when an open table last changed, if that
        was later. `least`, for processes that call `alive` all the time: fewer seconds count as none. Changes of tables
        then don't count as signs of life, because one can be stored before this is called.
        """

    async def move(self, seconds: float, now: float) -> None:
        """Move all jobs by `seconds` (negative: back), as the clock was set by so many. Time that the clock skipped
        doesn't count, as after `note_downtime`. `now` is what the clock shows after that."""

    async def downtime(self) -> tuple[Interval, ...]:
        """`Table.downtime` of this namespace's tables."""

    async def alive(self, now: float) -> None:
        """Note a sign of life of this namespace; as durable as a mark."""

    # --- commands

    async def commands(self) -> str:
        """The commands that Discord was last told of, as given to `save_commands`; empty: none."""

    async def save_commands(self, commands: str) -> None:
        """Note which commands Discord was told of; as durable as a mark."""

    # --- figures

    async def backlog(self, now: float) -> Backlog:
        """How much is due and running in this namespace. It is called every few seconds, so it must be cheap."""

"""What the store in memory holds: plain values, which several stores may share."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.models import Table, Wait
from bot.orders import Orders
from bot.preferences import UserSettings
from bot.projections import Projection, is_barred
from bot.results import Result
from bot.servers import Overview, ServerSettings
from bot.store.shards import Session


@dataclass
class Kept:
    """One table with all that belongs to it."""

    namespace: str
    table: Table
    seed: bytes
    records: list[str] = field(default_factory=list)
    """JSON: nobody can change what is stored."""
    marks: dict[str, Projection] = field(default_factory=dict)
    jobs: dict[str, tuple[float, float]] = field(default_factory=dict)
    """When, and until when somebody holds it, by name."""
    orders: dict[int, Orders] = field(default_factory=dict)
    result: Result | None = None
    shown_by: object = None
    shown_until: float = 0.0
    rests_until: float = 0.0

    @property
    def pending(self) -> bool:
        return any(mark.pending for mark in self.marks.values())

    @property
    def due(self) -> bool:
        return self.pending and not is_barred(self.marks, self.table.version)


@dataclass
class KeptShard:
    """One shard, and who connects it."""

    process: str
    of: int
    until: float
    session: Session | None
    heard: float = 0.0


@dataclass
class Contents:
    """What several stores may share, as several processes share a file."""

    tables: dict[int, Kept] = field(default_factory=dict)
    interactions: dict[tuple[str, str], tuple[int, int | None]] = field(default_factory=dict)
    people: dict[tuple[str, int], UserSettings] = field(default_factory=dict)
    servers: dict[tuple[str, int], ServerSettings] = field(default_factory=dict)
    overviews: dict[tuple[str, int], Overview] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)
    unseen: dict[tuple[str, int | None], float] = field(default_factory=dict)
    """By namespace and game; None: all games."""
    stopped: dict[str, float] = field(default_factory=dict)
    """Until when no direct messages are opened, by namespace."""
    commands: dict[str, str] = field(default_factory=dict)
    processes: dict[str, dict[str, float]] = field(default_factory=dict)
    shards: dict[str, dict[int, KeptShard]] = field(default_factory=dict)
    turns: dict[tuple[str, int], float] = field(default_factory=dict)


def later(table: Table, seconds: float, begun: float) -> Table:
    """With all times moved by so much, of what had begun by then."""

    def moved(wait: Wait) -> Wait:
        if wait.since > begun:
            return wait
        until = None if wait.until is None else wait.until + seconds
        return replace(wait, since=wait.since + seconds, until=until, asked=wait.first_asked)

    limit = table.deadline
    if limit is not None and table.updated <= begun:
        limit = replace(limit, at=limit.at + seconds)
    return replace(table, waits=tuple(map(moved, table.waits)), deadline=limit)

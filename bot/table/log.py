"""A table's log: what was done at the table, with an entry for each change. The table follows from it.

The game's actions are in the game's own log and aren't repeated here. What the log says about people (votes, orders,
settings, lateness) is private: no entry is exported, and nothing public reveals an entry's number or time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.sparse import sparse
from bot.table.act import Act, By
from bot.table.acts.lobby import Start
from bot.table.acts.play import PERSON, Play
from bot.table.kinds import act_in, kinds
from bot.table.people import People, settings_that_matter
from bot.table.preferences import UserSettings
from bot.table.rules import Next, concerned, play
from bot.table.stops import relevant_downtime
from bot.table.table import LOBBY, Table
from bot.table.time import Interval
from engine.codec import decode
from engine.config import Config
from engine.errors import MalformedInput, RefereeError, ReplayError, UnknownInput
from engine.game import Game
from engine.record import Record, RecordedChance

FORMAT = 4
"""Version of what acts lead to. A change after which an entry leads elsewhere needs a new version; logs then begin
again."""


@dataclass(frozen=True, slots=True)
class Snapshot(Act):
    """A whole table, regardless of what was before. A log begins with it."""

    kind = "snapshot"
    table: Table


@dataclass(frozen=True, slots=True)
class Played(Act):
    """An action of the game (`Play`). The record has its content."""

    kind = "play"
    how: str = PERSON


@dataclass(frozen=True, slots=True)
class Entry:
    """What was done, by whom and when, and what the result depended on in addition to the table."""

    number: int
    """`Table.changes` before it."""
    records: int
    version: int
    """`records` and `version` as in `Table`, after it."""
    at: float
    user: int
    act: Act
    interaction: str = ""
    """Only in a lobby, where it is part of the chance."""
    people: tuple[UserSettings, ...] = ()
    """The part of people's settings that mattered."""
    downtime: tuple[Interval, ...] = ()
    """The part of the table's downtime that mattered."""

    def body(self) -> Any:
        """Its content apart from numbers, time, user and kind, as JSON data."""
        parts = {"do": self.act, "interaction": self.interaction, "people": self.people, "downtime": self.downtime}
        return {name: data for name, part in parts.items() if (data := sparse(part))}


def entry_in(number: int, records: int, version: int, at: float, user: int, kind: str, body: Any) -> Entry:
    """The entry with this body; raises `MalformedInput`, or `UnknownInput` for unknown acts and fields."""
    if not isinstance(body, dict) or not body.keys() <= {"do", "interaction", "people", "downtime"}:
        raise MalformedInput("no entry of a log")
    acts = kinds() | {one.kind: one for one in (Snapshot, Played)}
    if kind not in acts:
        raise UnknownInput(f"no act {kind!r}")
    act = act_in(acts[kind], body.get("do", {}))
    people = decode(tuple[UserSettings, ...], body.get("people", []))
    downtime = decode(tuple[Interval, ...], body.get("downtime", []))
    return Entry(number, records, version, at, user, act, body.get("interaction", ""), people, downtime)


def snapshot_entry(table: Table) -> Entry:
    """The first entry of a log that begins with the table in its present state."""
    whole = replace(table, downtime=(), changes=0, records=0, logged=False)
    return Entry(table.changes - 1, table.records, table.version, table.updated, 0, Snapshot(whole))


def log_entries(before: Table, result: Next, act: Act, by: By) -> list[Entry]:
    """The entries that a change adds to the log. The log begins again if it doesn't reach up to `before`, or if the act
    erases what was before."""
    table = result.table
    if act.erases:
        return [snapshot_entry(replace(table, changes=before.changes + 1))]
    entry = Entry(
        before.changes,
        table.records,
        table.version,
        by.at,
        by.user,
        Played(act.how) if isinstance(act, Play) else act,
        by.interaction if before.status == LOBBY else "",
        settings_that_matter(by.people, before, table, everything=act.needs_settings),
        relevant_downtime(before, by.at),
    )
    return [entry] if before.logged else [snapshot_entry(before), entry]


def fold(entries: Iterable[Entry], config: Config, records: Sequence[Record]) -> Table:
    """The table that a log leads to, given its game's configuration and records; raises `ReplayError`."""
    remaining = iter(entries)
    first = next(remaining, None)
    if first is None or not isinstance(first.act, Snapshot):
        raise ReplayError("a log begins with a snapshot")
    table = replace(first.act.table, changes=first.number + 1, records=first.records, logged=True)
    game = Game.replay(config, records[: first.records]) if first.records else None
    for entry in remaining:
        table, game = _followed(table, game, entry, config, records)
    return table


def _followed(
    table: Table, game: Game | None, entry: Entry, config: Config, records: Sequence[Record]
) -> tuple[Table, Game | None]:
    """The table after an entry, and its game."""
    if entry.number != table.changes:
        raise ReplayError(f"entry {table.changes} is missing")
    before, new = replace(table, downtime=entry.downtime), [*records[table.records : entry.records]]
    chance = RecordedChance(draw for record in new for draw in record.draws)
    act, old, played = entry.act, game if concerned(entry.act, before) else None, None
    if isinstance(act, Played):
        if not new or new[0].action is None:
            raise ReplayError(f"entry {entry.number} has no record")
        act = Play(new[0].action, how=act.how)
    if old is not None:
        played = old.copy()
        played.chance = chance
    elif isinstance(act, Start):
        played = Game.new(config, chance)
    people = People({settings.user: settings for settings in entry.people})
    try:
        result = play(before, old, played, act, By(entry.user, entry.at, people, entry.interaction))
    except RefereeError as refusal:
        raise ReplayError(f"entry {entry.number}, {act.kind}, is refused: {refusal.code}") from None
    game = result.game or game
    same = game is None or game.records[table.records :] == new
    if not same or (result.table.version, result.table.records) != (entry.version, entry.records):
        raise ReplayError(f"entry {entry.number}, {act.kind}, leads elsewhere")
    return replace(result.table, changes=table.changes + 1, logged=True), game

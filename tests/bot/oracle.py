"""An oracle: the acts that a test has done, done again one after the other, must lead to the table as it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.service import games
from bot.service.repository import GameRepository
from bot.store import Change, Store
from bot.table import rules
from bot.table.act import Act, By
from bot.table.rules import Next
from bot.table.table import Table, by_present_clock
from engine.config import Config
from engine.game import Game
from engine.record import Record, RecordedChance


@dataclass(frozen=True, slots=True)
class Deed:
    """An act that was done: at which table, by whom, and with how many records of its game before and after it."""

    before: Table
    act: Act
    by: By
    after: Table
    records: tuple[int, int] | None
    """None: the game didn't matter."""

    @classmethod
    def of(cls, before: Table, old: Game | None, act: Act, by: By, outcome: Next) -> Deed:
        """The deed of which something has come."""
        game = outcome.game
        records = None if game is None else (0 if old is None else old.revision, game.revision)
        return cls(before, act, by, outcome.table, records)


_DEEDS = dict[tuple[Any, int], dict[int, Deed]]()
"""What was stored in the current test: by database and table, then by `Table.changes` before it."""
_DONE = dict[int, Deed]()
"""What was done and is perhaps stored, by the identity of the table after it."""


def watch() -> None:
    """From now on, note the acts that any service in this process does."""
    save = GameRepository.save

    def play(before: Table, old: Game | None, game: Game | None, act: Act, by: By) -> Next:
        outcome = rules.play(before, old, game, act, by)
        _DONE[id(outcome.table)] = Deed.of(before, old, act, by, outcome)
        return outcome

    async def noted(self: GameRepository, change: Change, game: Game | None) -> Table:
        table = await save(self, change, game)
        deed = _DONE.pop(id(change.table))
        _DEEDS.setdefault(_key(self._store, table.number), {})[deed.before.changes] = deed
        return table

    games.play = play  # type: ignore[attr-defined]
    GameRepository.save = noted  # type: ignore[method-assign]


def forget() -> None:
    """Begin another test."""
    _DONE.clear()
    _DEEDS.clear()


def begin_again(store: Store, number: int) -> None:
    """Forget what was done at a table until now."""
    _DEEDS.pop(_key(store, number), None)


async def check_acts(store: Store, number: int) -> list[str]:
    """Check that what was done at a table leads to what is stored of it, from the last time on that something else has
    changed the table. Returns the kinds of the acts."""
    table, noted, deeds = await store.any_table(number), _DEEDS.get(_key(store, number), {}), list[Deed]()
    assert table is not None
    while (deed := noted.get(table.changes - len(deeds) - 1)) is not None:
        deeds.append(deed)
    if deeds:
        deeds.reverse()
        found = folded(deeds, table.config, [Record.from_json(data) for data in await store.records(number)])
        assert by_present_clock(replace(found, downtime=table.downtime)) == table
    return [deed.act.kind for deed in deeds]


async def check_all_acts(store: Store) -> None:
    """Check the same of all tables."""
    for number in await store.numbers():
        await check_acts(store, number)


def folded(deeds: Sequence[Deed], config: Config, records: Sequence[Record]) -> Table:
    """The table that results from deeds, with the draws of its game's records."""
    table, game = deeds[0].before, None
    for deed in deeds:
        table = by_present_clock(replace(table, downtime=deed.before.downtime))
        assert deed.before == table, f"before {deed.act.kind} the table isn't what it was"
        table, game = _again(table, game, deed, config, records)
        assert deed.after == table, f"{deed.act.kind} leads elsewhere"
    return table


def _again(
    table: Table, game: Game | None, deed: Deed, config: Config, records: Sequence[Record]
) -> tuple[Table, Game | None]:
    """The table after a deed, and its game."""
    before, old, played = table, None, None
    since, until = deed.records or (0, 0)
    new = [*records[since:until]]
    chance = RecordedChance(draw for record in new for draw in record.draws)
    if deed.records is not None and not since:
        played = Game.new(config, chance)
    elif deed.records is not None:
        old = game or Game.replay(config, records[:since])
        played = old.copy()
        played.chance = chance
    result = rules.play(before, old, played, deed.act, deed.by)
    if deed.records is not None:
        assert result.game is not None
        assert result.game.records[since:] == new, f"{deed.act.kind} plays something else"
    return result.table, result.game or game


def _key(store: Store, number: int) -> tuple[Any, int]:
    database: Any = getattr(store, "_database", store)
    return (database.damages._place if hasattr(database, "damages") else id(store)), number

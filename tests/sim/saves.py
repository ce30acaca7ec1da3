"""Tells of each change that a process has just stored, of people's settings too, and of what it notes as shown, at the
moment at which it learns that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from bot.projections import Name, Projection
from bot.service.repository import GameRepository
from bot.store import Change
from bot.store.base import Job
from bot.store.sql.due import ProjectionStore
from bot.store.sql.people import PeopleStore
from bot.table.preferences import UserSettings
from bot.table.table import Table
from engine.game import Game

Heard = Callable[[Change, Game | None], None]
"""Called with a change, and the game after it if it matters to it."""
Noted = Callable[[int, Iterable[Projection]], None]
"""Called with a game's number, and what is noted as shown."""
_added = list[Callable[[Table], None]]()
_heard, _noted, _noting = list[Heard](), list[Noted](), list[Callable[[], None]]()
_settings, _trying = list[Callable[[UserSettings], None]](), list[Callable[[UserSettings, UserSettings], None]]()
_watching = False


def begin_again() -> None:
    """Begin another world, in which no one listens yet."""
    global _watching
    _heard.clear()
    _noted.clear()
    _noting.clear()
    _added.clear()
    _settings.clear()
    _trying.clear()
    if not _watching:
        _watching = True
        _watch()


def listen(heard: Heard) -> None:
    """Have `heard` called with each change from now on."""
    _heard.append(heard)


def listen_to_tables(heard: Callable[[Table], None]) -> None:
    """Have `heard` called with each new table from now on."""
    _added.append(heard)


def listen_to_settings(heard: Callable[[UserSettings], None]) -> None:
    """Have `heard` called with all settings that someone has changed from now on."""
    _settings.append(heard)


def listen_to_trying(heard: Callable[[UserSettings, UserSettings], None]) -> None:
    """Have `heard` called with all settings that are going to be replaced, and by which."""
    _trying.append(heard)


def listen_to_notes(heard: Noted) -> None:
    """Have `heard` called with all that is noted as shown from now on."""
    _noted.append(heard)


def listen_to_noting(heard: Callable[[], None]) -> None:
    """Have `heard` called whenever something is going to be noted as shown."""
    _noting.append(heard)


def _watch() -> None:
    save, note, add = GameRepository.save, ProjectionStore.note, GameRepository.add
    choose = PeopleStore.change_settings

    async def saved(self: GameRepository, change: Change, game: Game | None) -> Table:
        table = await save(self, change, game)
        for heard in _heard:
            heard(change, game)
        return table

    async def added(self: GameRepository, *values: Any) -> Table:
        table = await add(self, *values)
        for heard in _added:
            heard(table)
        return table

    async def changed(
        self: PeopleStore, user: int, change: Callable[[UserSettings], UserSettings], jobs: Collection[Job] = ()
    ) -> UserSettings:
        def tried(before: UserSettings) -> UserSettings:
            after = change(before)
            for trying in _trying:
                trying(before, after)
            return after

        settings = await choose(self, user, tried, jobs)
        for heard in _settings:
            heard(settings)
        return settings

    async def noted(
        self: ProjectionStore, number: int, shown: Iterable[Projection] = (), gone: Iterable[Name] = ()
    ) -> None:
        shown = [*shown]
        for begins in _noting:
            begins()
        await note(self, number, shown, gone)
        for heard in _noted:
            heard(number, shown)

    GameRepository.save, GameRepository.add = saved, added  # type: ignore[method-assign, assignment]
    ProjectionStore.note, PeopleStore.change_settings = noted, changed  # type: ignore[method-assign]

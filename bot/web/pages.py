"""The pages that are served: made by a worker, once for all who ask, and kept for a while."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple, Self, TypeVar

from cachetools import LRUCache

from bot.export import Player
from bot.page import FOLLOWING, PROVING, Unfolding, page, policy
from bot.page.following import Course
from bot.service import Services
from bot.service.web import TooMany
from bot.store import Unavailable
from bot.table.table import OVER, Table
from bot.tasks import Locks, Once, Worker
from bot.words.language import Catalogue, code, speaking
from engine.config import Config
from engine.errors import RefereeError
from engine.record import Record

log = logging.getLogger(__name__)

T = TypeVar("T")

KEPT = 16
"""How many pages are kept: one has some 300 KB, and a quarter of that when it is packed. Likewise for courses."""
MOST_MADE = 8
"""How many pages can wait to be made. One takes a second or so, and they are made one after another."""
GAMES = 4
"""How many running games a worker goes on with: a long one has some 6 MB."""


@dataclass(frozen=True, slots=True)
class Made:
    """A page of a game, as it is sent."""

    data: bytes
    packed: bytes
    """The same, compressed with gzip."""
    digest: str
    policy: str

    @classmethod
    def of(cls, data: bytes, scripts: Sequence[str]) -> Self:
        """Pack a page with these scripts."""
        return cls(data, gzip.compress(data, mtime=0), sha256(data).hexdigest()[:32], policy(scripts))


class Stage(NamedTuple):
    """How far a game is, as far as its page is concerned."""

    version: int
    names: tuple[str, ...]
    """No version of the table counts these."""


class Pages:
    """The pages of the games that anyone can see now."""

    def __init__(self, services: Services, worker: Worker) -> None:
        self._services, self._worker = services, worker
        self._locks, self._once = Locks(), Once(KEPT)
        self._making, self._alone = 0, asyncio.Lock()

    async def of(self, number: int, afford: Callable[[float], bool]) -> Made | None:
        """A game's page, in the table's language; None: there is none. `afford`: whether who asks can have something
        asked or made, if that is necessary, which can cost several times what is usual.

        It depends on what all can notice: when it changes says nothing about secrets (section M). Raises `TooMany`,
        `Unavailable`, also if many others wait for theirs, and `BrokenExecutor`.
        """
        found = await self._found(
            number, lambda table: self._finished if table.status == OVER else self._running, afford
        )
        return found and found[1]

    async def course(
        self,
        number: int,
        afford: Callable[[float], bool] = lambda times: True,
        known: tuple[Stage, Course | None] | None = None,
    ) -> tuple[Stage, Course | None] | None:
        """How far a game is, and the course of its page, which is None if the game is over; None: there is none.
        `known`: for those who follow it, what they got last; it is returned if nothing has changed. The rest is as for
        its page."""
        async with self._locks(number):  # all who follow a game ask at once, and others also need the store
            return await self._found(
                number, lambda table: self._over if table.status == OVER else self._course, afford, known
            )

    async def _found(
        self,
        number: int,
        way: Callable[[Table], Callable[[Table], Coroutine[Any, Any, T]]],
        afford: Callable[[float], bool],
        known: tuple[Stage, T] | None = None,
    ) -> tuple[Stage, T] | None:
        """How far a table is, and what comes of it in a way, worked out once for all who ask."""
        if (table := await self._services.web.shown(number, followed=known is not None, afford=afford)) is None:
            return None
        stage = Stage(table.version, tuple(member.name for member in table.members))
        if known is not None and stage == known[0]:
            return known
        work = way(table)
        key = work.__name__, number, stage
        if key not in self._once and not afford(1.0):
            raise TooMany
        try:
            return stage, await self._once.of(key, partial(work, table))
        except RefereeError as error:  # damaged, or of a newer version
            log.info("The page of game %d can't be made: %s", number, error)
            return None

    async def _finished(self, table: Table) -> Made:
        async with self._in_turn():
            file = await self._services.games.export(table.number)
            with self._services.metrics.web_making.labels("finished").time():
                return await self._worker.run(_finished, file, table.language)

    async def _running(self, table: Table) -> Made:
        async with self._in_turn():
            return await self._unfolded("running", _running, table)

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        """Wait until no other page is being made, so that those who follow games never wait for long."""
        if self._making >= MOST_MADE:
            raise Unavailable("too many pages are to be made")
        self._making += 1
        try:
            async with self._alone:
                yield
        finally:
            self._making -= 1

    async def _course(self, table: Table) -> Course | None:
        return await self._unfolded("change", _course, table)

    async def _over(self, table: Table) -> Course | None:
        return None

    async def _unfolded(self, kind: str, work: Callable[[Log, Catalogue], T], table: Table) -> T:
        game = await self._services.repository.game(table.number)
        players = [Player(member.name, member.color) for member in table.members]
        with self._services.metrics.web_making.labels(kind).time():
            return await self._worker.run(
                work, Log(str(table.number), game.config, game.records, players), table.language
            )


# --- in the worker


class Log(NamedTuple):
    """A running game."""

    number: str
    config: Config
    records: Sequence[Record]
    players: Sequence[Player]


def _finished(file: Mapping[str, Any], language: Catalogue) -> Made:
    with speaking(language):
        return Made.of(page(file), PROVING)


def _running(log: Log, language: Catalogue) -> Made:
    with speaking(language):
        return Made.of(_unfolding(log).running().data, FOLLOWING)


def _course(log: Log, language: Catalogue) -> Course:
    with speaking(language):
        return _unfolding(log).course()


_games: LRUCache[tuple[str, str], Unfolding] = LRUCache(GAMES)
"""By number and language, the games of which pages were made last."""


def _unfolding(log: Log) -> Unfolding:
    """A game's page in the making, from where it was left if the game has just gone on."""
    key = log.number, code()
    made = _games.pop(key, None)
    if made is None or not made.go_on(log.config, log.records, log.players):
        made = Unfolding(*log)
    _games[key] = made
    return made

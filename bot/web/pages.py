"""The pages that are served: made by a worker, once for all who ask, and kept for a while."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Self

from bot.export import Player
from bot.page import FOLLOWING, PROVING, page, policy, running_page
from bot.page.following import Course
from bot.service import Services
from bot.table.table import OVER, Table
from bot.tasks import Locks, Once, Worker
from bot.words.language import Catalogue, speaking
from engine.config import Config
from engine.errors import RefereeError
from engine.record import Record

log = logging.getLogger(__name__)

KEPT = 16
"""How many pages are kept: one has some 300 KB, and a quarter of that when it is packed."""


@dataclass(frozen=True, slots=True)
class Made:
    """A page of a game, as it is sent."""

    data: bytes
    packed: bytes
    """The same, compressed with gzip."""
    digest: str
    policy: str
    course: Course | None
    """How a page that was made earlier can follow; None: the game is over."""

    @classmethod
    def of(cls, data: bytes, scripts: Sequence[str], course: Course | None = None) -> Self:
        """Pack a page with these scripts."""
        return cls(data, gzip.compress(data, mtime=0), sha256(data).hexdigest()[:32], policy(scripts), course)


class Pages:
    """The pages of the games that anyone can see now."""

    def __init__(self, services: Services, worker: Worker) -> None:
        self._services, self._worker = services, worker
        self._locks, self._once = Locks(), Once(KEPT)

    async def of(self, number: int) -> tuple[int, Made] | None:
        """A game's page, in the table's language, and the version of the table that it shows; None: there is none.

        It depends on what all can notice: when it changes says nothing about secrets (section M). Raises `Unavailable`,
        and `BrokenExecutor`.
        """
        async with self._locks(number):
            if (table := await self._services.web.shown(number)) is None:
                return None
            over = table.status == OVER
            names = tuple(member.name for member in table.members) if over else ()
            try:
                made = await self._once.of(
                    (number, table.version, names), partial(self._finished if over else self._running, table)
                )
            except RefereeError as error:  # damaged, or of a newer version
                log.info("The page of game %d can't be made: %s", number, error)
                return None
            return table.version, made

    async def _finished(self, table: Table) -> Made:
        file = await self._services.games.export(table.number)
        with self._services.metrics.drawing.labels("page").time():
            return await self._worker.run(_finished, file, table.language)

    async def _running(self, table: Table) -> Made:
        game = await self._services.repository.game(table.number)
        players = [Player(member.name, member.color) for member in table.members]
        number, language = str(table.number), table.language
        with self._services.metrics.drawing.labels("page").time():
            return await self._worker.run(_running, number, game.config, game.records, players, language)


# --- in the worker


def _finished(file: Mapping[str, Any], language: Catalogue) -> Made:
    with speaking(language):
        return Made.of(page(file), PROVING)


def _running(
    number: str, config: Config, records: Sequence[Record], players: Sequence[Player], language: Catalogue
) -> Made:
    with speaking(language):
        made = running_page(number, config, records, players)
        return Made.of(made.data, FOLLOWING, made.course)

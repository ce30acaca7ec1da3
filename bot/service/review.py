"""The review of a game that is over: what a person's choices were worth."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
from collections.abc import Iterable, Sequence

from bot.service.computers import ADVISER, THINKING, Think, where
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.acts.orders import CarryOut
from bot.table.acts.play import PERSON
from bot.table.log import Entry, Played
from engine.config import Config
from engine.errors import RefereeError
from engine.record import Record
from players import computer
from players.moments import Moment, choices, moments, worst_and_best
from players.sensible import SensiblePlayer

log = logging.getLogger(__name__)

PART = 12
"""Choices that are thought about in one go; bots at other tables get their turn in between."""


class ReviewService:
    """Reviews games that are over."""

    def __init__(self, store: Store, repository: GameRepository, think: Think) -> None:
        self._store, self._repository, self._think = store, repository, think

    async def of(self, number: int, user: int) -> tuple[list[Moment], list[Moment]]:
        """The choices that cost a user most, and their best ones; only those they made themselves.

        Codes: "not-over", "not-playing", "review-failed".
        """
        table, game = await self._repository.table(number), await self._repository.game(number)
        if game.outcome is None:
            raise RefereeError("not-over/moves")
        seat = table.seat_of(game, user)
        if seat is None:
            raise RefereeError("not-playing/onlooker")
        config, records = game.config, game.records
        by_others = _by_others(await self._store.acts(number), user)
        numbers = await asyncio.to_thread(choices, config, records, seat)
        found: list[Moment] = []
        try:
            for part in _parts([n for n in numbers if n not in by_others]):
                async with asyncio.timeout(THINKING):
                    found += await self._think(judged, config, records, seat, part)
        except Exception as error:  # its text can reveal a hand
            log.error("Game %d: the choices of seat %d were not judged (%s)", number, seat, where(error))
            raise RefereeError("review-failed") from None
        return worst_and_best(found)


def judged(config: Config, records: Sequence[Record], seat: int, numbers: Sequence[int]) -> list[Moment]:
    """What choices were worth. Can run in another process."""
    player = computer(ADVISER, random.Random(0))
    assert isinstance(player, SensiblePlayer)
    return moments(player, config, records, seat, numbers)


def _by_others(entries: Iterable[Entry], user: int) -> set[int]:
    """Numbers of the records that other players made, or that a bot or the autopilot made for the user. Records that
    the log lacks aren't among them: they count as the user's own."""
    return {
        before.records
        for before, entry in itertools.pairwise(entries)
        if entry.records > before.records and not _is_by(entry, user)
    }


def _is_by(entry: Entry, user: int) -> bool:
    """Whether a user did themselves what an entry of the log records."""
    if isinstance(entry.act, Played):
        return entry.user == user and entry.act.how == PERSON
    return not isinstance(entry.act, CarryOut)


def _parts(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    return (numbers[at : at + PART] for at in range(0, len(numbers), PART))

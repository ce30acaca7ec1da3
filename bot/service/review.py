"""The review of a game that is over: what a person's choices were worth."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Iterable, Sequence

from bot.service.computers import ADVISER, THINKING, Think, where
from bot.service.repository import GameRepository
from bot.store import Store
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
        lines = await self._store.acts(number)  # records that they lack count as the user's own
        by_others = {record for line in lines if line.user != user for record in line.made}
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


def _parts(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    return (numbers[at : at + PART] for at in range(0, len(numbers), PART))

"""Those who follow games: they wait for the next change of theirs that anyone can notice."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

from bot.store import Unavailable
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

LOOK_EVERY = 2.0
"""Seconds between two looks for changes; one look is for all games that someone follows."""


@dataclass(eq=False, slots=True)
class Reader:
    """Someone who follows a game."""

    number: int
    version: int = 0
    """The version of the table that the reader has seen."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Readers:
    """All who follow games in this process. The store says what has changed, no matter which process changed it."""

    def __init__(self, versions: Callable[[Collection[int]], Awaitable[Mapping[int, int]]]) -> None:
        """`versions` gives the versions of tables, by number: they grow with what anyone can notice, never with what is
        secret, so the time of no change tells anything (section M)."""
        self._versions = versions
        self._readers: set[Reader] = set()
        self._looking: asyncio.Task[None] | None = None
        self.closed = False

    @contextmanager
    def one(self, number: int) -> Iterator[Reader]:
        """Someone follows a game."""
        reader = Reader(number)
        self._readers.add(reader)
        if self._looking is None:
            self._looking = in_own_context(asyncio.create_task, self._look(), name="readers")
        try:
            yield reader
        finally:
            self._readers.discard(reader)

    async def wait(self, reader: Reader, seconds: float) -> bool:
        """Wait for a change of the reader's game, for so many seconds at most; whether there is one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await reader.changed.wait()
        return reader.changed.is_set()

    def close(self) -> None:
        """No one follows any longer: all who wait go on at once."""
        self.closed = True
        if self._looking is not None:
            self._looking.cancel()
        for reader in self._readers:
            reader.changed.set()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if not self._readers:
                continue
            try:
                versions = await self._versions({reader.number for reader in self._readers})
            except Unavailable as error:
                log.info("No one can follow a game right now: %s", error)
                continue
            for reader in self._readers:
                if versions.get(reader.number, inf) > reader.version:  # gone, or changed since the reader looked
                    reader.changed.set()

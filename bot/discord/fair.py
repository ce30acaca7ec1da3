"""Fair turns: however fast one person clicks, the others don't wait for that."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

AT_ONCE = 2
"""Interactions of one person that are handled at the same time."""
HELD = 0.5
"""Seconds after which an interaction makes room for the person's next one: it waits for something, such as Discord."""
MOST = 20
"""Interactions of one person that wait for their turn. More than that are dropped: no one can click that fast."""


@dataclass(slots=True)
class _Line:
    """One person's interactions."""

    handled: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class FairTurns:
    """Makes a person's interactions wait only for that person's own."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}

    @asynccontextmanager
    async def turn(self, user: int) -> AsyncIterator[bool]:
        """Wait until an interaction of a user can be handled. Yields False if too many of theirs are waiting."""
        line = self._lines.setdefault(user, _Line())
        if line.handled < AT_ONCE:
            line.handled += 1
        elif len(line.waiting) < MOST:
            await self._called(user, line)
        else:
            yield False
            return
        leave = self._leaving(user, line)
        timer = asyncio.get_running_loop().call_later(HELD, leave)
        try:
            yield True
        finally:
            timer.cancel()
            leave()

    async def _called(self, user: int, line: _Line) -> None:
        """Wait in line, until one that leaves passes on its place."""
        future = asyncio.get_running_loop().create_future()
        line.waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future in line.waiting:
                line.waiting.remove(future)
            else:
                self._leaving(user, line)()
            raise

    def _leaving(self, user: int, line: _Line) -> Callable[[], None]:
        """A function that gives up a place when it is first called."""
        left = False

        def leave() -> None:
            nonlocal left
            if left:
                return
            left = True
            if line.waiting:
                line.waiting.popleft().set_result(None)
                return
            line.handled -= 1
            if not line.handled:
                del self._lines[user]

        return leave

"""SQLite's driver without its thread: each statement is done at once, and its caller goes on in the loop's next round.

A thread for each of hundreds of stores, and waking it and the loop for each statement, costs more than the statements.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiosqlite


class Inline(aiosqlite.Connection):
    """A connection in the event loop's own thread."""

    def __await__(self) -> Any:
        return self._connect().__await__()

    async def _connect(self) -> Inline:
        if self._connection is None:
            self._connection = self._connector()
            await asyncio.sleep(0)
        return self

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self._running or not self._connection:
            raise ValueError("Connection closed")
        try:
            return fn(*args, **kwargs)
        finally:  # it is done even for a caller who is canceled, as by the thread
            await asyncio.sleep(0)

    def stop(self) -> None:
        self._running = False
        if self._connection is not None:
            self._connection.close()
            self._connection = None

"""What processes on one database tell each other, by LISTEN and NOTIFY. A broken connection is replaced."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import asyncpg

from bot.store.postgresql.database import ERRORS
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

CHANNEL = "harbormaster"
AGAIN = 5.0
"""Seconds until the next try to connect, and until a connection that doesn't answer is given up."""
SIGN = 30.0
"""Seconds between two checks whether the connection still works."""


class Words:
    """Hears what other processes of a namespace say. What they say while it isn't connected is lost."""

    def __init__(self, url: str, namespace: str, process: str) -> None:
        """`process` distinguishes this process's words from those of others."""
        self._url, self._namespace, self._process = url, namespace, process
        self._listeners: list[Callable[[str], None]] = []
        self._task: asyncio.Task[None] | None = None

    def said(self, words: str) -> tuple[str, str]:
        """The channel and the payload by which others hear words."""
        return CHANNEL, f"{self._process} {self._namespace} {words}"

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with others' words from now on, or as soon as there is a connection."""
        self._listeners.append(heard)
        if self._task is None:
            self._task = in_own_context(asyncio.create_task, self._listen())

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _listen(self) -> None:
        def hear(connection: object, pid: int, channel: str, payload: str) -> None:
            process, namespace, words = payload.split(" ", 2)
            if process != self._process and namespace == self._namespace:
                for heard in self._listeners:
                    heard(words)

        while True:
            connection: Any = None
            try:
                connection = await asyncpg.connect(self._url, timeout=AGAIN, command_timeout=AGAIN)
                await connection.add_listener(CHANNEL, hear)
                while True:
                    await asyncio.sleep(SIGN)
                    await connection.execute("SELECT 1")
            except ERRORS as error:
                log.info("Other processes can't be heard for a moment: %s", type(error).__name__)
                await asyncio.sleep(AGAIN)
            finally:
                if connection is not None:
                    connection.terminate()

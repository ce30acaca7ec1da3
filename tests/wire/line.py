"""A line between the bot and its database that can hang, be cut, or be slow."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Self


class Line:
    """Listens on loopback and passes everything on to a socket file.

    async with Line(postmaster.socket) as line:
        address = line.address("games")
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._moving = asyncio.Event()
        self._moving.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.delay = 0.0
        """Seconds that each piece of data takes."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def address(self, database: str) -> str:
        """The address of a database at the other end."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def freeze(self) -> None:
        """Let nothing through from now on, without closing anything. New connections hang as well."""
        self._moving.clear()

    def thaw(self) -> None:
        """Let everything through again, first what has been waiting."""
        self._moving.set()

    def cut(self) -> None:
        """Break all connections. New ones can be made immediately."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(task := asyncio.ensure_future(self._join(reader, writer)))
        task.add_done_callback(self._tasks.discard)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        far: asyncio.StreamWriter | None = None
        try:
            await self._moving.wait()
            far_reader, far = await asyncio.open_unix_connection(self._target)
            self._writers.add(far)
            await asyncio.gather(self._pass(reader, far), self._pass(far_reader, writer))
        except OSError:  # there is no database just now, or one side has hung up
            pass
        finally:
            for end in (writer, far):
                if end is not None:
                    end.transport.abort()
                    self._writers.discard(end)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if self.delay:
                await asyncio.sleep(self.delay)
            await self._moving.wait()
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError

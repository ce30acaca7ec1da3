"""The bot as a process of its own: started, killed and started again against one wire server."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.wire.server import WireServer

ROOT = Path(__file__).resolve().parents[2]


class BotProcess:
    """A command whose environment points at the server. Its output is in `database`.log, shown on failure."""

    def __init__(
        self, server: WireServer, argv: Sequence[str], database: Path, env: Mapping[str, str] | None = None
    ) -> None:
        self.server, self.argv, self.database = server, list(argv), database
        self.log = database.with_name(database.name + ".log")
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("HARBORMASTER_", "DISCORD_"))}
        self.env = {**clean, "PYTHONUNBUFFERED": "1", "DISCORD_TOKEN": server.token, **(env or {})}
        self.env["HARBORMASTER_DATABASE"] = str(database)
        self.process: asyncio.subprocess.Process | None = None
        server.bot_output = self.tail

    async def start(self, within: float = 20.0) -> None:
        """Start it and wait until the gateway has sent READY and the guild.

        :raises RuntimeError: with the end of its output, when it ends before that or takes longer.
        """
        assert self.process is None, "it's running"
        urls = {
            "HARBORMASTER_REST_BASE": self.server.rest_base,
            "HARBORMASTER_GATEWAY": self.server.gateway_url,
        }
        before = self.server.gateway.ready
        with self.log.open("ab") as out:
            # its own session, so that a kill takes its children too
            self.process = await asyncio.create_subprocess_exec(
                *self.argv, cwd=ROOT, env={**self.env, **urls}, stdout=out, stderr=out, start_new_session=True
            )
        ended = asyncio.create_task(self.process.wait())
        ready = asyncio.create_task(self.server.until(lambda: self.server.gateway.ready > before, within))
        try:
            await asyncio.wait({ended, ready}, return_when=asyncio.FIRST_COMPLETED)
            if ready.done() and ready.exception() is None:
                return
            why = f"ended with {ended.result()}" if ended.done() else f"wasn't ready in {within} s"
            raise RuntimeError(f"the bot {why}\n{self.tail()}")
        finally:
            ready.cancel()
            ended.cancel()

    async def kill(self) -> None:
        """kill -9, without warning."""
        await self._end(signal.SIGKILL)

    async def stop(self, within: float = 10.0) -> int:
        """SIGTERM; its exit status.

        :raises TimeoutError: when it doesn't end in time (it's killed then).
        """
        return await self._end(signal.SIGTERM, within)

    async def restart(self) -> None:
        """kill -9 and start again."""
        await self.kill()
        await self.start()

    async def _end(self, how: signal.Signals, within: float = 10.0) -> int:
        assert self.process is not None, "it isn't running"
        process, self.process = self.process, None
        if process.returncode is None:
            os.killpg(process.pid, how)
        try:
            return await asyncio.wait_for(process.wait(), within)
        except TimeoutError:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            raise
        finally:
            await self.server.until(lambda: not self.server.gateway.connected)

    @property
    def pid(self) -> int:
        """Process id of the running bot."""
        assert self.process is not None, "it isn't running"
        return self.process.pid

    def tail(self, lines: int = 60) -> str:
        """The end of its output."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process is not None:
            await self.kill()
        if error is not None:
            error.add_note(self.server.story())

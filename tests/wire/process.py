"""The bot as a process of its own: started, killed and started again against one wire server."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from bot.address import StoreAddress
from tests.house import ROOT
from tests.wire.preloaded import Preloaded
from tests.wire.server import WireServer

PYTHON_M_BOT = [sys.executable, "-m", "bot"]
LIMITED = (
    "import os, resource, sys;"
    "hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1];"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), hard));"
    "os.execvp(sys.argv[2], sys.argv[2:])"
)
"""Program that goes on as another one which can write no file beyond so many bytes."""


class BotProcess:
    """A command whose environment points at the server. Its output is in `database`.log, shown on failure.

    It writes into a pipe, so that a disk that is full for the bot isn't for its log.
    """

    preloading: ClassVar = False
    """Whether `python -m bot` may start as a fork of what has read it already (tests, nothing that is measured)."""

    def __init__(
        self, server: WireServer, argv: Sequence[str], database: Path, env: Mapping[str, str] | None = None
    ) -> None:
        self.server, self.argv, self.database = server, list(argv), database
        self.log = database.with_name(database.name + ".log")
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("HARBORMASTER_", "DISCORD_", "DATABASE_"))}
        self.env = {**clean, "PYTHONUNBUFFERED": "1", "DISCORD_TOKEN": server.token}
        self.env |= {"HARBORMASTER_FILMS": "no", **(env or {})}
        self.env["HARBORMASTER_DATABASE"] = str(database)
        self.address: StoreAddress = self.env.get("DATABASE_URL") or database
        self.process: asyncio.subprocess.Process | Preloaded | None = None
        self.alone = True  # whether no other process is at the same gateway
        self._copying: threading.Thread | None = None
        server.bot_output = self.tail

    async def launch(self, room: int | None = None) -> None:
        """Start it and wait for nothing. `room`: the bytes up to which it can write a file, see `full_disk`."""
        assert self.process is None, "it's running"
        urls = {"HARBORMASTER_GATEWAY": self.server.gateway_url}
        if "HARBORMASTER_PROXY" not in self.env:
            urls["HARBORMASTER_REST_BASE"] = self.server.rest_base
        env, limited = {**self.env, **urls}, list[str]()
        if room is not None:
            limited = [sys.executable, "-c", LIMITED, str(room)]
            env.pop("COVERAGE_PROCESS_CONFIG", None)  # `make coverage` would find the disk full too
            env["PYTHONDONTWRITEBYTECODE"] = "1"  # what is compiled would be cut off, and read by all who come later
        plain = self.argv[:3] == PYTHON_M_BOT and room is None and "COVERAGE_PROCESS_CONFIG" not in env
        read, write = os.pipe()
        self._copying = threading.Thread(target=_copy, args=(read, self.log), daemon=True)
        self._copying.start()
        try:
            # either has its own session, so that a kill takes its children too
            if plain and self.preloading:
                self.process = await Preloaded.start(self.argv[3:], env, write)
                return
            self.process = await asyncio.create_subprocess_exec(
                *limited,
                *self.argv,
                cwd=ROOT,
                env=env,
                stdout=write,
                stderr=write,
                start_new_session=True,
            )
        finally:
            os.close(write)

    async def start(self, within: float = 30.0) -> None:
        """Start it and wait until the gateway has sent READY and the guild, or has gone on with a session.

        :raises RuntimeError: with the end of its output, when it ends before that or takes longer.
        """
        gateway = self.server.gateway
        before = gateway.ready + gateway.resumed
        await self.launch()
        assert self.process is not None
        ended = asyncio.create_task(self.process.wait())
        ready = asyncio.create_task(self.server.until(lambda: gateway.ready + gateway.resumed > before, within))
        try:
            await asyncio.wait({ended, ready}, return_when=asyncio.FIRST_COMPLETED)
            if ready.done() and ready.exception() is None:
                return
            await asyncio.sleep(0.1)  # its last words
            why = f"ended with {ended.result()}" if ended.done() else f"wasn't ready in {within} s"
            raise RuntimeError(f"the bot {why}\n{self.tail()}")
        finally:
            ready.cancel()
            ended.cancel()

    async def kill(self) -> None:
        """kill -9, without warning."""
        self.signal(signal.SIGKILL)
        await self.ended()

    async def stop(self, within: float = 10.0) -> int:
        """SIGTERM; its exit status.

        :raises TimeoutError: when it doesn't end in time (it's killed then).
        """
        self.signal(signal.SIGTERM)
        return await self.ended(within)

    async def restart(self) -> None:
        """kill -9 and start again."""
        await self.kill()
        await self.start()

    def signal(self, which: signal.Signals) -> None:
        """Send it a signal, if it hasn't ended by itself."""
        assert self.process is not None, "it isn't running"
        if self.process.returncode is None:
            os.killpg(self.process.pid, which)

    async def ended(self, within: float = 10.0) -> int:
        """Wait until it has ended; its exit status.

        :raises TimeoutError: when it doesn't end in time (it's killed then).
        """
        assert self.process is not None, "it isn't running"
        process, self.process = self.process, None
        try:
            return await asyncio.wait_for(process.wait(), within)
        except TimeoutError:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            raise TimeoutError(f"the bot didn't end within {within} s\n{self.server.story()}") from None
        finally:
            if self.alone:
                await self.server.until(lambda: not self.server.gateway.connected)
            assert self._copying is not None
            await asyncio.to_thread(self._copying.join, 5.0)

    @property
    def pid(self) -> int:
        """Process id of the running bot."""
        assert self.process is not None, "it isn't running"
        return self.process.pid

    async def says(self, pattern: str, within: float = 10.0) -> str:
        """Wait for a line of its output in which a regular expression is found; the line.

        :raises TimeoutError: when there is none in time.
        """
        end = time.perf_counter() + within
        while True:
            for line in self.tail(100_000).splitlines():
                if re.search(pattern, line):
                    return line
            if time.perf_counter() > end:
                raise TimeoutError(f"the bot never says {pattern!r}\n{self.server.story()}")
            await asyncio.sleep(0.02)

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


def _copy(pipe: int, log: Path) -> None:
    """All that comes out of a pipe to the end of a file."""
    with open(pipe, "rb", buffering=0) as output, log.open("ab", buffering=0) as file:
        while data := output.read(65536):
            file.write(data)


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

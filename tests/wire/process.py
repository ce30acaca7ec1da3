"""The bot as a process of its own. It can be started, killed and started again against one wire server."""

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

from bot.settings import StoreAddress
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
"""Program that sets a limit on the size of files, in bytes, and then becomes another program."""


class BotProcess:
    """A command whose environment points at the server. Its output is in `database`.log, shown on failure.

    The output goes through a pipe, so that a disk that is full for the bot isn't full for its log.
    """

    preloading: ClassVar = False
    """Whether `python -m bot` can start as a fork of a process that has already loaded it: for tests, never for what is
    measured."""

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
        self.alone = True  # whether it is the only process at its gateway
        self._copying: threading.Thread | None = None
        server.bot_output = self.tail

    async def launch(self, room: int | None = None) -> None:
        """Start it without waiting. `room`: the most bytes that it can write into a file (see `full_disk`)."""
        assert self.process is None, "it's running"
        urls = {"HARBORMASTER_GATEWAY": self.server.gateway_url}
        if "HARBORMASTER_PROXY" not in self.env:
            urls["HARBORMASTER_REST_BASE"] = self.server.rest_base
        env, limited = {**self.env, **urls}, list[str]()
        if room is not None:
            limited = [sys.executable, "-c", LIMITED, str(room)]
            env.pop("COVERAGE_PROCESS_CONFIG", None)  # otherwise `make coverage` would find the disk full too
            env["PYTHONDONTWRITEBYTECODE"] = "1"  # truncated .pyc files would break all later processes
        plain = self.argv[:3] == PYTHON_M_BOT and "COVERAGE_PROCESS_CONFIG" not in env
        read, write = os.pipe()
        self._copying = threading.Thread(target=_copy, args=(read, self.log), daemon=True)
        self._copying.start()
        try:
            # both ways it gets a session of its own, so that a kill also ends its children
            if plain and self.preloading:
                self.process = await Preloaded.start(self.argv[3:], env, write, room)
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
        """Start it and wait until the gateway has sent READY and the guild, or has resumed a session.

        :raises RuntimeError: with the end of its output, if it ends before that or takes longer.
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
            await asyncio.sleep(0.1)  # time for its last output
            why = f"ended with {ended.result()}" if ended.done() else f"wasn't ready in {within} s"
            raise RuntimeError(f"the bot {why}\n{self.tail()}")
        finally:
            ready.cancel()
            ended.cancel()

    async def kill(self) -> None:
        """Send SIGKILL, without warning, and wait for its end."""
        self.signal(signal.SIGKILL)
        await self.ended()

    async def stop(self, within: float = 10.0) -> int:
        """Send SIGTERM. Returns its exit status.

        :raises TimeoutError: if it doesn't end in time (it is then killed).
        """
        self.signal(signal.SIGTERM)
        return await self.ended(within)

    async def restart(self) -> None:
        """Kill it with SIGKILL and start it again."""
        await self.kill()
        await self.start()

    def signal(self, which: signal.Signals) -> None:
        """Send it a signal, unless it has ended by itself."""
        assert self.process is not None, "it isn't running"
        if self.process.returncode is None:
            os.killpg(self.process.pid, which)

    async def ended(self, within: float = 10.0) -> int:
        """Wait until it has ended. Returns its exit status.

        :raises TimeoutError: if it doesn't end in time (it is then killed).
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
        """Wait for a line of its output that matches a regular expression. Returns the line.

        :raises TimeoutError: if there is none in time.
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
        """The last lines of its output."""
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
    """Append all that comes out of a pipe to a file."""
    with open(pipe, "rb", buffering=0) as output, log.open("ab", buffering=0) as file:
        while data := output.read(65536):
            file.write(data)


def free_port() -> int:
    """A port that no one listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

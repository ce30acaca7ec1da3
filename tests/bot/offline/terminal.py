"""An offline table as a process, and what its terminal shows."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import IO

from tests import forks

PROGRAM = """
import signal, sys
from bot.cli import main
sys.stdout.reconfigure(line_buffering=True)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""
"""Runs `harbormaster` so that it reacts to Ctrl-C even if a shell started the tests in the background and so made them
ignore it."""


class Terminal:
    """The process and its output so far."""

    def __init__(self, process: ForkServerProcess, output: IO[str], port: int) -> None:
        self._process, self._output, self._port, self.said = process, output, port, ""

    async def opened(self) -> str:
        """Wait until the table is open and has printed its instructions. Returns its address."""
        while f"http://127.0.0.1:{self._port}/#" not in self.said or "Ctrl-C" not in self.said:
            line = await asyncio.wait_for(asyncio.to_thread(self._output.readline), 60)
            assert line, self.said
            self.said += line
        return next(word for word in self.said.split() if word.startswith("http://"))

    async def end(self, how: signal.Signals) -> int | None:
        """Send the process a signal and wait for its end. Returns the exit status."""
        assert self._process.pid is not None
        os.kill(self._process.pid, how)
        self.said += await asyncio.wait_for(asyncio.to_thread(self._output.read), 30)
        self._process.join()
        return self._process.exitcode


@asynccontextmanager
async def playing(file: Path, seats: int) -> AsyncIterator[Terminal]:
    """Run `harbormaster play` with its games in a file."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {k: v for k, v in os.environ.items() if k != "DISCORD_TOKEN" and not k.startswith("HARBORMASTER_")}
    arguments = ("play", "--port", str(port), "--seats", str(seats), "--database", str(file))
    ours, theirs = os.pipe()
    process = forks.begin(PROGRAM, *arguments, output=theirs, errors=theirs, env=environment)
    os.close(theirs)
    with os.fdopen(ours) as output:
        try:
            yield Terminal(process, output, port)
        finally:
            process.kill()

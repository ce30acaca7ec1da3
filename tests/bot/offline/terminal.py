"""An offline table as a process, and what its terminal shows."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.house import ROOT

PROGRAM = """
import signal, sys
from bot.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""
"""Runs `harbormaster` so that it reacts to Ctrl-C even if a shell started the tests in the background and so made them
ignore it."""


class Terminal:
    """The process and its output so far."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self._process, self._port, self.said = process, port, ""

    async def opened(self) -> str:
        """Wait until the table is open and has printed its instructions. Returns its address."""
        while f"http://127.0.0.1:{self._port}/#" not in self.said or "Ctrl-C" not in self.said:
            assert self._process.stdout is not None
            line = await asyncio.wait_for(self._process.stdout.readline(), 60)
            assert line, self.said
            self.said += line.decode()
        return next(word for word in self.said.split() if word.startswith("http://"))

    async def end(self, how: signal.Signals) -> int | None:
        """Send the process a signal and wait for its end. Returns the exit status."""
        self._process.send_signal(how)
        output, _ = await asyncio.wait_for(self._process.communicate(), 30)
        self.said += output.decode()
        return self._process.returncode


@asynccontextmanager
async def playing(file: Path, seats: int) -> AsyncIterator[Terminal]:
    """Run `harbormaster play` with its games in a file."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {k: v for k, v in os.environ.items() if k != "DISCORD_TOKEN" and not k.startswith("HARBORMASTER_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM),
        *("play", "--port", str(port), "--seats", str(seats), "--database", str(file)),
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=file.parent,
    )
    try:
        yield Terminal(process, port)
    finally:
        if process.returncode is None:
            process.kill()

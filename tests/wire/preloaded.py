"""Bots that start as forks of a process that has loaded the program and drawn each board. This saves seconds."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Self

from bot.tasks import _settle_in
from tests.bot import invariants
from tests.carried import carried
from tests.forks import FORKS

INCONSISTENT = 97
"""Exit status of a bot that has stored an inconsistent table."""
WORKERS = "WIRE_WORKERS"
"""Variable of a bot's environment: how many worker processes it gets. Threads do the work of all others: a process that
draws its first picture takes as long as ten pictures, and one that isn't forked takes a second."""
THINKER = "thinker"
"""How the system calls a forked process that doesn't draw."""


class Preloaded:
    """`python -m bot` in a session of its own, with the methods of `asyncio.subprocess.Process` that are used here."""

    def __init__(self, process: ForkServerProcess) -> None:
        assert process.pid is not None
        self._process, self.pid = process, process.pid

    @classmethod
    async def start(cls, arguments: Sequence[str], env: Mapping[str, str], output: int, room: int | None) -> Self:
        """Start it. Its output goes to the file descriptor `output`. `room`: the most bytes in a file of it."""
        begun, begins = FORKS.Pipe(duplex=False)
        with Connection(os.dup(output), readable=False) as copy, begun, begins:
            process = FORKS.Process(target=_run, args=(list(arguments), dict(env), copy, begins, room))
            process.start()
            await asyncio.to_thread(begun.recv)
        return cls(process)

    @property
    def returncode(self) -> int | None:
        """Exit status, negative if a signal ended it, None while it runs."""
        return self._process.exitcode

    async def wait(self) -> int:
        """Wait until it has ended. Returns its exit status."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        while (status := self._process.exitcode) is None:
            loop.add_reader(self._process.sentinel, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(self._process.sentinel)
        return status


def _run(arguments: list[str], env: dict[str, str], output: Connection, begins: Connection, room: int | None) -> None:
    os.setsid()
    begins.send(None)
    begins.close()
    os.environ.clear()
    os.environ.update(env)
    for descriptor in (1, 2):
        os.dup2(output.fileno(), descriptor)
    output.close()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    # so that what a killed bot leaves behind is noticed at its own end, not at the end of the tests
    resource_tracker._resource_tracker._fd = resource_tracker._resource_tracker._pid = None  # type: ignore[attr-defined]
    from bot import program
    from bot.cli import main
    from bot.discord import app
    from tests.wire.drawn import CODE

    def digest(root: Path | None = None) -> str:
        return CODE

    program.code_digest = digest
    app.processes = forked = _Forked(int(env.get(WORKERS, "0")))  # type: ignore[attr-defined]
    if room is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    invariants.watch(_end)
    try:
        raise SystemExit(main(arguments))
    finally:
        forked.close()


def _end(wrong: str) -> None:
    """End the bot, and so the test, because a table isn't consistent."""
    print(f"An inconsistent table was stored: {wrong}", flush=True)
    os._exit(INCONSISTENT)


class _Forked:
    """Replaces `tasks.processes`. The processes are forked while this one has only one thread."""

    def __init__(self, count: int) -> None:
        fork = multiprocessing.get_context("fork")
        self._first = [ProcessPoolExecutor(1, fork, _settle_in) for _ in range(count)]
        for executor in self._first:
            executor.submit(int).result()

    def __call__(self, count: int, begin: Callable[[], None] | None = None) -> Executor:
        if not self._first:
            return _LikeAProcess(1)
        first = self._first.pop()
        first.submit(begin or _called_thinker)
        return first

    def close(self) -> None:
        """End the processes that were never used. This process would wait for them."""
        for executor in self._first:
            executor.shutdown()


class _LikeAProcess(ThreadPoolExecutor):
    """A thread to which everything goes, and comes back, as it would with a process."""

    def submit(self, work: Any, /, *values: Any, **named: Any) -> Future[Any]:
        return super().submit(carried, work, values, named)


def _called_thinker() -> None:
    """Have the system call this process so."""
    Path("/proc/self/comm").write_text(THINKER)

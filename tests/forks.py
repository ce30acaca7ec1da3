"""Processes forked from one that has already imported the program, which saves a second each."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

from bot.tasks import _settle_in

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "bot.cli",
        "bot.commands.run",
        "bot.discord.app",
        "bot.commands.rehearse",
        "bot.store.sqlite.store",
        "bot.store.postgresql.store",
        "tests.wire.drawn",
        "tests.bot.invariants",
    ]
)


def fork(
    work: Callable[..., Coroutine[Any, Any, None]], *arguments: object
) -> tuple[ForkServerProcess, Connection[Any, Any]]:
    """Run `work` in its own process. Its first argument is a `Connection`; what it sends there arrives at the one
    returned."""
    receiver, sender = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=_run, args=(work, sender, *arguments))
    process.start()
    sender.close()
    return process, receiver


def _run(work: Callable[..., Coroutine[Any, Any, None]], *arguments: object) -> None:
    asyncio.run(work(*arguments))


def processes(count: int) -> Executor:
    """A pool of forked processes, set up like those of `bot.tasks`."""
    return ProcessPoolExecutor(count, FORKS, _settle_in)

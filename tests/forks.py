"""Processes that begin as forks of one that has read the program, which saves a second each."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

from bot.workers import _settle_in

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "bot.cli",
        "bot.commands.run",
        "bot.discord.app",
        "bot.commands.rehearse",
        "tests.wire.drawn",
        "tests.bot.invariants",
    ]
)


def fork(
    work: Callable[..., Coroutine[Any, Any, None]], *arguments: object
) -> tuple[ForkServerProcess, Connection[Any, Any]]:
    """Do something in a process of its own; what it sends by its first argument, a `Connection`, is received here."""
    received, sends = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=_run, args=(work, sends, *arguments))
    process.start()
    sends.close()
    return process, received


def _run(work: Callable[..., Coroutine[Any, Any, None]], *arguments: object) -> None:
    asyncio.run(work(*arguments))


def processes(count: int) -> Executor:
    """As those of `bot.workers`."""
    return ProcessPoolExecutor(count, FORKS, _settle_in)

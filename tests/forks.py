"""Processes forked from one that has already imported the program, which saves a second each."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from subprocess import CompletedProcess
from typing import Any

from bot.tasks import _settle_in

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "pytest",
        "bot.cli",
        "bot.commands.run",
        "bot.commands.store",
        "bot.discord.app",
        "bot.commands.rehearse",
        "bot.store.sqlite.store",
        "bot.store.postgresql.store",
        "tests.bot.invariants",
        "tests.wire.drawn",
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


def processes(count: int, begin: Callable[[], None] | None = None) -> Executor:
    """A pool of forked processes, set up like those of `bot.tasks`."""
    return ProcessPoolExecutor(count, FORKS, _settle_in, (begin,))


def begin(
    program: str, *arguments: str, output: int, errors: int, env: Mapping[str, str] = os.environ
) -> ForkServerProcess:
    """Run a program as `python -c program arguments` would, in a session of its own, but with what was imported
    already. `output`, `errors`: its file descriptors 1 and 2."""
    with Connection(os.dup(output), readable=False) as one, Connection(os.dup(errors), readable=False) as two:
        process = FORKS.Process(target=_program, args=(program, arguments, dict(env), os.getcwd(), one, two))
        process.start()
    return process


def done(program: str, *arguments: str, env: Mapping[str, str] = os.environ) -> CompletedProcess[str]:
    """Run a program as `begin` does, to its end."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = begin(program, *arguments, output=output.fileno(), errors=errors.fileno(), env=env)
        process.join()
        said = []
        for file in (output, errors):
            file.seek(0)
            said.append(file.read())
    assert process.exitcode is not None
    return CompletedProcess(arguments, process.exitcode, *said)


def _program(
    program: str,
    arguments: tuple[str, ...],
    env: dict[str, str],
    folder: str,
    output: Connection[Any, Any],
    errors: Connection[Any, Any],
) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    os.dup2(output.fileno(), 1)
    os.dup2(errors.fileno(), 2)
    sys.argv = ["-c", *arguments]
    exec(program, {"__name__": "__main__"})

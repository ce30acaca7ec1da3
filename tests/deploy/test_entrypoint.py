"""The container's first process. It starts the bot, hands on signals, and stays if another start would be useless."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

ENTRYPOINT = Path(__file__).resolve().parents[2] / "deploy" / "entrypoint.sh"
BOT = f"""#!{sys.executable}
import os, signal, sys, time
signal.signal(signal.SIGUSR1, lambda number, frame: print("told", flush=True))
signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
print("begun", flush=True)
if sys.argv[2:]:
    sys.exit(int(sys.argv[2]))
while True:
    time.sleep(0.1)
"""
Started = Callable[..., Awaitable[asyncio.subprocess.Process]]


@pytest_asyncio.fixture
async def started(tmp_path: Path) -> AsyncIterator[Started]:
    """Starts the container's command with arguments, with a bot that ends with the status that they give."""
    (tmp_path / "harbormaster").write_text(BOT)
    (tmp_path / "harbormaster").chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    processes = []

    async def start(*arguments: str) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            "sh",
            ENTRYPOINT,
            *arguments,
            env=env,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        processes.append(process)
        asyncio.get_running_loop().call_later(20.0, end, process)  # one that stays would hold up all tests
        return process

    def end(process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    yield start
    for process in processes:
        end(process)


@pytest.mark.parametrize(
    "arguments", [("run", "0"), ("run", "1"), ("run", "70"), ("doctor", "2")], ids=lambda words: " ".join(words)
)
async def test_the_entrypoint_exits_with_harbormasters_status(started: Started, arguments: tuple[str, str]) -> None:
    process = await started(*arguments)
    await process.communicate()
    assert process.returncode == int(arguments[1])


async def test_the_entrypoint_passes_signals_on_and_ends_when_terminated(started: Started) -> None:
    process = await started("run")
    assert process.stdout is not None
    assert await process.stdout.readline() == b"begun\n"
    for _ in range(2):
        process.send_signal(signal.SIGUSR1)
        assert await process.stdout.readline() == b"told\n"
    process.terminate()
    assert await process.wait() == 0


async def test_the_status_is_right_however_quickly_harbormaster_ends(started: Started) -> None:
    processes = [await started("run") for _ in range(20)]
    for process in processes:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"begun\n"
    for process in processes:
        process.terminate()
    assert {await process.wait() for process in processes} == {0}


async def test_a_problem_that_only_the_host_can_fix_is_not_retried(started: Started) -> None:
    process = await started("run", "2")
    assert process.stderr is not None
    assert b"docker compose up -d --force-recreate" in await process.stderr.readline()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(process.wait(), 0.5)
    process.terminate()
    assert await process.wait() == 2

"""A worker's process: its results, and what happens when it dies, hangs or is stopped, or its parent ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor
from functools import partial
from importlib import metadata
from pathlib import Path

import pytest

from bot import program
from bot.tasks import Worker, processes, thread
from tests.house import ROOT


def died_once(marker: str) -> int:
    """Kill the process that runs this, but only the first time. Returns the process's id."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), 9)
    return os.getpid()


def die() -> None:
    """Kill the process that runs this."""
    os.kill(os.getpid(), 9)


def waits(note: Path) -> None:
    """Note the id of the process that runs this, which then works for long."""
    note.with_suffix(".part").write_text(str(os.getpid()))
    note.with_suffix(".part").rename(note)
    time.sleep(600)


def alive(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_a_thread_or_a_process_does_the_work() -> None:
    inside, beside = Worker(), Worker(partial(processes, 1))
    assert await inside.run(os.getpid) == os.getpid() != await beside.run(os.getpid)
    with pytest.raises(ValueError, match="invalid literal"):
        await beside.run(int, "x")
    pid = await beside.run(os.getpid)
    for worker in (inside, beside):
        await worker.stop(10.0)
    assert not alive(pid)


async def test_a_process_does_what_comes_first_before_its_work(tmp_path: Path) -> None:
    worker = Worker(partial(processes, 1, (tmp_path / "begun").touch))
    assert await worker.run((tmp_path / "begun").exists)
    worker.close()


async def test_a_process_that_dies_is_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker(partial(processes, 1))
    first = await worker.run(os.getpid)
    assert await worker.run(died_once, str(tmp_path / "died")) != first
    [line] = caplog.messages
    assert "another one takes its place" in line
    with pytest.raises(BrokenExecutor):
        await worker.run(die)
    assert await asyncio.gather(*(worker.run(abs, -n) for n in range(5))) == list(range(5))
    worker.close()


async def test_a_worker_process_ignores_signals_to_stop() -> None:
    worker = Worker(partial(processes, 1))
    pid = await worker.run(os.getpid)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
    assert await worker.run(os.getpid) == pid
    worker.close()


async def test_a_thread_does_the_work_if_no_process_can_start(caplog: pytest.LogCaptureFixture) -> None:
    def none() -> Executor:
        raise OSError("no more processes")

    worker = Worker(none)
    assert await worker.run(os.getpid) == os.getpid()
    [line] = caplog.messages
    assert "no more processes" in line
    worker.close()


@pytest.mark.parametrize("ends", ["killed", "by itself"])
def test_a_worker_process_ends_with_its_parent(ends: str) -> None:
    program = (
        "import asyncio, os, sys\nfrom functools import partial\nfrom bot.tasks import Worker, processes\n"
        "async def main():\n"
        "    worker = Worker(partial(processes, 1))\n"
        "    print(await worker.run(os.getpid), flush=True)\n"
        f"    {'await asyncio.sleep(60)' if ends == 'killed' else 'worker.close()'}\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        if ends == "killed":
            parent.kill()
        parent.wait(20)
    until = time.monotonic() + 10
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(pid)


async def test_a_hanging_process_is_abandoned_and_the_work_behind_it_is_done() -> None:
    worker = Worker(partial(processes, 1))
    pid = await worker.run(os.getpid)
    hanging = asyncio.create_task(worker.run(time.sleep, 600.0))
    behind = asyncio.create_task(worker.run(os.getpid))
    await asyncio.sleep(0.1)
    hanging.cancel()
    worker.abandon()
    assert await asyncio.wait_for(behind, 20.0) != pid
    for _ in range(200):
        if not alive(pid):
            break
        await asyncio.sleep(0.05)
    assert not alive(pid)
    await worker.stop(10.0)


async def test_stopping_doesnt_wait_for_a_hanging_process() -> None:
    worker = Worker(partial(processes, 1))
    pid = await worker.run(os.getpid)
    os.kill(pid, signal.SIGSTOP)
    hanging = asyncio.create_task(worker.run(os.getpid))
    await asyncio.sleep(0.1)
    await asyncio.wait_for(worker.stop(0.5), 10.0)
    assert not alive(pid)
    with pytest.raises(BrokenExecutor):
        await hanging


async def test_after_a_stop_no_worker_starts() -> None:
    """What waited for its turn would start one that nothing ends."""
    worker = Worker(thread)
    await worker.run(abs, -1)
    await worker.stop(1.0)
    for _ in range(2):
        with pytest.raises(BrokenExecutor):
            await worker.run(abs, -1)


async def test_a_stop_ends_workers_of_their_own(tmp_path: Path) -> None:
    """Also the one for which work waited until it was its turn."""
    worker = Worker(partial(processes, 1))
    drawing = asyncio.create_task(worker.run_in_own_worker(waits, tmp_path / "pid"))
    waiting = asyncio.create_task(worker.run_in_own_worker(os.getpid))
    for _ in range(400):
        if (tmp_path / "pid").exists():
            break
        await asyncio.sleep(0.05)
    await worker.stop(0.2)
    for work in (drawing, waiting):
        with pytest.raises(BrokenExecutor):
            await work
    assert not alive(int((tmp_path / "pid").read_text()))


UPDATED = """
import asyncio, os, sys
from functools import partial
from pathlib import Path
from bot import program
from bot.tasks import Outdated, Worker, processes

async def main():
    worker, room = Worker(partial(processes, 1), program.code_digest()), Path(program.__file__).parent
    print(await worker.run(os.getpid) != os.getpid(), await worker.run_in_own_worker(abs, -1))
    (room / "tasks.py").write_text("raise ImportError('from another version')")
    print(await worker.run(os.getpid) != os.getpid(), "it goes on with what it has loaded")
    try:
        await worker.run_in_own_worker(abs, -1)
    except Outdated as error:
        print(error)
    worker.abandon()
    print(await worker.run(os.getpid) == os.getpid())
    await worker.stop(10.0)

if __name__ == "__main__":
    asyncio.run(main())
"""
"""A program that uses workers before and after the files on disk change."""


def test_a_worker_of_another_version_is_not_started(tmp_path: Path) -> None:
    for room in program.PACKAGES:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "assets"))
    (tmp_path / "main.py").write_text(UPDATED)
    done = subprocess.run(
        [sys.executable, "-P", "main.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "True 1",
        "True it goes on with what it has loaded",
        "the program's files have changed since this process started: restart it",
        "True",
    ]
    assert done.stderr == "Another version was installed: restart Harbormaster. Until then films wait.\n"


def test_the_digest_of_the_program_follows_its_code_and_what_it_draws_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "a.py").write_text("one")
    before = program.code_digest(tmp_path)
    (tmp_path / "bot" / "notes.txt").write_text("no code")
    (tmp_path / "bot" / "a.py").write_text("one")
    assert program.code_digest(tmp_path) == before
    (tmp_path / "bot" / "a.py").write_text("two")
    assert program.code_digest(tmp_path) != before
    (tmp_path / "bot" / "a.py").write_text("one")
    monkeypatch.setattr(metadata, "version", lambda name: "99")
    assert program.code_digest(tmp_path) != before

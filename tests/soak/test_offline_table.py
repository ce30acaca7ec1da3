"""One person against three bots at the offline table, on a machine that is kept busy."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from tests.bot.offline.page import opened
from tests.bot.offline.person import Person

MINUTES = float(os.environ.get("SOAK_MINUTES", "10"))
"""How long the test takes."""
STANDING = 15.0
"""Seconds for which nothing can happen while a bot should act."""
ROUND = 60.0
"""The most seconds of an average round of all four. A person takes a moment, and so do bots."""
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(1_000_000))"
PROGRAM = "import sys; from bot.cli import main; sys.exit(main())"


@contextmanager
def busy_machine() -> Iterator[None]:
    """Keep each processor busy with something else."""
    others = [Popen([sys.executable, "-c", BUSY]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


@contextmanager
def terminal(database: Path, log: Path) -> Iterator[str]:
    """Run `harbormaster play` for one person, with a file as its terminal. Yields the address of its page."""
    environment = {k: v for k, v in os.environ.items() if k != "DISCORD_TOKEN" and not k.startswith("HARBORMASTER_")}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-u", "-c", PROGRAM, "play", "--port", port, "--seats", "1", "--database", str(database)]
    with log.open("w") as out:
        process = Popen(command, env=environment, stdout=out, stderr=out)
    try:
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/#\S+", log.read_text())):
            assert process.poll() is None, log.read_text()
            time.sleep(0.2)
        yield found[0]
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0, log.read_text()


@pytest.mark.soak
async def test_the_offline_table_keeps_going_on_a_busy_machine(tmp_path: Path) -> None:
    log, end = tmp_path / "terminal.txt", time.monotonic() + 60 * MINUTES
    with busy_machine(), terminal(tmp_path / "games.db", log) as address:
        async with opened(address) as tab:
            person = Person(tab)
            await person.play(lambda: time.monotonic() > end)
    print(f"{person.turns} turns in {MINUTES:g} minutes: nothing changed for {person.longest:.1f} s at most, while")
    print(f"{person.stood} What was pressed took {person.slowest:.1f} s at most. {person.failed}")
    print(log.read_text())
    assert person.longest < STANDING, person.stood
    assert person.failed == []
    assert person.turns > 4 * 60 * MINUTES / ROUND
    assert not re.search("WARNING|ERROR|CRITICAL|Traceback", log.read_text())

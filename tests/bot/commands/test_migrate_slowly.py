"""`harbormaster migrate` to and from PostgreSQL, on a machine too slow for the limits of a running process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import asyncpg
import pytest

from bot.store import open_store
from bot.store.postgresql.database import LONGEST_STATEMENT, SETTINGS
from tests import forks
from tests.bot.old_files import earlier
from tests.house import ROOT
from tests.postgres import NewDatabase

COMMAND = [sys.executable, "-m", "bot", "migrate"]
PROGRAM = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from bot.cli import main
from bot.store import moving
pool = ProcessPoolExecutor(1, multiprocessing.get_context("fork"))
pool.submit(int).result()
moving.processes = lambda count: pool
sys.exit(main(["migrate", *sys.argv[1:]]))
"""
"""The same command, which compares games in a process that starts quickly."""
LATE = """
CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep({}); RETURN NULL; END $$;
CREATE {} late AFTER INSERT ON games {} FOR EACH ROW WHEN (NEW.number = 1) EXECUTE FUNCTION late();
"""
"""Makes the database sleep over game 1, when it is inserted or when it is committed. To fill in: the seconds, the kind
of trigger, and when it fires."""


def command(source: str, target: str) -> list[str]:
    return [*COMMAND, "--from", source, "--to", target]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


async def prepared(address: str, *statements: str) -> None:
    """Create the tables in a database, then execute statements there."""
    await (await open_store(address)).close()
    connection = await asyncpg.connect(address)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


async def idle(address: str) -> bool:
    """Whether a connection idles there in an open transaction that has written something."""
    connection = await asyncpg.connect(address)
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
        " AND backend_xid IS NOT NULL"
    )
    waits = await connection.fetchval(query)
    await connection.close()
    return bool(waits)


@pytest.mark.parametrize(
    ("kind", "when"),
    [
        pytest.param("TRIGGER", "", marks=pytest.mark.soak),
        ("CONSTRAINT TRIGGER", "DEFERRABLE INITIALLY DEFERRED"),
    ],
    ids=["statement", "commit"],
)
@pytest.mark.soak
def test_migrate_waits_for_a_slow_database(new_database: NewDatabase, kind: str, when: str) -> None:
    earlier(Path("old.db"))
    place = new_database(ready=True)
    asyncio.run(prepared(place, LATE.format(LONGEST_STATEMENT + 1.0, kind, when)))
    done = subprocess.run(
        command("sqlite:old.db", place), env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "6 games moved and compared." in done.stdout


def test_migrate_lifts_a_databases_own_time_limits(new_database: NewDatabase) -> None:
    earlier(Path("old.db"))
    place = new_database(ready=True)
    name = place.split("/")[3].split("?")[0]
    limit = f"ALTER DATABASE {name} SET statement_timeout = '300ms'"
    asyncio.run(prepared(place, LATE.format(1.0, "TRIGGER", ""), limit))
    ended = forks.done(PROGRAM, "--from", "sqlite:old.db", "--to", place)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.soak
def test_migrate_continues_after_its_process_was_stopped_for_long(new_database: NewDatabase) -> None:
    """The database hears nothing for longer than a running process's transaction could idle."""
    earlier(Path("old.db"))
    place = new_database(ready=True)
    asyncio.run(prepared(place))
    with subprocess.Popen(
        command("sqlite:old.db", place), env=environment(), stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while not asyncio.run(idle(place)):
            assert process.poll() is None, "it ended before"
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(float(SETTINGS["idle_in_transaction_session_timeout"].removesuffix("s")) + 1.0)
        os.killpg(process.pid, signal.SIGCONT)
        output, _ = process.communicate()
    assert (process.returncode, output[:27]) == (0, "6 games moved and compared.")


@pytest.mark.parametrize("json", [False, True], ids=["for a person", "for a script"])
def test_a_terminal_shows_a_progress_bar_unless_json_is_asked_for(new_database: NewDatabase, json: bool) -> None:
    earlier(Path("old.db"))
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    command = ["--from", "sqlite:old.db", "--to", new_database(ready=True), *(["--json"] if json else [])]
    with Path(os.devnull).open("w") as nowhere:
        process = forks.begin(PROGRAM, *command, output=nowhere.fileno(), errors=theirs)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError), os.fdopen(ours, "rb", buffering=0) as terminal:  # it ends with an error
        while some := terminal.read(4096):
            shown += some
    process.join()
    assert process.exitcode == 0
    if json:
        assert shown == b""
    else:
        text = shown.decode()
        assert re.search(r"rows copied: 100%\|.*games compared: 100%\|.* 6/6 ", text, re.DOTALL), text

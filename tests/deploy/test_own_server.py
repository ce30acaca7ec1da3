"""A PostgreSQL is set back to a moment as docs/backups.md says; and what `harbormaster doctor` says about it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.cli import main
from tests.deploy.playing import play
from tests.house import ROOT
from tests.wire.postmaster import Postmaster

Record = Callable[[str, object], None]
TEXT = (ROOT / "docs/backups.md").read_text("utf-8")


@pytest.fixture
def house() -> Iterator[Path]:
    """A folder that the server's user can look into, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="harbormaster-"))
    folder.chmod(0o711)
    yield folder
    for log in folder.rglob("log"):
        print(f"{log}:", log.read_text()[-3000:], sep="\n")  # pytest shows this if a test fails
    shutil.rmtree(folder)


def said(name: str) -> str:
    """The value of a setting on the page."""
    [value] = re.findall(rf"^(?:ALTER SYSTEM SET )?{name} = (.+?);?$", TEXT, re.MULTILINE)
    return str(value)


def told(address: str, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, str]]:
    """State and sentences of the doctor's findings, by check."""
    capsys.readouterr()
    main(["doctor", "--json", "--database", address])
    checks = json.loads(capsys.readouterr().out)["checks"]
    return {one["check"]: (one["state"], f"{one['found']} {one['advice']}".strip()) for one in checks}


def copy(server: Postmaster, to: Path, *more: str) -> None:
    """Make a base backup."""
    server.run("pg_basebackup", "-h", str(server.socket.parent), "-U", "postgres", "-D", str(to), "-c", "fast", *more)
    (to / f"{server.socket.name}.lock").unlink(missing_ok=True)  # only here is the socket in the folder of the data


@pytest.mark.soak
def test_a_server_can_be_restored_to_a_point_in_time(
    house: Path, capsys: pytest.CaptureFixture[str], record_property: Record
) -> None:
    archive, base = house / "archive", house / "copies" / "base"
    server = Postmaster(house / "data", "fsync = off")
    for folder in (archive, base.parent):
        folder.mkdir()
        folder.chmod(0o777)
    address = server.new("games")
    try:
        asyncio.run(play(address, 5))
        findings = told(address, capsys)
        assert findings["durability"][0] == "wrong"
        assert "ALTER SYSTEM SET fsync = on" in findings["durability"][1]
        assert findings["backup"][0] == "note"
        server.set("fsync = on", "full_page_writes = off")
        time.sleep(0.5)
        assert "full_page_writes is off" in told(address, capsys)["durability"][1]
        server.set("full_page_writes = on")
        time.sleep(0.5)
        assert told(address, capsys)["durability"] == (
            "ok",
            "fsync and full_page_writes are on, synchronous_commit is on for actions.",
        )

        server.set("archive_mode = on", "archive_command = 'false'")
        server.stop()
        server.start()
        server.sql("SELECT pg_switch_wal()")
        until(lambda: told(address, capsys)["backup"][0] == "wrong")
        server.set(f"archive_command = {said('archive_command').replace('/archive', str(archive))}")
        until(lambda: told(address, capsys)["backup"][0] == "ok")
        copy(server, base)
        kept = asyncio.run(play(address, 10))
        time.sleep(1.0)
        moment = server.value("SELECT now()")
        time.sleep(1.0)
        assert asyncio.run(play(address, 10)) == kept + 10
        server.sql("SELECT pg_switch_wal()")
        last = server.value("SELECT pg_walfile_name(pg_current_wal_lsn() - 1)")
        until((archive / last).exists)
    finally:
        server.stop("immediate")
    shutil.rmtree(server.folder)  # the disk is gone
    base.rename(server.folder)

    with (server.folder / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"restore_command = {said('restore_command').replace('/archive', str(archive))}\n")
        settings.write(f"recovery_target_time = '{moment}'\n")
        settings.write(f"recovery_target_action = {said('recovery_target_action')}\n")
    (server.folder / "recovery.signal").touch()
    server.start()
    try:
        until(lambda: server.value("SELECT pg_is_in_recovery()") == "f")
        assert asyncio.run(play(address, 0)) == kept
        assert asyncio.run(play(address, 5)) == kept + 5
        record_property("actions answered, and found after a restore", kept)
    finally:
        server.stop("immediate")


def test_a_synchronous_standby_has_every_acknowledged_action(house: Path, record_property: Record) -> None:
    """The server's disk is lost without warning. The standby takes over, and the games go on in it."""
    server = Postmaster(house / "data")
    (house / "copies").mkdir(mode=0o777)
    (house / "copies").chmod(0o777)
    there = house / "copies" / "standby"
    address = server.new("games")
    kept = asyncio.run(play(address, 5))
    name = said("synchronous_standby_names").strip("'")
    copy(server, there, "-R", "-d", f"application_name={name}")
    standby = Replica(server, there)
    standby.start()
    try:
        try:
            server.set(f"synchronous_standby_names = '{name}'")
            until(lambda: server.value("SELECT sync_state FROM pg_stat_replication") == "sync")
            kept = asyncio.run(play(address, 20))
        finally:
            server.stop("immediate")
        shutil.rmtree(house / "data")
        standby.promote()
        # The processes know both servers, and find the one that can be written.
        [more] = re.findall(r"DATABASE_URL=postgresql://\S+,SECOND/harbormaster\?(\S+)", TEXT)
        address = address.replace(str(server.socket.parent), f"{server.socket.parent},{there}") + f"&{more}"
        until(lambda: asyncio.run(play(address, 0)) == kept)
        assert asyncio.run(play(address, 5)) == kept + 5
        record_property("actions, and found on the standby", kept)
    finally:
        standby.stop()


class Replica:
    """A standby of a server, on a socket of its own."""

    def __init__(self, server: Postmaster, folder: Path) -> None:
        self._server, self._folder = server, str(folder)

    def start(self) -> None:
        where = ("-o", f'-h "" -k {self._folder}', "-l", f"{self._folder}/log")
        self._server.run("pg_ctl", "-w", *where, "-D", self._folder, "start")

    def promote(self) -> None:
        self._server.run("pg_ctl", "-w", "-D", self._folder, "promote")

    def stop(self) -> None:
        self._server.run("pg_ctl", "-w", "-m", "immediate", "-D", self._folder, "stop")


def until(reached: object) -> None:
    """Wait until a condition is true."""
    assert callable(reached)
    end = time.monotonic() + 20
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.2)

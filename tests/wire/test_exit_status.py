"""How a bot that can't start ends: with 2 if only its host can fix it, with 1 if another attempt can help."""

from __future__ import annotations

import gzip
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from tests.house import ROOT
from tests.postgres import NewDatabase
from tests.wire.party import BOT
from tests.wire.process import BotProcess
from tests.wire.server import WireServer
from tests.wire.trouble import locked, needs_limits

MEND, PASSES = 2, 1
HASTY = [
    sys.executable,
    "-c",
    "from bot.store.postgresql import database;"
    "database.CONNECT_AGAIN = (1.0, 1.0);"
    "from bot.cli import main;"
    "raise SystemExit(main(['run']))",
]
"""A bot that retries a database sooner."""
EARLIER = ROOT / "tests/bot/files/0.1.0.db.gz"


def a_file(folder: Path) -> Path:
    """A file written by release 0.1.0."""
    path = folder / "games.db"
    path.write_bytes(gzip.decompress(EARLIER.read_bytes()))
    path.chmod(0o600)
    return path


async def ended(path: Path, env: dict[str, str], reason: str, room: int | None = None) -> int:
    """The status with which a bot ends at its start. It must say why in one sentence."""
    async with WireServer() as wire, BotProcess(wire, BOT, path, env) as bot:
        bot.alone = False
        await bot.launch(room)
        status = await bot.ended(20.0)
        output = bot.tail()
    assert "Traceback" not in output
    assert reason in output.splitlines()[-1], output
    return status


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("DISCORD_TOKEN", "another", "Discord refuses the token"),
        ("HARBORMASTER_SEATS", "none", "HARBORMASTER_SEATS: "),
        ("DATABASE_URL", "postgresql:nowhere", "must look like postgresql://"),
        ("HARBORMASTER_SHARDS", "7", "HARBORMASTER_SHARD_COUNT must be"),
        ("HARBORMASTER_MEMBERS", "yes", "HARBORMASTER_MEMBERS needs the Server Members Intent"),
        ("HARBORMASTER_HTTP", "no.such.host.invalid:9090", "can't be listened on"),
    ],
)
async def test_with_a_wrong_setting_the_exit_status_forbids_a_retry(
    tmp_path: Path, name: str, value: str, reason: str
) -> None:
    assert await ended(tmp_path / "games.db", {name: value}, reason) == MEND


async def test_with_an_unusable_file_the_exit_status_forbids_a_retry(tmp_path: Path) -> None:
    nowhere = {"DATABASE_URL": str(tmp_path / "none" / "games.db")}
    assert await ended(tmp_path / "games.db", nowhere, "No such file or directory") == MEND
    path = a_file(tmp_path)
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA user_version = 9000")
    assert await ended(path, {}, "belongs to a newer version") == MEND
    path.write_bytes(b"torn" * 5000)
    assert await ended(path, {}, "because it is damaged") == MEND


async def test_with_a_missing_database_the_exit_status_forbids_a_retry(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    address = new_database().replace("/games", "/missing")
    assert await ended(tmp_path / "games.db", {"DATABASE_URL": address}, "does not exist") == MEND


async def test_with_a_locked_file_the_exit_status_allows_a_retry(tmp_path: Path) -> None:
    path = a_file(tmp_path)
    async with locked(path, 8.0):
        assert await ended(path, {}, "locked") == PASSES


@needs_limits
async def test_with_a_full_disk_the_exit_status_allows_a_retry(tmp_path: Path) -> None:
    assert await ended(a_file(tmp_path), {}, "can't be", room=20_000) == PASSES


async def test_with_a_port_in_use_the_exit_status_allows_a_retry(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert await ended(tmp_path / "games.db", {"HARBORMASTER_HTTP": port}, "can't be listened on") == PASSES


async def test_with_a_read_only_database_the_exit_status_allows_a_retry(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    """For example, a standby that will become the database."""
    address = new_database()
    connection = await asyncpg.connect(address)
    name = await connection.fetchval("SELECT current_database()")
    await connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await connection.close()
    assert await ended(tmp_path / "games.db", {"DATABASE_URL": address}, "is read-only") == PASSES


async def test_an_unreachable_database_is_tried_several_times_and_the_exit_status_allows_a_retry(
    tmp_path: Path,
) -> None:
    """After several attempts of the bot itself, which take 38 seconds, but less here."""
    env = {"DATABASE_URL": "postgresql://ann:secret@127.0.0.1:1/games"}
    async with WireServer() as wire, BotProcess(wire, HASTY, tmp_path / "games.db", env) as bot:
        bot.alone = False
        await bot.launch()
        assert await bot.ended(20.0) == PASSES
        assert bot.tail().count("will be tried again in 1 s") == 2
        assert "can't be reached" in bot.tail().splitlines()[-1]
        assert "secret" not in bot.tail()


async def test_a_proxy_that_doesnt_answer_is_named_by_its_setting(tmp_path: Path) -> None:
    env = {"HARBORMASTER_PROXY": "http://127.0.0.1:1"}
    reason = "Discord can't be reached through http://127.0.0.1:1, which HARBORMASTER_PROXY names"
    assert await ended(tmp_path / "games.db", env, reason) == PASSES

"""Commands that read games change nothing at a place where there are none: they refuse it with one sentence."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import asyncpg
import pytest

from bot.cli import main
from bot.settings import SettingsError
from bot.store import open_store
from tests.bot.commands.stored import READING, TOKEN
from tests.bot.old_files import earlier
from tests.postgres import NewDatabase


def state(folder: Path) -> dict[str, str]:
    """Everything in a folder: digests of files by path."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
    }


def foreign(path: Path, version: int = 0) -> Path:
    """Another program's database."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"CREATE TABLE birds (name); PRAGMA user_version = {version}")
    return path


@pytest.fixture(params=["missing", "empty", "foreign", "foreign with a version", "folder", "text", "in no folder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A place without games of Harbormaster's."""
    path = tmp_path / "other.db"
    match request.param:
        case "empty":
            path.touch()
        case "foreign":
            foreign(path)
        case "foreign with a version":
            foreign(path, 3)
        case "folder":
            path.mkdir()
        case "text":
            path.write_text("Dear diary,\n" * 500)
        case "in no folder":
            path = tmp_path / "none" / "other.db"
    return path


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence with which a command line is refused."""
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("harbormaster: ")
    assert output.err.count("\n") == 1
    return output.err


@pytest.mark.parametrize("name", READING)
def test_a_command_that_reads_games_changes_nothing_where_there_are_none(
    name: str, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(tmp_path)
    assert str(place) in refused([name, "--database", str(place), *READING[name]], capsys)
    assert state(tmp_path) == before


@pytest.mark.parametrize(
    "arguments", [["restore", "--database", "target.db", "{}"], ["migrate", "--from", "{}", "--to", "target.db"]]
)
def test_nothing_is_made_of_a_source_without_games(
    arguments: list[str], place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(tmp_path)
    refused([argument.format(place) for argument in arguments], capsys)
    after = state(tmp_path)
    after.pop("other.db.lock", None)  # a damaged file might be Harbormaster's, so it is locked
    assert after == before


@pytest.mark.parametrize(
    "arguments", [["restore", "--database", "{}", "old.db"], ["migrate", "--from", "old.db", "--to", "{}"]]
)
@pytest.mark.parametrize("place", ["foreign", "folder", "in no folder"], indirect=True)
def test_no_folder_is_made_for_games_and_no_other_file_replaced(
    arguments: list[str], place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier(tmp_path / "old.db")
    before = state(tmp_path)
    sentence = refused([argument.format(place) for argument in arguments], capsys)
    assert str(place.parent) in sentence
    assert state(tmp_path) == before


def test_harbormaster_doesnt_start_on_another_programs_file(tmp_path: Path) -> None:
    path = foreign(tmp_path / "other.db")
    before = state(tmp_path)
    with pytest.raises(SettingsError, match="isn't a database file of Harbormaster's"):
        asyncio.run(open_store(path, exclusive=True))
    assert state(tmp_path) == before


def test_the_doctor_names_a_file_that_isnt_harbormasters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = foreign(tmp_path / "other.db")
    assert main(["doctor", "--database", str(path)]) == 1
    assert f"WRONG database    {path} isn't a database file of Harbormaster's." in capsys.readouterr().out


def test_an_empty_postgresql_database_stays_empty(
    new_database: NewDatabase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = new_database()
    for name in ("log", "ratings", "export", "forget"):
        assert "no game has been played in it yet" in refused([name, "--database", address, *READING[name]], capsys)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert main(["doctor", "--database", address]) == 0
    assert "made at the first start" in capsys.readouterr().out
    assert asyncio.run(_tables(address)) == 0


async def _tables(address: str) -> int:
    connection = await asyncpg.connect(address)
    try:
        return int(await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
    finally:
        await connection.close()

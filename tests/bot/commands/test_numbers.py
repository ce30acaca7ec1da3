"""No number of a game is given twice: not after a restore, not after a move, and not when the games were deleted."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.cli import main
from bot.settings import StoreAddress
from bot.store import open_store
from bot.store.sql.tables import SKIPPED_NUMBERS
from bot.table.table import CANCELLED
from tests.bot.commands.moving import migrate, rows
from tests.bot.store.behind import ask
from tests.bot.store.sample import NEW, add
from tests.postgres import NewDatabase

PARTS = ("interactions", "shown", "members", "acts", "jobs")


async def _opened(place: StoreAddress, tables: int, kept: int | None) -> int:
    """Open tables and cancel them at once. Returns the last one's number. `kept`: then all with a higher number are
    deleted, as HARBORMASTER_KEEP_GAMES does."""
    store = await open_store(place, exclusive=True)
    for _ in range(tables):
        number = (await store.numbers() or [0])[-1]
        table = await add(store, replace(NEW, status=CANCELLED), f"open-{number}")
    if kept is not None:
        for part in PARTS:
            await ask(store, f"DELETE FROM {part} WHERE game > ?", kept)
        await ask(store, "DELETE FROM games WHERE number > ?", kept)
    await store.close()
    return table.number


def opened(place: StoreAddress, tables: int = 1, kept: int | None = None) -> int:
    return asyncio.run(_opened(place, tables, kept))


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> StoreAddress:
    """A place for games that has the tables."""
    if request.param == "postgresql":
        address: str = request.getfixturevalue("new_database")(ready=True)
        return address
    asyncio.run(rows(tmp_path / "games.db", "SELECT 1"))
    return tmp_path / "games.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> StoreAddress:
    """Another place, where nothing is."""
    if request.param == "postgresql":
        address: str = request.getfixturevalue("new_database")()
        return address
    return tmp_path / "target.db"


def test_games_that_were_deleted_count_after_a_move(place: StoreAddress, target: StoreAddress) -> None:
    assert opened(place, 5, kept=2) == 5
    assert migrate(place, target) == 0
    assert asyncio.run(rows(target, "SELECT max(number) FROM games")) == [(2,)]
    assert opened(target) == opened(place) == 6


def test_so_do_those_of_the_target(target: StoreAddress, tmp_path: Path) -> None:
    assert opened(target, 9, kept=0) == 9
    assert opened(tmp_path / "games.db", 3) == 3
    assert migrate(tmp_path / "games.db", target) == 0
    assert opened(target) == 10


def test_numbers_that_a_restore_skips_are_skipped_after_a_move(tmp_path: Path, new_database: NewDatabase) -> None:
    path, copy, place = tmp_path / "games.db", tmp_path / "copy.db", new_database()
    opened(path, 2)
    assert main(["backup", "--database", str(path), str(copy)]) == 0
    assert main(["restore", "--database", str(path), str(copy)]) == 0
    assert migrate(path, place) == 0
    assert opened(place) == 2 + SKIPPED_NUMBERS + 1


def test_a_restore_skips_the_games_that_were_opened_since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.sqlite.copies.SKIPPED_NUMBERS", 3)
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    opened(path, 2)
    assert main(["backup", "--database", str(path), str(copy)]) == 0
    opened(path, 8)
    assert main(["restore", "--database", str(path), str(copy)]) == 0
    assert opened(path) == 10 + 3 + 1


def test_a_restored_database_skips_the_games_that_were_deleted_before(new_database: NewDatabase) -> None:
    place = new_database(ready=True)
    assert opened(place, 9, kept=1) == 9
    assert main(["restored", "--database", place]) == 0
    assert opened(place) == 9 + SKIPPED_NUMBERS + 1

"""A file that lacks the latest change noted next to it is an older copy: open games are then shown again."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bot.projections import PANEL, SEARCH, Name
from bot.store import Change
from bot.store.sqlite import store as module
from bot.store.sqlite.copies import restore
from bot.store.sqlite.store import SqliteStore, latest_change
from bot.table.table import CANCELLED, LOBBY
from tests.bot.store.behind import tidy
from tests.bot.store.sample import NEW

OLD = "copy.db"


async def used(path: Path, *games: int, changes: int = 1, opens: bool = False) -> None:
    """Use a file: open a game, or change games."""
    store = await SqliteStore.open(path, exclusive=True)
    if opens:
        await store.add_table(NEW, bytes(32), "open", (PANEL,))
    for number in games:
        for _ in range(changes):
            table = await store.table(number)
            assert table is not None
            next_ = replace(table, version=table.version + 1)
            await store.save(Change(next_, None, (), since=table.version, at=1.0))
    await store.close()


async def due(path: Path) -> list[Name]:
    """What a start finds due in the first game."""
    store = await SqliteStore.open(path, exclusive=True)
    try:
        return [name for name, one in (await store.visible(1)).items() if one.pending and name == SEARCH]
    finally:
        await store.close()


async def opened(path: Path, tables: int) -> int:
    """Open some tables and cancel them, but the last one. Returns its number."""
    store = await SqliteStore.open(path, exclusive=True)
    for n in range(tables):
        status = LOBBY if n == tables - 1 else CANCELLED
        new = replace(NEW, status=status, channel=NEW.channel + 1)
        table = await store.add_table(new, bytes(32), f"more-{n}", ())
    await store.close()
    return table.number


async def version_of(path: Path) -> int:
    """The version of the first game after a start."""
    store = await SqliteStore.open(path, exclusive=True)
    try:
        table = await store.table(1)
        assert table is not None
        return table.version
    finally:
        await store.close()


async def test_the_same_file_and_a_newer_one_are_shown_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await used(path, opens=True)
    await used(path, 1)
    assert latest_change(path) == (1, 2)
    assert await due(path) == []
    note = (tmp_path / "games.db.latest").read_text()
    await used(path, 1)
    (tmp_path / "games.db.latest").write_text(note)  # as after a kill
    assert await due(path) == []
    (tmp_path / "games.db.latest").unlink()
    assert await due(path) == []


@pytest.mark.parametrize("later", ["changed", "opened"])
async def test_an_older_copy_is_recognized(tmp_path: Path, later: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "games.db"
    await used(path, opens=True)
    shutil.copy(path, tmp_path / OLD)
    if later == "changed":
        await used(path, 1, changes=3)
    else:
        store = await SqliteStore.open(path, exclusive=True)
        await store.add_table(replace(NEW, channel=NEW.channel + 1), bytes(32), "another", (PANEL,))
        await store.close()
    for _ in range(2):
        shutil.copy(tmp_path / OLD, path)
        caplog.clear()
        assert await due(path) == [SEARCH]
        assert "is older than what was last used here" in caplog.text
        version = await version_of(path)
        caplog.clear()
        assert await version_of(path) == version, "the next start has nothing to do"
        assert caplog.text == ""


async def test_after_an_older_copy_no_number_is_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SKIPPED_NUMBERS", 10)
    path = tmp_path / "games.db"
    await used(path, opens=True)
    shutil.copy(path, tmp_path / OLD)
    await opened(path, 30)
    assert latest_change(path) == (31, 1)
    shutil.copy(tmp_path / OLD, path)
    assert await opened(path, 1) == 42


async def test_a_file_whose_latest_game_upkeep_has_deleted_is_no_older_copy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.db"
    await used(path, opens=True)
    store = await SqliteStore.open(path, exclusive=True)
    table = await store.add_table(replace(NEW, channel=NEW.channel + 1), bytes(32), "another", ())
    await store.save(Change(replace(table, status=CANCELLED, version=2), None, (), since=1, at=1.0))
    await store.close()
    assert latest_change(path) == (2, 2)
    store = await SqliteStore.open(path, exclusive=True, days=7)
    await tidy(store)
    assert await store.numbers() == [1]
    await store.close()
    assert await version_of(path) == 1
    assert caplog.text == ""


async def test_after_a_restore_nothing_is_shown_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await used(path, opens=True)
    shutil.copy(path, tmp_path / OLD)
    await used(path, 1, changes=3)
    restore(tmp_path / OLD, path)
    assert latest_change(path) is None


async def test_a_new_file_and_an_unreadable_note_are_no_older_copy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.db"
    await used(path, opens=True)
    path.unlink()
    await used(path)
    (tmp_path / "games.db.latest").write_bytes(b"\xff")
    await used(path, opens=True)
    assert caplog.text == ""

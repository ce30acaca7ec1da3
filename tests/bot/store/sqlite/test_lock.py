"""One process per file: a second one refuses to start and names the first, however the process before them ended."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sqlite3
import stat
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from bot.offline import open_table
from bot.settings import SettingsError
from bot.store import open_store
from tests.bot.store.sample import add
from tests.bot.store.sqlite.earlier import undo_steps
from tests.forks import fork


async def hold(here: Connection, path: Path) -> None:
    """Be the process that dies: hold the file's lock."""
    await open_store(path, exclusive=True)
    here.send("open")
    await asyncio.sleep(60)


async def test_a_second_process_is_refused_and_told_which_process_has_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await open_store(path, exclusive=True)
    with pytest.raises(SettingsError) as refused:
        await open_store(path, exclusive=True)
    holder = rf"process {os.getpid()} on host {re.escape(socket.gethostname())} since 20\d\d-\d\d-\d\d \d\d:\d\d"
    assert re.fullmatch(
        rf"The database file {re.escape(str(path))} is in use by {holder}; stop it first, or use another file\.",
        str(refused.value),
    )
    await store.close()
    await (await open_store(path, exclusive=True)).close()


async def test_the_lock_is_released_when_its_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    process, received = fork(hold, path)
    assert received.recv() == "open"
    with pytest.raises(SettingsError, match=f"in use by process {process.pid} on"):
        await open_store(path, exclusive=True)
    process.kill()
    process.join()
    await (await open_store(path, exclusive=True)).close()


async def test_the_lock_holds_for_every_path_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link.db").symlink_to("games.db")
    store = await open_store(tmp_path / "games.db", exclusive=True)
    monkeypatch.chdir(tmp_path)
    for path in (Path("games.db"), Path("link.db")):
        with pytest.raises(SettingsError, match="in use"):
            await open_store(path, exclusive=True)
    await store.close()


async def test_readers_need_no_lock(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.db", exclusive=True)
    reader = await open_store(tmp_path / "games.db")
    assert await reader.numbers() == []
    await reader.close()
    await store.close()


async def test_a_reader_does_not_migrate_a_file_in_use(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = await open_store(path, exclusive=True)
    undo_steps(path)
    with pytest.raises(SettingsError, match="in use by process"):
        await open_store(path)
    await store.close()
    await (await open_store(path)).close()
    await (await open_store(path, exclusive=True)).close()  # the reader has left no lock behind
    with closing(sqlite3.connect(path)) as sql:
        assert sql.execute("SELECT checksum FROM games").fetchall() == []


async def test_a_file_that_cannot_be_used_is_not_locked(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(SettingsError, match="can't be used"):
        await open_store(path, exclusive=True)
    path.unlink()
    await (await open_store(path, exclusive=True)).close()


async def test_the_offline_table_refuses_a_file_in_use(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.db", exclusive=True)
    with pytest.raises(SettingsError, match="in use by process"):
        async with open_table(tmp_path / "games.db"):
            pass
    await store.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
async def test_a_file_that_others_could_read_is_its_owners_once_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `sqlite3 … .recover` makes one."""
    path = tmp_path / "games.db"
    files = [path, *(tmp_path / f"games.db{suffix}" for suffix in ("-wal", "-shm", ".latest"))]

    def modes() -> set[int]:
        return {stat.S_IMODE(file.stat().st_mode) for file in files}

    store = await open_store(path, exclusive=True)
    await add(store)
    await store.close()
    assert stat.S_IMODE(files[-1].stat().st_mode) == 0o600
    (tmp_path / "link.db").symlink_to(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT * FROM games").fetchall()  # so that the log stays
        for file in files:
            file.chmod(0o644)
        await (await open_store(tmp_path / "link.db")).close()  # as commands do that can be another user's
        assert modes() == {0o644}
        with monkeypatch.context() as patch:
            patch.setattr(Path, "chmod", refuse)
            await (await open_store(tmp_path / "link.db", exclusive=True)).close()
        assert modes() == {0o644}
        await (await open_store(tmp_path / "link.db", exclusive=True)).close()
        assert modes() == {0o600}


def refuse(path: Path, mode: int) -> None:
    raise PermissionError

"""`harbormaster backup` and `restore`: copies are complete, and nothing is overwritten or left half done."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli import main
from bot.projections import Kind, Move, Name, Place, moved, of_kind
from bot.servers import Overview
from bot.store import open_store
from bot.store.sqlite import copies
from bot.store.sqlite.file import holder
from tests import forks
from tests.bot.commands.stored import played
from tests.bot.old_files import earlier
from tests.bot.playground import Playground


def backup(database: Path, *arguments: object) -> int:
    return main(["backup", "--database", str(database), *map(str, arguments)])


def restore(database: Path, *arguments: object) -> int:
    return main(["restore", "--database", str(database), *map(str, arguments)])


def files(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def records(path: Path) -> int:
    with closing(sqlite3.connect(path)) as sql:
        [count] = sql.execute("SELECT count(*) FROM records").fetchone()
        return int(count)


def refused(capsys: pytest.CaptureFixture[str], reason: str) -> None:
    """Check that one line with the reason is on standard error, and nothing on standard output."""
    output = capsys.readouterr()
    assert output.out == ""
    assert reason in output.err
    assert output.err.count("\n") == 1


async def test_a_backup_can_be_made_while_harbormaster_is_running(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    await played(path, 20)
    bot = await open_store(path, exclusive=True)
    try:
        assert await asyncio.to_thread(backup, path, copy, "--json") == 0
    finally:
        await bot.close()
    size = copy.stat().st_size
    assert json.loads(capsys.readouterr().out) == {"backup": str(copy), "bytes": size, "games": 1, "damaged": {}}
    assert records(copy) == records(path) == 21
    assert copy.stat().st_mode & 0o077 == 0
    assert files(tmp_path) <= {"games.db", "games.db.lock", "games.db.last-backup", "copy.db"}


def test_a_backup_never_overwrites_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, copy = earlier(tmp_path / "games.db"), tmp_path / "copy.db"
    copy.write_text("mine")
    assert backup(path, copy) == 2
    refused(capsys, "copy.db exists already, and nothing is overwritten")
    assert copy.read_text() == "mine"
    (tmp_path / "link.db").symlink_to("nowhere")
    assert backup(path, tmp_path / "link.db") == 2
    refused(capsys, "link.db exists already")
    assert not (tmp_path / "nowhere").exists()


def test_a_file_of_an_earlier_version_is_copied_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = earlier(tmp_path / "games.db")
    before = path.read_bytes()
    assert backup(path, tmp_path / "copy.db") == 0
    assert "copy.db: 6 games, " in capsys.readouterr().out
    assert path.read_bytes() == before
    assert records(tmp_path / "copy.db") == records(path)


def test_a_backup_reports_damaged_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    asyncio.run(played(path, 5))
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("UPDATE records SET body = '[]' WHERE number = 3")
    assert backup(path, tmp_path / "copy.db") == 1
    output = capsys.readouterr().out
    assert "Game 1 is damaged (record 3 has a wrong checksum)" in output
    assert (tmp_path / "copy.db").exists()


@pytest.mark.parametrize("content", [b"no database at all" * 99, b""])
def test_a_file_that_is_no_database_is_not_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    path.write_bytes(content)
    assert backup(path, copy) == 2
    refused(capsys, "games.db")
    assert restore(copy, path) == 2
    refused(capsys, "games.db")
    assert files(tmp_path) <= {"games.db", "copy.db.lock"}


def test_a_missing_file_or_folder_is_refused_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert backup(tmp_path / "none.db", tmp_path / "copy.db") == 2
    refused(capsys, "There is no file")
    assert restore(tmp_path / "games.db", tmp_path / "none.db") == 2
    refused(capsys, "There is no file")
    assert backup(earlier(tmp_path / "games.db"), tmp_path / "none" / "copy.db") == 2
    refused(capsys, "copy.db can't be written: No such file or directory.")


def test_a_full_disk_leaves_no_partial_copy(tmp_path: Path) -> None:
    path, copy = earlier(tmp_path / "games.db"), tmp_path / "copy.db"
    program = (
        "import resource, signal, sys\n"
        "from bot.cli import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = forks.done(program, "backup", "--database", str(path), str(copy))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert files(tmp_path) == {"games.db"}


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_postgresql_database_is_refused_with_a_hint_at_pg_dump(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--database", "postgresql://ann:secret@db.example/games", "copy.db"]) == 2
    error = capsys.readouterr().err
    assert "The PostgreSQL database games on db.example isn't a file: copy it with pg_dump" in error
    assert "secret" not in error


# --- restore


async def test_games_in_a_restored_file_go_on_and_the_old_file_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    await played(path, 10)
    assert await asyncio.to_thread(backup, path, copy) == 0
    await played(path, 30, channel=51)
    later = records(path)
    assert await asyncio.to_thread(restore, path, copy) == 0
    assert "games.before-1.db" in capsys.readouterr().out
    assert records(path) == records(copy) == 11
    assert records(tmp_path / "games.before-1.db") == later
    assert path.stat().st_mode & 0o077 == 0
    ground = Playground(path)
    await ground.open()
    assert (await ground.game(1)).revision == 11
    await ground.close()
    assert await asyncio.to_thread(restore, path, tmp_path / "games.before-1.db", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report == {"restored": str(path), "aside": str(tmp_path / "games.before-2.db"), "games": 2, "damaged": {}}
    assert records(path) == later


async def test_after_a_restore_lists_tags_and_commands_are_sent_again(tmp_path: Path) -> None:
    """Discord has those of the time after the backup, perhaps of a newer version."""
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    await played(path, 10)
    store = await open_store(path, exclusive=True)
    await store.save_commands("digest 7:roll")
    await store.set_overview(1, None, Overview(5, 80, 90.0, "all shown"))
    await store.note(1, [moved(None, Name(Kind.TAG, "running"), Move.FIND, 1, Place(5))])
    await store.close()
    assert await asyncio.to_thread(backup, path, copy) == 0
    assert await asyncio.to_thread(restore, path, copy) == 0
    store = await open_store(path, exclusive=True)
    assert await store.commands() == ""
    assert await store.overview(1) == Overview(5, 80, 90.0, "", (5,))
    assert not of_kind(await store.visible(1), Kind.TAG)
    await store.close()


def test_the_note_of_the_last_backup_can_be_another_users(tmp_path: Path) -> None:
    """Such as root's, whose file no one else can write."""
    path = tmp_path / "games.db"
    asyncio.run(played(path, 10))
    note = tmp_path / "games.db.last-backup"
    note.write_text("2026-01-01T000000Z /old.db\n")
    inode = note.stat().st_ino
    assert backup(path, tmp_path / "copy.db") == 0
    assert "copy.db" in note.read_text()
    assert note.stat().st_ino != inode, "written into, instead of replaced"


def test_a_restore_keeps_what_a_killed_process_left_in_its_wal_file(tmp_path: Path) -> None:
    """The newest actions are only in the `-wal` file, since the killed process didn't fold it into the database."""
    path, copy = tmp_path / "games.db", earlier(tmp_path / "copy.db")
    asyncio.run(played(path, 10))
    program = (
        "import asyncio, os, pathlib, sys\n"
        "from tests.bot.commands.stored import played\n"
        "from tests.bot.playground import Playground\n"
        "async def close(self): os._exit(0)\n"
        "Playground.close = close\n"
        "asyncio.run(played(pathlib.Path(sys.argv[1]), 10, channel=51))\n"
    )
    assert forks.done(program, str(path)).returncode == 0
    assert (tmp_path / "games.db-wal").stat().st_size > 0
    assert restore(path, copy) == 0
    assert records(tmp_path / "games.before-1.db") == 22
    assert not (tmp_path / "games.db-wal").exists()


async def test_nothing_is_restored_while_harbormaster_is_running(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy = tmp_path / "games.db", earlier(tmp_path / "copy.db")
    bot = await open_store(path, exclusive=True)
    before = files(tmp_path)
    assert await asyncio.to_thread(restore, path, copy) == 2
    refused(capsys, "is in use by process")
    assert files(tmp_path) == before
    await bot.close()


def test_a_file_of_a_newer_version_is_not_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, copy = earlier(tmp_path / "games.db"), earlier(tmp_path / "copy.db")
    with closing(sqlite3.connect(copy)) as sql:
        sql.execute("PRAGMA user_version = 9000")
    before = path.read_bytes()
    assert restore(path, copy) == 2
    refused(capsys, "belongs to a newer version of Harbormaster")
    assert path.read_bytes() == before
    assert main(["run", "--database", str(copy)]) == 2


def test_a_file_cant_be_restored_from_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = earlier(tmp_path / "games.db")
    assert restore(path, path) == 2
    refused(capsys, "is the database file itself")


def test_a_damaged_file_is_moved_aside_unchanged(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", earlier(tmp_path / "copy.db")
    path.write_bytes(b"torn" * 5000)
    (tmp_path / "games.db-wal").write_bytes(b"its log")
    assert restore(path, copy) == 0
    assert (tmp_path / "games.before-1.db").read_bytes() == b"torn" * 5000
    assert (tmp_path / "games.before-1.db-wal").read_bytes() == b"its log"
    assert records(path) == records(copy)


def test_restore_works_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, copy = earlier(tmp_path / "games.db"), earlier(tmp_path / "copy.db")

    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert restore(path, copy) == 0
    assert records(tmp_path / "games.before-1.db") == records(path)


def test_a_failed_restore_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy = earlier(tmp_path / "games.db"), earlier(tmp_path / "copy.db")

    def full(path: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(copies, "_move_aside", full)
    assert restore(path, copy) == 2
    refused(capsys, "No space left on device")
    assert holder(path) is None
    assert files(tmp_path) == {"games.db", "games.db.lock", "copy.db"}


# --- dated backups


DATED = re.compile(r"games-\d{4}-\d\d-\d\dT\d{6}Z\.db")


def test_only_the_latest_dated_backups_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = earlier(tmp_path / "games.db"), tmp_path / "backups"
    folder.mkdir()
    old = [f"games-2026-01-{day:02}T030000Z.db" for day in range(1, 6)]
    others = {
        *("games.db", "games-notes.txt", "games-2026-01-01.db", "other-2026-01-01T030000Z.db"),
        *("games-2026-01-01T030000Z.db.gz", "my-games-2026-01-01T030000Z.db", "games-2026-01-01T030000Z.db-wal"),
    }
    for name in (*old, *others):
        (folder / name).touch()
    (folder / "games-2025-01-01T030000Z.db").mkdir()
    assert backup(path, "--keep", 3, folder, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    new = Path(report["backup"])
    assert DATED.fullmatch(new.name)
    assert report["removed"] == [str(folder / name) for name in old[:3]]
    assert files(folder) == {new.name, *old[3:], *others, "games-2025-01-01T030000Z.db"}
    assert records(new) == records(path)
    assert new.stat().st_mode & 0o077 == 0


def test_the_new_backup_is_kept_even_if_others_have_later_dates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = earlier(tmp_path / "games.db")
    (tmp_path / "games-2099-01-01T030000Z.db").touch()
    (tmp_path / "games-2099-01-02T030000Z.db").touch()
    assert backup(path, "--keep", 1, tmp_path) == 0
    output = capsys.readouterr().out
    [new] = [name for name in files(tmp_path) if DATED.fullmatch(name)]
    assert new in output.splitlines()[0]
    assert output.count("Removed ") == 2
    assert records(tmp_path / new) == records(path)


def test_old_partial_backups_are_removed_but_new_ones_are_not(tmp_path: Path) -> None:
    path = earlier(tmp_path / "games.db")
    old, fresh = (tmp_path / f"games-2026-01-0{day}T030000Z.db.partial" for day in (1, 2))
    for file in (old, fresh):
        file.touch()
    os.utime(old, (1_700_000_000, 1_700_000_000))
    assert backup(path, "--keep", 3, tmp_path) == 0
    assert (old.exists(), fresh.exists()) == (False, True)


def test_no_backup_is_removed_while_games_are_damaged(tmp_path: Path) -> None:
    """Otherwise, after two weeks, no backup with undamaged copies of those games would be left."""
    path, folder = tmp_path / "games.db", tmp_path / "backups"
    asyncio.run(played(path, 5))
    folder.mkdir()
    old = [f"games-2026-01-{day:02}T030000Z.db" for day in range(1, 6)]
    for name in old:
        (folder / name).touch()
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("UPDATE records SET body = '[]' WHERE number = 3")
    assert backup(path, "--keep", 2, folder) == 1
    assert files(folder) > {*old}


def test_a_failed_backup_removes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = tmp_path / "games.db", tmp_path / "backups"
    path.write_bytes(b"torn" * 5000)
    folder.mkdir()
    (folder / "games-2026-01-01T030000Z.db").touch()
    assert backup(path, "--keep", 1, folder) == 2
    refused(capsys, "it is damaged")
    assert files(folder) == {"games-2026-01-01T030000Z.db"}
    assert files(tmp_path) == {"games.db", "backups"}


@pytest.mark.parametrize("keep", ["0", "-1", "x", "1.5", "10001", "", "٣"])
def test_keep_must_be_a_number_from_1_to_10000(tmp_path: Path, capsys: pytest.CaptureFixture[str], keep: str) -> None:
    path = earlier(tmp_path / "games.db")
    with pytest.raises(SystemExit) as ended:
        backup(path, f"--keep={keep}", tmp_path)
    assert ended.value.code == 2
    assert "must be a number from 1 to 10000" in capsys.readouterr().err
    assert files(tmp_path) == {"games.db"}


def test_dated_backups_need_an_existing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that isn't there could be on a disk that isn't mounted."""
    path = earlier(tmp_path / "games.db")
    for target in (tmp_path / "none", path):
        assert backup(path, "--keep", 3, target) == 2
        refused(capsys, f"There is no folder {target}; make it first")
    assert backup(path, tmp_path) == 2
    refused(capsys, "exists already")
    assert files(tmp_path) == {"games.db"}

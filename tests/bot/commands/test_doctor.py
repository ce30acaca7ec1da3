"""`harbormaster doctor`: finds problems and says how to fix them, without revealing secrets or changing anything."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sqlite3
import time
from contextlib import closing
from math import inf
from pathlib import Path

import pytest

from bot.cli import main
from bot.commands import doctor
from bot.commands.doctor import _network
from bot.metrics import Metrics
from bot.monitoring.health import Health, Watch
from bot.projections import Kind
from bot.settings import Listen, load_settings
from bot.store import open_store
from bot.tasks import Worker
from bot.web import Website
from tests.bot.commands.stored import TOKEN, played
from tests.bot.noted import noted
from tests.bot.old_files import earlier
from tests.bot.store.behind import ask
from tests.postgres import NewDatabase

Told = dict[str, tuple[str, str]]


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)


def asked(capsys: pytest.CaptureFixture[str], status: int) -> Told:
    """Run the doctor. Returns state and text by check; each check reports at most one finding."""
    assert main(["doctor", "--json"]) == status
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] == (status == 0)
    found = {
        check["check"]: (check["state"], f"{check['found']} {check['advice']}".strip()) for check in report["checks"]
    }
    assert (status == 1) == any(state == "wrong" for state, _ in found.values())
    return found


def lock_file() -> bytes:
    return Path("harbormaster.db.lock").read_bytes()


def test_a_new_installation_is_sound(
    empty_house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = asked(capsys, 0)
    assert {check: state for check, (state, _) in findings.items()} == {
        "version": "ok",
        "settings": "ok",
        "languages": "ok",
        "token": "ok",
        "permissions": "note",
        "disk": "ok",
        "database": "ok",
        "clock": "ok",
    }
    assert "client_id=123456789012345678" in findings["permissions"][1]
    assert "permissions=309237746688" in findings["permissions"][1]
    assert findings["database"][1] == "harbormaster.db is made at the first start."
    assert list(empty_house.iterdir()) == []


def test_each_finding_is_one_line_without_the_token(empty_house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(played(empty_house / "harbormaster.db", 3))
    assert main(["doctor"]) == 0
    output = capsys.readouterr().out
    assert output.count("\n") == 12
    assert all(line.startswith(("ok    ", "note  ")) for line in output.splitlines())
    assert not any(part in output for part in TOKEN.split("."))


@pytest.mark.parametrize("token", ["", "abc", "a" * 32, "Bot" + TOKEN, TOKEN[:-20], "YWJj" * 6 + TOKEN[24:]])
def test_an_invalid_token_is_reported(
    token: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    state, text = asked(capsys, 1)["token"]
    assert state == "wrong"
    assert "Copy it from Discord's developer portal" in text
    assert not token or token not in text


def test_with_another_api_address_an_odd_token_is_only_a_note(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "bench")
    monkeypatch.setenv("HARBORMASTER_REST_BASE", "http://127.0.0.1:1/api/v10")
    assert asked(capsys, 1)["token"][0] == "note"


def test_a_wrong_setting_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBORMASTER_SEATS", "99")
    state, text = asked(capsys, 1)["settings"]
    assert state == "wrong"
    assert text.startswith("HARBORMASTER_SEATS: ")
    assert "99" not in text


def test_a_misspelled_setting_is_reported(
    empty_house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARBORMASTER_DATABSE", "x.db")
    assert asked(capsys, 0)["settings"] == (
        "note",
        "HARBORMASTER_DATABSE isn't a setting. Did you mean HARBORMASTER_DATABASE?",
    )
    monkeypatch.delenv("HARBORMASTER_DATABSE")
    (empty_house / ".env").write_text("HARBORMASTER_DISCORD_TOKE=x\n")
    (empty_house / ".env").chmod(0o600)
    assert "HARBORMASTER_DISCORD_TOKE isn't a setting. Did you mean DISCORD_TOKEN?" in asked(capsys, 0)["settings"][1]


def test_files_that_other_users_can_read_are_reported(empty_house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (empty_house / ".env").write_text("")
    (empty_house / ".env").chmod(0o644)
    assert asked(capsys, 1)["settings"] == ("wrong", "Others on this machine can read .env. chmod 600 .env")
    (empty_house / ".env").unlink()
    earlier(empty_house / "harbormaster.db").chmod(0o640)
    assert main(["doctor"]) == 1
    assert "WRONG database    Others on this machine can read harbormaster.db" in capsys.readouterr().out


async def test_a_running_process_is_reported_and_not_disturbed(
    empty_house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(empty_house / "harbormaster.db", 3)
    bot = await open_store(Path("harbormaster.db"), exclusive=True)
    before = lock_file()
    findings = await asyncio.to_thread(asked, capsys, 1)  # the game's clock is in the year 1970
    assert findings["bot"][0] == "ok"
    assert f"process {os.getpid()} on host" in findings["bot"][1]
    assert findings["pictures"][0] == "wrong"
    assert "not yet shown: 1 game, the oldest for 20" in findings["pictures"][1]
    due = {name: one.due for name, one in (await bot.visible(1)).items()}
    await bot.note(1, [noted(name, version) for name, version in due.items() if name.kind is not Kind.HAND])
    with monkeypatch.context() as patched:
        patched.setattr(doctor, "STILL_FOR", inf)  # hands come that late on purpose
        assert (await asyncio.to_thread(asked, capsys, 0))["pictures"][0] == "ok"
    assert (await asyncio.to_thread(asked, capsys, 1))["pictures"][0] == "wrong"
    await bot.note(1, [noted(name, version) for name, version in due.items()])
    assert (await asyncio.to_thread(asked, capsys, 0))["pictures"] == ("ok", "All that was played is shown.")
    assert lock_file() == before
    await bot.close()
    findings = await asyncio.to_thread(asked, capsys, 0)
    assert findings["bot"] == ("note", "It isn't running on this file.")


async def test_a_table_that_doesnt_fit_its_game_is_reported(
    empty_house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await played(empty_house / "harbormaster.db", 3)
    fine = "1 game checked: all are what was written, and what is open fits together."
    assert (await asyncio.to_thread(asked, capsys, 0))["tables"] == ("ok", fine)
    with closing(sqlite3.connect("harbormaster.db")) as file, file:
        file.execute("UPDATE games SET waits = json_set(waits, '$[0].seat', 7), checksum = NULL")
    assert (await asyncio.to_thread(asked, capsys, 0))["tables"] == (
        "note",
        "What is stored of game 1 doesn't fit together: it waits for others than the game does. The game goes on from"
        " what is stored. Please report this with the version: it is a bug in Harbormaster.",
    )


def test_a_file_of_an_earlier_version_is_left_unchanged(empty_house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = earlier(empty_house / "harbormaster.db")
    before = path.read_bytes()
    assert asked(capsys, 0)["database"] == (
        "ok",
        "harbormaster.db is sound, with 6 games. The next start brings it up to date.",
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("PRAGMA user_version = 9000", "belongs to a newer version. Install that version, or a newer one."),
        ("UPDATE records SET body = '[]' WHERE number = 3", "Game 1 in harbormaster.db is damaged: record 3"),
        ("DROP TABLE people", "is damaged: there is no column people."),
    ],
)
def test_an_unusable_file_is_reported(
    empty_house: Path, capsys: pytest.CaptureFixture[str], damage: str, reason: str
) -> None:
    asyncio.run(played(empty_house / "harbormaster.db", 5))
    with closing(sqlite3.connect(empty_house / "harbormaster.db")) as sql, sql:
        sql.execute(damage)
    state, text = asked(capsys, 1)["database"]
    assert state == "wrong"
    assert reason in text


@pytest.mark.parametrize("content", [b"torn" * 5000, b""])
def test_a_file_that_is_no_database_is_reported_unless_its_empty(
    empty_house: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (empty_house / "harbormaster.db").write_bytes(content)
    (empty_house / "harbormaster.db").chmod(0o600)
    assert asked(capsys, 0 if not content else 1)["database"][0] == ("wrong" if content else "ok")


def test_a_postgresql_database_is_checked_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, new_database: NewDatabase
) -> None:
    monkeypatch.setenv("DATABASE_URL", new_database(ready=True))
    findings = asked(capsys, 1)
    # The tests' server runs without fsync.
    assert [check for check, (state, _) in findings.items() if state == "wrong"] == ["durability"]
    assert findings["checksums"] == ("ok", "Pages have checksums.")
    assert findings["backup"][1].startswith("The server archives no write-ahead log.")
    assert findings["pictures"] == ("ok", "All that was played is shown.")
    assert findings["tables"][0] == "ok"
    assert re.fullmatch(r"The PostgreSQL database games\d+ on .* can be used\.", findings["database"][1])


def test_a_missing_folder_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBORMASTER_DATABASE", "none/games.db")
    state, text = asked(capsys, 1)["database"]
    assert state == "wrong"
    assert text.endswith("none can't be written. Make it, and let Harbormaster's user own it.")


def test_a_clock_behind_the_stored_times_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 3 * 365 * 86_400)
    state, text = asked(capsys, 1)["clock"]
    assert state == "wrong"
    assert "days before something that has happened. Set it" in text


async def test_a_clock_that_has_been_set_right_is_not_reported(
    empty_house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await played(empty_house / "harbormaster.db", 3)
    bot, now, hour = await open_store(Path("harbormaster.db")), time.time(), 3600
    await ask(bot, "UPDATE games SET updated = ?, checksum = NULL", now + 2 * hour)
    await bot.move(-3 * hour, now - hour)
    await bot.close()
    assert (await asyncio.to_thread(asked, capsys, 0))["clock"][0] == "ok"


async def test_time_that_the_clock_has_skipped_makes_nothing_late(
    empty_house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await played(empty_house / "harbormaster.db", 3)
    bot, now = await open_store(Path("harbormaster.db"), exclusive=True), time.time()
    await bot.move(now - 1_000_200, now)  # the game's clock was in the year 1970
    assert (await asyncio.to_thread(asked, capsys, 0))["pictures"][0] == "ok"
    await bot.close()


def test_a_clock_that_differs_from_the_databases_is_reported(
    new_database: NewDatabase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", new_database(ready=True))
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 20)
    state, text = asked(capsys, 1)["clock"]
    assert state == "wrong"
    assert "20 s ahead of the database's. Set both" in text


def test_the_age_of_the_last_backup_is_reported(
    empty_house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(played(empty_house / "harbormaster.db", 3))
    state, text = asked(capsys, 0)["backup"]
    assert state == "note"
    assert text.startswith("No backup by `harbormaster backup` is known. See docs/backups.md")
    (empty_house / "backups").mkdir()
    assert main(["backup", "--keep", "3", "backups"]) == 0
    file = str(*(empty_house / "backups").iterdir())
    capsys.readouterr()
    now = time.time
    for age, expected, span in (
        (300, "ok", "5 minutes"),
        (3 * 86_400, "note", "3 days"),
        (9 * 86_400, "wrong", "9 days"),
    ):
        monkeypatch.setattr(time, "time", lambda age=age: now() + age)
        state, text = asked(capsys, expected == "wrong")["backup"]
        assert state == expected
        assert text.startswith(f"The last one was made {span} ago: {file}.")
    monkeypatch.undo()


def test_an_unreadable_note_of_the_last_backup_counts_as_no_backup(
    empty_house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(played(empty_house / "harbormaster.db", 3))
    (empty_house / "harbormaster.db.last-backup").write_bytes(b"\xff yesterday")
    assert asked(capsys, 0)["backup"][0] == "note"


def test_litestream_is_checked_only_if_the_setting_says_it_runs(
    empty_house: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(played(empty_house / "harbormaster.db", 3))
    assert "litestream" not in asked(capsys, 0)
    monkeypatch.setenv("HARBORMASTER_LITESTREAM", "yes")
    state, text = asked(capsys, 1)["litestream"]
    assert (state, text[:39]) == ("wrong", "Litestream has never run on this file. ")
    (empty_house / ".harbormaster.db-litestream").mkdir()
    assert asked(capsys, 0)["litestream"][0] == "ok"
    with closing(sqlite3.connect(empty_house / "harbormaster.db")) as sql:  # an open connection keeps the WAL file
        sql.execute("SELECT count(*) FROM games").fetchall()
        os.truncate(empty_house / "harbormaster.db-wal", 70 << 20)
        state, text = asked(capsys, 1)["litestream"]
        assert (state, text[:46]) == ("wrong", "harbormaster.db-wal has 70 MB, so Litestream d")


def test_a_port_that_is_taken_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        port = str(other.getsockname()[1])
        monkeypatch.setenv("HARBORMASTER_HTTP", port)
        assert asked(capsys, 0)["port"] == ("ok", f"HARBORMASTER_HTTP: 127.0.0.1:{port} is free.")
        other.listen()
        state, text = asked(capsys, 1)["port"]
    assert state == "wrong"
    assert text.startswith(f"HARBORMASTER_HTTP: 127.0.0.1:{port} can't be listened on: Address already in use.")


async def test_the_port_of_a_running_process_is_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = Metrics()
    async with Watch(Health({}, metrics, lambda: None), metrics, print, Listen("127.0.0.1", 0)) as watch:
        monkeypatch.setenv("HARBORMASTER_HTTP", str(watch.port))
        finding = await asyncio.to_thread(lambda: next(_network(load_settings())))
    assert (finding.state, finding.found) == (
        "ok",
        f"HARBORMASTER_HTTP: Harbormaster answers at 127.0.0.1:{watch.port}.",
    )


async def test_so_is_the_port_of_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Website(Listen("127.0.0.1", 0), lambda: None, Worker()) as website:
        monkeypatch.setenv("HARBORMASTER_PAGES", str(website.port))
        finding = await asyncio.to_thread(lambda: next(_network(load_settings())))
    assert finding.found == f"HARBORMASTER_PAGES: Harbormaster answers at 127.0.0.1:{website.port}."


@pytest.mark.parametrize("name", ["HARBORMASTER_PROXY", "HARBORMASTER_REST_BASE"])
def test_a_server_that_doesnt_answer_is_named(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        state, text = asked(capsys, 1)["server"]
        assert (state, text.partition(":")[0]) == ("wrong", name)
        assert f" 127.0.0.1:{port} can't be reached: Connection refused." in text
        server.listen()
        assert asked(capsys, 0)["server"] == ("ok", f"{name}: 127.0.0.1:{port} answers.")

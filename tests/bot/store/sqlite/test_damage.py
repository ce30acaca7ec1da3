"""A damaged file: it is found at the start, hosts and players are told, and no other game suffers."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.projections import PANEL
from bot.service import Services
from bot.settings import SettingsError
from bot.store import Damaged
from bot.store.sqlite import check, database
from bot.store.sqlite.file import damage_in, scripts
from bot.store.sqlite.store import SqliteStore
from bot.table.acts.play import Play
from bot.words.refusals import refusal_sentence
from engine.actions import Resign
from tests.bot.batch import at_once
from tests.bot.noted import noted
from tests.bot.playground import ANN, BOB, CEM, DOT, Playground, choose, new_file
from tests.bot.store.behind import ask
from tests.bot.store.sqlite.damaged import SENTENCE, change, zero_page_of
from tests.bot.store.sqlite.earlier import undo_steps


def test_a_file_is_checked_where_no_process_may_step_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As under the systemd unit, which lets no process change its priority."""

    def forbidden(increment: int) -> int:
        raise PermissionError

    monkeypatch.setattr("os.nice", forbidden)
    path = tmp_path / "games.db"
    new_file(path)
    assert check._check_at_low_priority(path) == check.Findings(step=max(scripts()))


async def two_games(ground: Playground) -> None:
    """Play some actions of two games, then stop the bot."""

    rng = random.Random(3)
    for channel, users in ((50, (ANN, BOB)), (51, (CEM, DOT))):
        table = await ground.begun(*users, channel=channel)
        async with at_once(ground.services):
            for _ in range(30):
                await ground.step(table.number, rng)
    await ground.close()


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The host's log lines about damage. Checks that they have no traceback."""
    lines = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert not any(record.exc_info for record in lines)
    return [record.getMessage() for record in lines]


HALF = "UPDATE records SET body = replace(body, '\"by\":', '\"by\": ') WHERE game = 1 AND number = 20"
CONTENT = {
    "a record that says something else": (HALF, "record 20 has a wrong checksum"),
    "a record that is no JSON": (
        "UPDATE records SET body = substr(body, 2), checksum = NULL WHERE game = 1 AND number = 20",
        "record 20 is malformed",
    ),
    "a record that isn't UTF-8": (
        "UPDATE records SET body = CAST(x'7b22ff' AS TEXT) WHERE game = 1 AND number = 20",
        "record 20 has a wrong checksum",
    ),
    "a last record that is gone": (
        "DELETE FROM records WHERE game = 1 AND number = (SELECT max(number) FROM records WHERE game = 1)",
        "there are 30 records and not 31",
    ),
    "another target": (
        "UPDATE games SET config = replace(config, '\"target\":10', '\"target\":11') WHERE number = 1",
        "its table has a wrong checksum",
    ),
    "another wait": (
        "UPDATE games SET waits = replace(waits, '\"seat\":', '\"seat\":1') WHERE number = 1",
        "its table has a wrong checksum",
    ),
    "another choice": (
        "UPDATE games SET choices = json_set(choices, '$.pause', 8) WHERE number = 1",
        "its table has a wrong checksum",
    ),
    "someone's orders": (
        'UPDATE games SET orders = \'[{"user":11,"roll":true}]\' WHERE number = 1',
        "its table has a wrong checksum",
    ),
    "another bot": ("UPDATE members SET level = 'easy' WHERE game = 1 AND user = 11", "its table has a wrong checksum"),
    "another player": (
        "UPDATE members SET user = 999 WHERE game = 1 AND user = 11",
        "its table has a wrong checksum",
    ),
    "a configuration that is none": (
        "UPDATE games SET config = '{\"colors\":1}', checksum = NULL WHERE number = 1",
        "its configuration is malformed",
    ),
    "waits and choices that are no JSON": (
        "UPDATE games SET waits = '[{', choices = 'x', checksum = NULL WHERE number = 1",
        "its configuration is malformed",
    ),
    "another seed": ("UPDATE games SET seed = zeroblob(32) WHERE number = 1", "its seed doesn't fit its commitment"),
}


@pytest.mark.parametrize(("sql", "reason"), CONTENT.values(), ids=CONTENT)
async def test_a_damaged_game_does_not_stop_others(
    ground: Playground, caplog: pytest.LogCaptureFixture, sql: str, reason: str
) -> None:
    await two_games(ground)
    change(ground.path, sql)
    store = await SqliteStore.open(ground.path, exclusive=True)
    [line] = told(caplog)
    assert line.startswith(f"Game 1 can't go on: what {ground.path} holds of it is damaged ({reason}).")
    assert "backup" in line
    services = Services.of(store)
    assert (await services.repository.game(2)).revision > 30
    await services.clock.start()
    await services.clock.close()
    for _ in range(3):
        with pytest.raises(Damaged) as refused:
            await services.repository.game(1)
        assert (refused.value.code, refusal_sentence(refused.value)) == ("damaged", SENTENCE)
    assert len(told(caplog)) == 1
    assert await store._database.fold()  # failed reads don't keep it from being folded
    await store.close()


async def test_rows_of_earlier_versions_are_not_checked(ground: Playground, caplog: pytest.LogCaptureFixture) -> None:
    await two_games(ground)
    undo_steps(ground.path)
    store = await SqliteStore.open(ground.path, exclusive=True)
    services = Services.of(store)
    game = await services.repository.game(1)
    assert told(caplog) == []
    seat = game.to_act[0]
    user = (await services.repository.table(1)).user_at(game, seat)

    action = choose(game, seat, random.Random(1))
    await services.games.act(1, user, Play(action), "new")
    sums = await ask(store, "SELECT checksum FROM records WHERE game = 1 ORDER BY number")
    assert [row[0] is None for row in sums] == [True] * game.revision + [False]
    await store.close()


@pytest.mark.parametrize("table", ["records", "games", "shown", "sqlite_sequence", "one_open_game_a_channel"])
async def test_a_damaged_file_is_refused_and_the_error_says_what_to_do(ground: Playground, table: str) -> None:
    await two_games(ground)
    zero_page_of(ground.path, table)
    before = ground.path.read_bytes()
    with pytest.raises(SettingsError) as refused:
        await SqliteStore.open(ground.path, exclusive=True)
    first, second = str(refused.value).split(" Keep a copy of it, ")
    path = re.escape(str(ground.path))
    assert re.fullmatch(rf"The database file {path} can't be used, because it is damaged \([^\n]+\)\.", first)
    assert re.fullmatch(
        rf"then restore a backup, or save what can still be read: sqlite3 {path} \"\.recover\" \| sqlite3 new\.db",
        second,
    )
    assert ground.path.read_bytes() == before  # the file was left as it was


async def test_a_damaged_file_can_be_recovered_as_the_error_says(ground: Playground) -> None:
    probe = "sqlite3 probe.db 'CREATE TABLE t(a)' && sqlite3 probe.db .recover"
    process = await asyncio.create_subprocess_shell(
        probe, cwd=ground.path.parent, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    if b"CREATE TABLE" not in (await process.communicate())[0]:
        pytest.skip("there is no sqlite3 here whose .recover works")
    await two_games(ground)
    zero_page_of(ground.path, "interactions")
    with pytest.raises(SettingsError) as refused:
        await SqliteStore.open(ground.path, exclusive=True)
    command = str(refused.value).split("read: ")[1]
    process = await asyncio.create_subprocess_shell(command, cwd=ground.path.parent)
    assert await process.wait() == 0
    store = await SqliteStore.open(ground.path.with_name("new.db"), exclusive=True)
    services = Services.of(store)
    assert (await services.repository.game(1)).revision > 30
    assert (await services.repository.game(2)).revision > 30
    await store.close()


async def test_damage_found_after_the_start_is_logged(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await two_games(ground)
    zero_page_of(ground.path, "records")
    monkeypatch.setattr(database, "CHECK_WITHIN", 0.0)
    store = await SqliteStore.open(ground.path, exclusive=True)
    assert store._database._check is not None
    await asyncio.wait([store._database._check._task])
    await asyncio.sleep(0)
    [line] = told(caplog)
    assert "can't be used, because it is damaged" in line
    assert [record.levelname for record in caplog.records if line == record.getMessage()] == ["CRITICAL"]
    await store.close()


async def test_a_slow_check_delays_neither_start_nor_shutdown(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await two_games(ground)

    def slow(path: Path, stop: Any) -> check.Findings:
        assert stop.wait(20), "it was not stopped"
        raise sqlite3.OperationalError("interrupted")

    monkeypatch.setattr(check, "check", slow)
    monkeypatch.setattr(database, "CHECK_WITHIN", 0.1)
    async with asyncio.timeout(5):
        store = await SqliteStore.open(ground.path, exclusive=True)
        assert (await Services.of(store).repository.game(1)).revision > 30
        await store.close()
    assert "interrupted" not in caplog.text


async def test_damage_in_a_running_game_is_logged_once_and_actions_are_refused(
    ground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    """The host is told once, players each time, and nothing of a refused action is stored."""
    table = await ground.begun(ANN, BOB)
    await ground.services.projections.note(1, [noted(PANEL, table.version, 1, 2)])
    await ground.close()
    zero_page_of(ground.path, "records")
    store = await SqliteStore.open(ground.path)  # a reader doesn't look for damage
    services = Services.of(store)
    for _ in range(2):
        with pytest.raises(Damaged):
            await services.games.act(1, ANN, Play(Resign()), "r")
    [line] = told(caplog)
    assert line.startswith("Game 1 can't go on")
    assert "malformed" in line
    assert await store.interaction("r") is None
    await store.close()


async def test_records_that_cannot_be_replayed_are_damage(ground: Playground, caplog: pytest.LogCaptureFixture) -> None:
    await two_games(ground)
    change(ground.path, "UPDATE records SET number = 99, checksum = NULL WHERE game = 1 AND number = 20")
    store = await SqliteStore.open(ground.path, exclusive=True)
    assert told(caplog) == []  # a start doesn't replay games, which would take too long
    with pytest.raises(Damaged):
        await Services.of(store).repository.game(1)
    [line] = told(caplog)
    assert "it can't be replayed: record 21 is out of order" in line
    await store.close()


def test_the_log_command_says_that_a_game_is_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"

    async def play() -> None:
        ground = Playground(path)
        await ground.open()
        await two_games(ground)

    asyncio.run(play())
    change(path, CONTENT["another target"][0])
    assert main(["log", "--database", str(path)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "1 · damaged"
    assert second.startswith("2 · ")
    assert main(["log", "1", "--database", str(path)]) == 2
    assert "damaged" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["database is locked", "database or disk is full", "disk I/O error"])
def test_a_busy_file_and_a_full_or_failing_disk_are_not_damage(text: str) -> None:
    assert damage_in(sqlite3.OperationalError(text)) is None


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_large_file_is_checked_by_another_process(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    await two_games(ground)
    zero_page_of(ground.path, "records")
    monkeypatch.setattr(check, "SMALL_FILE", 0)
    checking = check.Check(ground.path)
    if stopped:
        assert await checking.findings(0.0, lambda late: None) is None
        async with asyncio.timeout(10):
            await checking.close()
    else:
        findings = await checking.findings(60.0, lambda late: None)
        assert findings is not None
        assert findings.whole

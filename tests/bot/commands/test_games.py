"""`harbormaster export` and `log`: each game of any namespace. Files pass verification, and the log of a running game
shows no secrets."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli import main
from bot.export import dump
from bot.page import page
from bot.service import Services
from bot.store import open_store
from bot.table.acts.lobby import Join
from tests import forks
from tests.bot.commands.stored import played
from tests.bot.old_files import earlier
from tests.bot.playground import Playground

SHORT_OF_ROOM = """
import resource, signal, sys
from bot.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
sys.exit(main(sys.argv[2:]))
"""
"""Runs the command in a process that can't write files larger than the bytes of its first argument."""


def export(database: Path, *arguments: object) -> int:
    return main(["export", "--database", str(database), *map(str, arguments)])


def test_all_started_games_are_exported_and_can_be_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = earlier(tmp_path / "games.db"), tmp_path / "out"
    assert export(path, "--all", folder) == 0
    assert capsys.readouterr().out == (
        f"{folder}: 4 games, 3 not over. The file of a game that isn't over holds every hand and the seed: keep it to "
        "yourself until it is.\n"
    )
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["game-1.json", "game-2.json", "game-3.json", "game-6.json"]
    assert all(file.stat().st_mode & 0o077 == 0 for file in [folder, *files])
    assert [main(["verify", str(file)]) for file in files] == [0, 0, 0, 0]


async def test_the_export_of_a_finished_game_is_the_file_that_players_get(tmp_path: Path) -> None:
    path, folder = earlier(tmp_path / "games.db"), tmp_path / "out"
    assert await asyncio.to_thread(export, path, 1, folder) == 0
    ground = Playground(path)
    await ground.open()
    assert (folder / "game-1.json").read_text("utf-8") == dump(await ground.services.games.export(1))
    await ground.close()


async def test_it_works_while_harbormaster_is_running(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = tmp_path / "games.db", tmp_path / "out"
    await played(path, 10)
    bot = await open_store(path, exclusive=True)
    assert await asyncio.to_thread(export, path, "--all", folder, "--json") == 0
    await bot.close()
    file = str(folder / "game-1.json")
    assert json.loads(capsys.readouterr().out) == {
        "games": [{"game": 1, "status": "running", "file": file}],
        "damaged": {},
    }


def test_a_damaged_game_doesnt_stop_others_from_being_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "games.db", tmp_path / "out"
    asyncio.run(played(path, 5))
    asyncio.run(played(path, 5, channel=51))
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("UPDATE records SET body = '[]' WHERE number = 3 AND game = 1")
    assert export(path, "--all", folder) == 1
    assert "Game 1 is damaged (its records can't be read)" in capsys.readouterr().out
    assert [file.name for file in folder.iterdir()] == ["game-2.json"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "Name games by number, as in"),
        (["--all", "1"], "Name games by number, as in"),
        (["one", "two"], "one is no game's number"),
        (["9", "out"], "There is no game 9"),
        (["4", "out"], "Game 4 never began"),
        (["--all", "full"], "game-6.json is there already; overwrite it with --force"),
        (["9", "out", "--html"], "There is no game 9"),
        (["4", "out", "--html"], "Game 4 never began"),
        (["1", "2", "out", "--html"], "Game 2 isn't over, so it has no page"),
        (["--game", "1", "full", "--html"], "game-1.html is there already; overwrite it with --force"),
        (["--all", "none/out"], "No such file or directory"),
        (["--all", "games.db"], "File exists"),
    ],
)
def test_an_impossible_export_is_refused_with_one_sentence(
    empty_house: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    (empty_house / "full").mkdir()
    there = {empty_house / "full" / name for name in ("game-6.json", "game-1.html", "mine")}
    for file in there:
        file.touch()
    assert export(earlier(empty_house / "games.db"), *arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert reason in output.err
    assert output.err.count("\n") == 1
    assert not (empty_house / "out").exists()
    assert {*(empty_house / "full").iterdir()} == there
    assert all(file.stat().st_size == 0 for file in there)


def test_a_file_in_place_is_overwritten_only_by_force(tmp_path: Path) -> None:
    """And what a killed export has left behind is in no one's way."""
    path, folder = earlier(tmp_path / "games.db"), tmp_path / "out"
    folder.mkdir()
    for name in ("mine", "game-1.json", "game-1.json.partial", "game-1.html"):
        (folder / name).touch()
    assert export(path, 1, folder, "--force") == 0
    assert main(["verify", str(folder / "game-1.json")]) == 0
    assert export(path, "--all", "--html", "--force", folder) == 0
    assert (folder / "game-1.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (folder / "mine").stat().st_size == 0
    assert not list(folder.glob("*.partial"))


def test_each_finished_game_becomes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = earlier(tmp_path / "games.db"), tmp_path / "out"
    assert export(path, "--all", "--html", folder) == 0
    assert capsys.readouterr().out == f"{folder}: 1 game.\n"
    [file] = folder.iterdir()
    assert file.name == "game-1.html"
    assert file.stat().st_mode & 0o077 == 0


async def test_a_page_goes_to_the_present_folder_and_has_the_file_that_players_get(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = earlier(tmp_path / "games.db")
    monkeypatch.chdir(tmp_path)
    assert await asyncio.to_thread(export, path, 1, "--html") == 0
    ground = Playground(path)
    await ground.open()
    assert (tmp_path / "game-1.html").read_bytes() == page(await ground.services.games.export(1))
    await ground.close()


def test_an_export_to_a_full_disk_leaves_no_files(tmp_path: Path) -> None:
    """The first game fits, the second doesn't. Nothing is left, and the same command works once there is room."""
    path = tmp_path / "games.db"
    asyncio.run(played(path, 3))
    asyncio.run(played(path, 1000, channel=51))
    assert export(path, "--all", tmp_path / "whole") == 0
    small, large = ((tmp_path / "whole" / f"game-{number}.json").stat().st_size for number in (1, 2))
    room = 33_000  # the database itself needs that much
    assert small < room < large
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "new", tmp_path / "empty"):
        done = forks.done(SHORT_OF_ROOM, f"{room}", "export", "--database", f"{path}", "--all", f"{folder}")
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.count("\n") == 1
        assert folder.name == "new" or list(folder.iterdir()) == []
        assert folder.exists() == (folder.name == "empty")
        assert export(path, "--all", folder) == 0


async def _lobby_of_another_run(path: Path) -> None:
    store = await open_store(path, namespace="offline-1")
    services = Services.of(store)
    await services.lobby.new_table(1, 50, 11, Join("*Eve*\n"), "9")
    await store.close()


def log(path: Path, *arguments: str) -> int:
    return main(["log", *arguments, "--database", str(path)])


def test_games_of_every_namespace_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    asyncio.run(played(path, 3))
    asyncio.run(_lobby_of_another_run(path))
    assert log(path) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("1 · ")
    assert first.endswith(" · base · Ann (red), Bob (blue), Cem (white) · running")
    assert second.startswith("2 · ")
    assert second.endswith(" · base · Eve (red) · not begun")
    assert log(path, "2") == 0
    assert "Eve (red) · not begun" in capsys.readouterr().out


def test_the_log_of_a_running_game_shows_no_secrets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    assert not asyncio.run(played(path, 160))
    assert log(path, "1") == 0
    text = capsys.readouterr().out
    assert "Ann begins" in text or "Bob begins" in text or "Cem begins" in text
    assert "bought a development card." in text
    assert "stole a card from" in text
    assert "🎲 Bob rolled 4 (⚂ + ⚀)." in text


def test_the_log_of_a_finished_game_shows_its_secrets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    assert asyncio.run(played(path, 3000, target=6))
    assert log(path, "1") == 0
    text = capsys.readouterr().out
    assert text.rstrip().endswith("points!")
    assert "stole 1 🌾 grain from" in text
    assert "**" not in text
    assert "· over" in text.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["99"], "There is no game 99"),
        (["first"], "not by 'first'"),
        (["9" * 30], "named by its number"),
    ],
)
def test_an_unknown_game_is_refused_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    path = tmp_path / "games.db"
    asyncio.run(played(path, 1))
    assert log(path, *arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert reason in output.err
    assert output.err.count("\n") == 1


def test_a_missing_file_is_refused_with_one_sentence_and_not_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert log(tmp_path / "none.db", "1") == 2
    assert "There is no file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

"""`harbormaster log`: lists every game in the file, of any namespace, and shows no secrets of a running game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.cli import main
from bot.service import Services
from bot.store import open_store
from bot.table.acts.lobby import Join
from tests.bot.commands.stored import played


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

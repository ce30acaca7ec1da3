"""`harbormaster forget` and `ratings`: what they print, also about games that ended before results were stored."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli import main
from bot.store import open_store
from tests.bot.commands.stored import played
from tests.bot.old_files import earlier
from tests.bot.playground import ANN


def test_a_host_can_forget_a_user_only_after_their_games_are_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.db"
    asyncio.run(played(path, 3))
    assert main(["forget", "--database", str(path), str(ANN)]) == 1
    assert "Nothing was changed: You're playing in game 1." in capsys.readouterr().out
    path.unlink()
    assert asyncio.run(played(path, 3000, target=3))
    assert main(["forget", "--database", str(path), str(ANN)]) == 0
    assert f"User {ANN} is forgotten; finished games call them Player " in capsys.readouterr().out
    assert main(["ratings", "--database", str(path)]) == 0
    assert "Ann" not in capsys.readouterr().out


def test_a_host_reads_what_else_was_forgotten_if_a_game_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.db"
    assert asyncio.run(played(path, 3000, target=3))
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("UPDATE games SET checksum = 1")
    assert main(["forget", "--database", str(path), str(ANN)]) == 1
    said = capsys.readouterr().out
    assert said.startswith("All else is forgotten, but not what is in games that can't be read: 1.")


@pytest.mark.parametrize("number", ["0", "-1", str(1 << 62), "99999999999999999999", "ann"])
def test_what_is_no_id_of_a_person_is_refused(tmp_path: Path, number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["forget", "--database", str(earlier(tmp_path / "games.db")), "--", number])
    assert f"invalid ID value: '{number}'" in capsys.readouterr().err


def ratings(database: Path, *arguments: str) -> int:
    return main(["ratings", "--database", str(database), *arguments])


def test_games_of_an_earlier_release_get_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = earlier(tmp_path / "games.db")
    assert ratings(path) == 0
    assert capsys.readouterr().out == "0 games counted.\n"
    assert ratings(path, "--rebuild") == 0
    output = capsys.readouterr().out.splitlines()
    assert output[:2] == ["1 game read again; results that were missing or different: 1.", "1 game counted."]
    assert output[3] == "Server 1"
    assert [line.split(" · ")[1] for line in output[4:]] == ["1 game, 1 won", "1 game, 0 won", "1 game, 0 won"]
    assert ratings(path, "--rebuild", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["counted"], data["rebuilt"]) == (1, {"games": 1, "changed": 0})
    assert [line["rank"] for line in data["servers"]["1"]] == [1, 2, 3]


async def test_it_works_while_harbormaster_is_running(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    assert await played(path, 3000, target=3)
    bot = await open_store(path, exclusive=True)
    before = await bot.results()
    assert len(before) == 1
    assert await asyncio.to_thread(ratings, path, "--rebuild") == 0
    assert await bot.results() == before
    await bot.close()
    assert "different: 0." in capsys.readouterr().out


def test_a_damaged_game_is_named_and_keeps_its_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    asyncio.run(played(path, 3000, target=3))
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("UPDATE records SET body = '[]' WHERE number = 3")
    assert ratings(path, "--rebuild") == 1
    output = capsys.readouterr().out
    assert "Game 1 is damaged (its records can't be read)" in output
    assert "1 game counted" in output


def test_a_missing_file_is_refused_with_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ratings(tmp_path / "none.db") == 2
    assert "There is no file" in capsys.readouterr().err

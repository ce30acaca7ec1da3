"""`harbormaster forget`: what it prints for the host."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.cli import main
from tests.bot.commands.stored import played
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

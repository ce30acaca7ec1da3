"""A game keeps the behavior of the rules that it began with: the format in its configuration selects it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.config import FORMAT, Config
from engine.data import Data
from engine.errors import ConfigError
from engine.formats import FORMATS, Format
from engine.game import Game
from engine.rules import rules_of
from tests.engine.builder import Seeded
from tests.engine.randomly import random_action

CONFIG = Config(colors=("red", "blue", "white"))


def play_on(game: Game, actions: int) -> Game:
    """The game after this number of random actions, always the same ones in the same positions."""
    rng = random.Random(7)
    for _ in range(actions):
        if game.outcome is None:
            game.play(*random_action(game, rng))
    return game


def test_new_games_have_the_newest_format() -> None:
    assert max(FORMATS) == FORMAT == CONFIG.format


@pytest.mark.parametrize("format", [0, FORMAT + 1, -1])
def test_an_unknown_format_is_refused(format: int) -> None:
    with pytest.raises(ConfigError) as refused:
        Game.new(replace(CONFIG, format=format), Seeded(1))
    assert refused.value.code == "format"
    assert "format 1" in str(refused.value)


def test_each_game_keeps_the_rules_of_its_own_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """A future format discards from five cards on. Games of the format before it replay and go on as usual."""

    def five(data: Data) -> Data:
        return replace(data, discard_limit=4)

    monkeypatch.setitem(FORMATS, FORMAT + 1, Format(data=five))
    rules_of.cache_clear()
    games = {}
    for format in (FORMAT, FORMAT + 1):
        game = play_on(Game.new(replace(CONFIG, format=format), Seeded(5)), 300)
        assert game.rules.data.discard_limit == {FORMAT: 7, FORMAT + 1: 4}[format]
        again = Game.replay(game.config, game.records, Seeded(5))
        assert again.hash() == game.hash()
        games[format] = game.hash()
    assert games[FORMAT] != games[FORMAT + 1]
    monkeypatch.undo()
    rules_of.cache_clear()
    assert play_on(Game.new(CONFIG, Seeded(5)), 300).hash() == games[FORMAT]

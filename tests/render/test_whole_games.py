"""A whole game as a film."""

from __future__ import annotations

import random
from io import BytesIO

from PIL import Image

from bot.screens.history import MOST_FRAMES, caption, frames, thinned
from docs.draw import sensible
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.game import Game
from engine.record import Record
from render.film import LARGEST, LONGEST, film

NAMES = ("Annabelle", "Bob", "Cleo", "Dan")


def over(target: int = 5, seed: int = 1, players: int = 4) -> Game:
    """A finished game."""
    game = Game.new(Config(COLORS[:players], target=target), SeededChance(bytes([seed]) * 32, "1", ()))
    rng = random.Random(seed)
    while game.outcome is None:
        seat = game.to_act[0]
        game.play(seat, sensible(game, game.options(seat), rng))
    return game


def test_a_film_has_one_frame_per_turn_and_keeps_its_limits() -> None:
    game = over(target=4)
    shown = frames(game.config, game.records)
    assert [view.turn for view in shown] == list(range(game.turn + 1))
    captions = [caption(view, NAMES) for view in shown]
    assert captions[0] == "After setup"
    assert "won" in captions[-1]
    data = film(shown, captions, NAMES)
    assert len(data) <= LARGEST
    movie = Image.open(BytesIO(data))
    assert movie.format == "WEBP"
    assert movie.n_frames == len(shown)  # type: ignore[attr-defined]
    length = 0
    for n in range(len(shown)):
        movie.seek(n)
        movie.load()
        length += movie.info["duration"]
    assert length <= LONGEST


def test_a_long_game_leaves_frames_out() -> None:
    views = frames(*_log(over()))
    many = views * 80
    assert len(thinned(many)) == MOST_FRAMES
    assert thinned(many)[0] is many[0]
    assert thinned(many)[-1] is many[-1]


def _log(game: Game) -> tuple[Config, list[Record]]:
    return game.config, game.records

"""The end of a game in a picture, and the whole of it as a film."""

from __future__ import annotations

import random
from io import BytesIO

import pytest
from PIL import Image

import render
from bot.presentation.chronicle import MOST_FRAMES, caption, frames, thinned
from bot.presentation.texts.drawn import end
from docs.draw import sensible
from engine.chance import SeededChance
from engine.chronicle import Story, story_of
from engine.config import COLORS, Config
from engine.game import Game
from engine.record import Record
from render.film import LARGEST, LONGEST, film
from render.palette import PLAYERS
from tests.render.colors import pixels

NAMES = ("Annabelle", "Bob", "Cleo", "Dan")


def over(target: int = 5, seed: int = 1, players: int = 4) -> Game:
    """A game that is over."""
    game = Game.new(Config(COLORS[:players], target=target), SeededChance(bytes([seed]) * 32, "1", ()))
    rng = random.Random(seed)
    while game.outcome is None:
        seat = game.to_act[0]
        game.play(seat, sensible(game, game.options(seat), rng))
    return game


@pytest.mark.parametrize("look", [render.Look(), render.Look("colorblind", dark=True)])
def test_the_end_shows_the_winner(look: render.Look) -> None:
    game = over()
    view = game.view(None)
    image = Image.open(
        BytesIO(render.final(view, story_of(game.config, game.records), NAMES, end(view, NAMES), look))
    ).convert("RGB")
    assert image.width == 1200
    assert view.outcome is not None
    winner = PLAYERS[look.palette][view.players[view.outcome.winners[0]].color]
    title = pixels(image.crop((700, 40, 1100, 120)))
    assert sum(pixel == winner for pixel in title) > len(title) / 2


def test_a_game_that_goes_on_has_no_end() -> None:
    game = Game.new(Config(COLORS[:3]), SeededChance(bytes(32), "1", ()))
    with pytest.raises(ValueError, match="isn't over"):
        story_of(game.config, game.records)
    with pytest.raises(ValueError, match="isn't over"):
        render.final(game.view(None), Story((), (), (), (), (), ()), NAMES, end(over().view(None), NAMES))


def test_a_film_has_a_frame_a_turn_and_keeps_its_limits() -> None:
    game = over()
    shown = frames(game.config, game.records)
    assert [view.turn for view in shown] == list(range(game.turn + 1))
    said = [caption(view, NAMES) for view in shown]
    assert said[0] == "After setup"
    assert "won" in said[-1]
    data = film(shown, said, NAMES)
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

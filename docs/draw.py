"""Draws the renderer's pictures in docs/pictures: `python -m docs.draw [NAME ...]`. Every run draws the same."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import render
from bot.words import pictures
from engine.actions import Action, BuildCity, BuildRoad, BuildSettlement, BuyCard, EndTurn
from engine.chance import SeededChance
from engine.config import Config
from engine.domains import Options, Places
from engine.game import Game
from engine.geometry import bits
from engine.log.chronicle import story_of
from engine.log.recount import recount
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.terms import StepKind

FOLDER = Path(__file__).parent / "pictures"
VARIANTS = {"islands": ("pirate",), "peanut": ("pirate",)}
"""Alternate rules that are visible in a picture, by scenario."""


def sensible(game: Game, options: Options, rng: random.Random) -> Action:
    """An action that makes boards look played: the best places first, building before anything else."""
    for kind in (BuildCity, BuildSettlement):
        if isinstance(places := options.get(kind), Places):
            return kind(max(bits(places.mask), key=game.board.pips_at))
    if BuyCard in options:
        return BuyCard()
    if BuildRoad in options and (EndTurn not in options or rng.random() < 0.8):
        return options[BuildRoad].sample(rng)
    if EndTurn in options and rng.random() < 0.3:
        return EndTurn()
    return options.sample(rng)


def played(scenario_id: str, seed: int = 5) -> Game:
    """A game with the most players, played until one of them is two points from winning."""
    scenario, rng = SCENARIOS[scenario_id], random.Random(seed)
    players = max(scenario.players)
    config = Config(
        colors=scenario.colors_for(players)[:players], scenario=scenario_id, variants=VARIANTS.get(scenario_id, ())
    )
    game = Game.new(config, SeededChance(seed.to_bytes(32, "big"), scenario_id, ()))
    while game.outcome is None and max(p.points for p in game.view(None).players) < config.target - 2:
        seat = game.to_act[0]
        game.play(seat, sensible(game, game.options(seat), rng))
    while game.view(None).step.kind is not StepKind.MAIN and game.outcome is None:
        seat = game.to_act[0]
        game.play(seat, sensible(game, game.options(seat), rng))
    return game


NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")


def board(name: str) -> bytes:
    """The board of a scenario in a late game."""
    return render.board(played(name).view(None), names=NAMES)


def end() -> bytes:
    """The stats of a game that is over."""
    game, rng = played("base"), random.Random(1)
    while game.outcome is None:
        seat = game.to_act[0]
        game.play(seat, sensible(game, game.options(seat), rng))
    view = game.view(None)
    return render.figures(view, story_of(game.config, game.records), NAMES, pictures.figure_words(view, NAMES))


def then_and_now() -> bytes:
    """What a player missed in three rounds."""
    game = played("base")
    now = game.view(None)
    then = recount(game.config, game.records, None, turn=now.turn - 12).then
    return render.then_and_now(then, now, pictures.then_and_now_titles(then, now, own=True), NAMES)


def costs() -> bytes:
    """What everything costs in the base game."""
    data = data_of(Config(("red", "blue")))
    return render.costs(data, False, pictures.cost_words(data, False))


PICTURES: dict[str, Callable[[], bytes]] = {
    **{f"board-{name}": partial(board, name) for name in SCENARIOS},
    "end": end,
    "then-and-now": then_and_now,
    "costs": costs,
}
"""By name, without the screenshots of a browser."""


def main(names: list[str]) -> None:
    """Draw the named pictures, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or list(PICTURES):
        data = PICTURES[name]()
        (FOLDER / f"{name}.png").write_bytes(data)
        print(f"{name}: {len(data) / 1024:.0f} KiB")


if __name__ == "__main__":
    main(sys.argv[1:])

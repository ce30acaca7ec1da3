"""Games and their tables for the tests of what people see: just begun, or played at random."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace
from typing import Any

from bot.plaintext import safe_name
from bot.screens.viewer import Viewer
from bot.table.parts import Member
from bot.table.table import RUNNING, Table
from engine.actions import AgreeToEnd, AskToBuild, MakeOffer, Resign, Undo
from engine.chance import SeededChance
from engine.config import Config
from engine.errors import IllegalAction
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.screens.tables import NAMES, config
from tests.engine.randomly import chance

COLORS = ("red", "blue", "white", "orange")
FIRST = 111111111111111111


def new_game(scenario: str, seed: int, edition: str) -> Game:
    """A game with as many players as the scenario takes; in the 1996 edition, with all alternate rules."""
    players = max(SCENARIOS[scenario].players)
    variants = tuple(VARIANTS) if edition == "1996" else ()
    chosen = config(scenario, players, edition=edition, target=8, variants=variants)
    return Game.new(chosen, SeededChance(bytes([seed]) * 32, "1", ()))


def move(game: Game, rng: random.Random) -> None:
    """Try one random action, now and then of a kind that is possible in any turn."""
    seats = [s for s in range(game.config.players) if game.options(s)]
    seat = rng.choice(list(game.to_act) if rng.random() < 0.8 else seats)
    odd = rng.random()
    extra = {0: Undo(), 1: AskToBuild(), 2: AgreeToEnd(), 3: AgreeToEnd(False)}.get(int(odd * 60))
    if odd > 0.9995:
        extra = Resign()
    options = game.options(seat)
    with contextlib.suppress(IllegalAction):
        game.play(seat, extra or options.sample(rng, offers=rng.random() < 0.3 or set(options) == {MakeOffer}))


def table(config_: Config, **values: Any) -> Table:
    """A table with people in all seats."""
    members = tuple(Member(11 + n, NAMES[n], color, True, "", str(n)) for n, color in enumerate(config_.colors))
    return replace(Table(7, 1, 50, RUNNING, 11, False, config_, members, "", ("1",), 5, 0.0, 0.0), **values)


def played(players: int, most: int, seed: int = 4) -> Game:
    """A game with that many players, played at random until it ends or has `most` records."""
    scenario = "base" if players < 5 else "extension" if players < 7 else "big-island"
    game = Game.new(config(scenario, players), SeededChance(bytes([seed]) * 32, "7", ()))
    rng = random.Random(seed)
    while game.outcome is None and game.revision < most:
        move(game, rng)
    return game


def viewer(*names: str) -> Viewer:
    """The first player's view of a new game. The names are in order of the seats, and ids count up from `FIRST`."""
    config = Config(colors=COLORS[: len(names)], shuffle_seats=False)
    members = tuple(Member(FIRST + n, safe_name(name), COLORS[n], True, "", str(n)) for n, name in enumerate(names))
    table = Table(1, 1, 1, RUNNING, FIRST, False, config, members, "", ("1",), 1, 0.0, 0.0)
    return Viewer(table, Game.new(config, chance(1)), 0)

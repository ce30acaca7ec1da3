"""Games that are played ahead, without people, before a plan begins."""

from __future__ import annotations

import random

from bot.service import Services
from engine.game import Game as Position
from tests.bot.playground import Playground, choose, is_over
from tests.sim.town import Game, Town

LEFT = 1
"""Actions that are left before the end."""


async def play_ahead(town: Town) -> None:
    """Play all games as far as the plan says, while no process runs."""
    for machine in town.machines:
        machine.kill(again=None)
    for game in town.games:
        await _advance(town, game)
    if town.disk is not None:
        town.disk.sync()
    town.commits += 1
    town.saves += 1
    for machine in town.machines:
        machine.start()
    await town.wire.until(town.connected, 120.0)


async def _advance(town: Town, game: Game) -> None:
    chance = town.universe.chance(f"ahead {game.number}")
    ground = Playground("", town.plan.seed)
    ground.store = await town.store()
    try:
        ground.services = Services.of(ground.store, now=lambda: town.time, entropy=chance.randbytes)
        position = await ground.game(game.number)
        last = _last(position, town.plan.seed) - LEFT if town.plan.ahead == "end" else 0
        await ground.advance(
            game.number, lambda now: now.revision >= last and now.turn > 0, town.plan.seed, most=100_000
        )
    finally:
        await ground.store.close()


def _last(position: Position, seed: int) -> int:
    """The revision at which a game will end."""
    game, rng = position.copy(), random.Random(seed)
    while not is_over(game):
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))
    return game.revision

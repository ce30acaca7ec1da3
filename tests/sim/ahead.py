"""What happens at the tables before a plan begins, while no process runs, so that a world isn't only about setup."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from bot.screens.play import CARD_ACTIONS
from bot.service import Services
from bot.table.acts import play
from engine.actions import Action, BuyCard, MakeOffer, PlayRoadBuilding
from engine.errors import RefereeError
from engine.game import Game as Position
from tests.bot.batch import at_once
from tests.bot.playground import choose, is_over
from tests.sim.plan import MIDDLE, PLACED
from tests.sim.town import Game, Town

ACTIONS, MOST_ACTIONS = 100, 250
"""How many actions make the middle of a game, and how many at most, if it is to be a certain moment."""
LEFT = 1
"""Actions that are left before the end."""
Choose = Callable[[Position], tuple[int, Action]]
"""Says who does what in a position."""

again = list[tuple[int, Action | None]]()
"""The records of another world: seats and what they did. The same happens again."""


async def play_ahead(town: Town) -> None:
    """Play all games as far as the plan says."""
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
    chance, number = town.universe.chance(f"ahead {game.number}"), game.number
    store = await town.store()
    try:
        services = Services.of(store, now=lambda: town.time, entropy=chance.randbytes)
        position = await services.repository.game(number)
        if again:
            await _play(services, number, len(again), lambda now: _repeated(now))
        else:
            last, choice = _last(position, town.plan.ahead, town.plan.seed), random.Random(town.plan.seed)
            await _play(services, number, last, lambda now: _chosen(now, choice, town.plan.ahead))
        if town.plan.ahead == MIDDLE:
            await _order(services, number, chance)
    finally:
        await store.close()


async def _play(services: Services, number: int, last: int, choice: Choose) -> None:
    """Play until a game has `last` records."""
    async with at_once(services):
        while (position := await services.repository.game(number)).revision < last:
            table, (seat, action) = await services.repository.table(number), choice(position)
            by = (play.COMPUTER,) if table.member_at(position, seat).level else ()
            act = play.Play(action, None, *by)
            await services.games.act(number, table.user_at(position, seat), act, f"ahead-{position.revision}")


def _last(position: Position, ahead: str, seed: int) -> int:
    """How many records a game will have when it has come as far as a plan says."""
    game, rng = position.copy(), random.Random(seed)
    while not is_over(game):
        if (ahead == PLACED and game.turn > 0) or (ahead == MIDDLE and _in_the_middle(game, seed)):
            return game.revision
        game.play(*_chosen(game, rng, ahead))
    return game.revision - LEFT


def _in_the_middle(game: Position, seed: int) -> bool:
    """Whether it is late enough, and for every other seed whether someone can soon place a card's free roads."""
    if _ends_soon(game) or game.revision >= MOST_ACTIONS:
        return True
    can = any(PlayRoadBuilding in game.options(seat) and MakeOffer in game.options(seat) for seat in game.to_act)
    return game.revision >= ACTIONS and (can or seed % 2 == 0)


def _ends_soon(game: Position) -> bool:
    points = max(game.state.all_points(seat) for seat in range(game.config.players))
    return points + 1 >= game.config.target


def _chosen(position: Position, rng: random.Random, ahead: str) -> tuple[int, Action]:
    seat = rng.choice(position.to_act)
    if ahead == MIDDLE and BuyCard in position.options(seat) and rng.random() < 0.7:
        return seat, BuyCard()
    while isinstance(action := choose(position, seat, rng), CARD_ACTIONS) and ahead == MIDDLE:
        pass  # they keep them
    return seat, action


def _repeated(position: Position) -> tuple[int, Action]:
    seat, action = again[position.revision]
    assert action is not None
    return seat, action


async def _order(services: Services, number: int, rng: random.Random) -> None:
    """Let some people have an autopilot."""
    for member in (await services.repository.table(number)).members:
        if not member.level and rng.random() < 0.4:
            wishes = {"roll": True, "end": rng.random() < 0.5, "few": 7, "keep": (rng.randrange(5),)}
            with suppress(RefereeError):
                await services.orders.give(number, member.user, **wishes)

"""Games in which people set autopilots, for the tests of the services."""

from __future__ import annotations

from bot.service.orders import DELAY
from bot.table.acts.options import SetOptions
from bot.table.ordering import IDLE
from bot.table.table import Table
from engine.actions import Roll
from engine.game import Game
from tests.bot.playground import ANN, BOB, CEM, Playground, do_due
from tests.bot.service.tables import in_step


async def carried_out(ground: Playground) -> None:
    """Wait until autopilots are due, and do what they want to do."""
    ground.clock += DELAY[1] + 1
    await do_due(ground.services)


async def begun(ground: Playground) -> Table:
    """A long game of three people."""
    table = await ground.lobby(ANN, BOB, CEM)
    await ground.act(table.number, ANN, SetOptions({"target": 20}))
    return (await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())).table


def rolls(game: Game) -> bool:
    """Whether the player whom the game waits for can only roll."""
    return in_step("pre_roll")(game) and set(game.options(game.to_act[0])) == {Roll}


def idle(game: Game) -> bool:
    """Whether the player whom the game waits for can only end their turn or trade with others."""
    return in_step("main")(game) and all(action in IDLE for action in game.options(game.to_act[0]))

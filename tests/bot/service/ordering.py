"""Games in which people set autopilots, for the tests of the services."""

from __future__ import annotations

from bot.service.orders import DELAY
from bot.table.acts.options import SetOptions
from bot.table.table import Table
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
    """Whether the player whom the game waits for must roll, and has no development card."""
    return in_step("pre_roll")(game) and not any(game.state.development_cards[game.to_act[0]])


def idle(game: Game) -> bool:
    """Whether the player whom the game waits for can end their turn and has one card at most."""
    seat, state = game.to_act[0], game.state
    return in_step("main")(game) and sum(state.hands[seat]) <= 1 and not any(state.development_cards[seat])

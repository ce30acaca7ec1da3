"""Games with bots at the table, for the tests of the services."""

from __future__ import annotations

import random

from bot.table.acts.lobby import AddComputer
from bot.table.acts.options import SetOptions
from bot.table.table import OVER, Table
from engine.views import View
from tests.bot.playground import Playground, do_due


async def seated(ground: Playground, *users: int, level: str = "easy") -> Table:
    """A lobby of these users whose free places are filled with bots."""
    table = await ground.lobby(*users)
    return (
        await ground.services.lobby.add_computer(table.number, users[0], AddComputer(level, fill=True), ground.id())
    ).table


async def begun(ground: Playground, *users: int, target: int = 10) -> Table:
    """A running game of these users, with bots in all other places."""
    table = await seated(ground, *users)
    await ground.act(table.number, users[0], SetOptions({"target": target}))
    return (await ground.services.lobby.start(table.number, users[0], "closing-1", ground.id())).table


async def due(ground: Playground) -> None:
    """Let a minute and a half pass, and do all that is due."""
    ground.clock += 90.0
    await do_due(ground.services)


async def to_the_end(ground: Playground, number: int, seed: int = 1) -> Table:
    """Play until the game is over: people at random, bots when their jobs are due."""
    rng = random.Random(seed)
    for _ in range(6000):
        table = await ground.table(number)
        if table.status == OVER:
            return table
        game = await ground.game(number)
        if any(not table.member_at(game, seat).level for seat in game.to_act) and rng.random() < 0.7:
            seat = next(seat for seat in game.to_act if not table.member_at(game, seat).level)
            action = game.options(seat).sample(rng)
            await ground.play(number, table.user_at(game, seat), action)
        else:
            await due(ground)
    raise AssertionError("the game has not ended")


def tradable(view: View) -> int | None:
    """A resource that the viewer can offer, if they are on turn and can trade."""
    hand = view.players[view.seat or 0].hand or ()
    mine = next((r for r in range(5) if hand and hand[r]), None)
    return mine if view.step.kind == "main" and view.on_turn == view.seat else None

"""Tables with which the tests of the services begin, and ways to advance their games."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import pytest

from bot.table.acts.options import SetOptions
from bot.table.options import DECIDE
from bot.table.table import Table
from bot.table.time import Wait
from bot.table.waiting import decisions
from engine.actions import EndTurn, Roll
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.batch import at_once
from tests.bot.playground import ANN, BOB, CEM, DOT, Playground, do_due

HOUR = 3600
SOON = 219
"""The seed of random moves that lead to a window for answers to the robber (L8) in a few turns."""


async def paced(ground: Playground, expiry: str = DECIDE, pace: int = HOUR, channel: int = 50, **more: int) -> Table:
    """A running game of three with a time for each decision."""
    table = await ground.lobby(ANN, BOB, CEM, channel=channel)
    await ground.act(table.number, ANN, SetOptions({"pace": pace, "expiry": expiry, **more}))
    return (await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())).table


async def rolled(ground: Playground, number: int) -> tuple[Table, Game]:
    """Advance the game to the main part of a turn, after all players have had one."""
    return await ground.advance(number, lambda game: game.turn > 4 and game.view(None).step.kind == "main")


async def look(ground: Playground, seconds: float = 0.0) -> None:
    """Let time pass, and do what is due."""
    ground.clock += seconds
    await do_due(ground.services)


async def time_up(ground: Playground, number: int) -> Game | None:
    """Let the timekeeper look at a game. Returns the game if that added a record, otherwise None."""
    before = await ground.revision(number)
    await ground.services.timekeeper.look(number)
    return await ground.game(number) if await ground.revision(number) > before else None


def wait_of(table: Table) -> Wait:
    """The one decision that a table waits for."""
    [wait] = decisions(table)
    return wait


async def window(ground: Playground, seconds: int = 300) -> tuple[Table, Game]:
    """A game in which the robber has just been moved, and several players can answer (L8)."""
    table = await ground.lobby(ANN, BOB, CEM, DOT)
    await ground.services.games.act(
        table.number,
        ANN,
        SetOptions({"variants": ("knight-interrupt",), "answer_time": seconds, "target": 20}),
        ground.id(),
    )
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    return await ground.advance(
        table.number, lambda game: game.view(None).step.kind == "interrupt" and len(game.to_act) > 1, SOON
    )


async def until(ground: Playground, number: int, reached: Callable[[Game], bool], seed: int = 1) -> tuple[Table, Game]:
    """Play, without trades, to the first position for which `reached` holds."""
    rng = random.Random(seed)
    async with at_once(ground.services):
        while not reached(game := await ground.game(number)):
            assert game.revision < 20_000, "no such position"
            seat, options = game.to_act[0], game.options(game.to_act[0])
            plain = [kind for kind in (Roll, EndTurn) if kind in options]
            action = options[plain[0]].sample(rng) if plain and game.turn else options.sample(rng)
            await ground.play(number, (await ground.table(number)).user_at(game, seat), action)
    return await ground.table(number), await ground.game(number)


def in_step(kind: str) -> Callable[[Game], bool]:
    """A condition: more than three turns have begun, and this kind of step is reached."""
    return lambda game: game.view(None).step.kind == kind and game.turn > 3


async def refused(work: Awaitable[object], key: str, **params: object) -> None:
    """Check that something is refused with this key, or this code, and with at least these params."""
    with pytest.raises(RefereeError) as caught:
        await work
    assert key in (caught.value.key, caught.value.code)
    assert params.items() <= caught.value.params.items()

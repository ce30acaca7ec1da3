"""Makes a game's messages match what the game wants to show, each by its kind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import assert_never

from bot.discord.show import calls, game_message, letters
from bot.discord.show.round import PERSONAL, Round
from bot.discord.show.wanted import Call, Covered, GameMessage, Letter
from bot.projections import Move, Place, State

Message = GameMessage | Call | Letter | Covered


async def reconcile(round: Round, messages: Iterable[Message]) -> float | None:
    """Bring messages up to date, one after another. Returns the seconds until one that is held back is due."""
    waits = [await _reconcile(round, wanted) for wanted in messages]
    return min((wait for wait in waits if wait is not None), default=None)


async def reconcile_at_once(round: Round, messages: Iterable[Message]) -> float | None:
    """As `reconcile`, but side by side: one person's failure must not keep the others waiting."""
    results = await asyncio.gather(*(_reconcile(round, wanted) for wanted in messages), return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return min((wait for wait in results if isinstance(wait, float)), default=None)


async def _reconcile(round: Round, wanted: Message) -> float | None:
    match wanted:
        case GameMessage():
            await game_message.show(round, wanted)
            return None
        case Call():
            return await calls.show(round, wanted)
        case Letter():
            return await letters.show(round, wanted)
        case Covered():
            return await _cover(round, wanted)
        case _:
            assert_never(wanted)


async def _cover(round: Round, wanted: Covered) -> float | None:
    """Note that a message needn't be sent, and delete it if it exists; one for a single person stays."""
    if wanted.delay > 0:
        return wanted.delay
    name, projection = wanted.name, await round.here(wanted.name)
    if name.kind in PERSONAL:
        if projection is None or projection.pending:
            round.settle(name)
    elif projection is None or projection.state is not State.COVERED:
        if projection is not None:
            await round.delete(projection)
        round.note(name, Move.COVER, Place(round.table.channel))
    if wanted.then is not None:
        await round.flush()
        await wanted.then()
    return None

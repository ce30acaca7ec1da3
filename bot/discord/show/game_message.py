"""Keeps what all see of a game as it must be: the game message, and the messages that belong to it."""

from __future__ import annotations

from bot.discord.show import calls
from bot.discord.show.round import Round
from bot.discord.show.wanted import GameMessage
from bot.projections import Move, Projection, State


async def show(round: Round, wanted: GameMessage) -> None:
    """Edit or post a message; it calls people when it is posted. Raises Discord's errors."""
    if wanted.final:
        await _finish(round, wanted, round.known.get(wanted.name))
        return
    projection, say = await round.here(wanted.name), None
    if projection is not None and projection.posted is not None and projection.state is not State.REPLACING:
        if _is_shown(round, wanted, projection):
            return
        edited = wanted.once
        if not edited:
            edited, say = await round.edit(wanted, projection.posted)
        if edited:
            if wanted.due or projection.pending or projection.state is State.FINAL:
                round.note(wanted.name, Move.EDIT)
            return
    if say := say or await wanted.draw():
        await calls.post(round, wanted, say, await calls.users_to_notify(round, wanted))


def _is_shown(round: Round, wanted: GameMessage, projection: Projection) -> bool:
    """Whether a message shows the version that it must, as far as is known."""
    if projection.state is State.FINAL or not 0 < wanted.due <= projection.version:
        return False
    return round.display.doubt_of(round.table.number) is None


async def _finish(round: Round, wanted: GameMessage, projection: Projection | None) -> None:
    """Edit a final message for the last time."""
    number, place = round.table.number, None if projection is None else projection.posted
    if place is not None and projection is not None and projection.state is not State.FINAL:
        if say := await wanted.draw():
            await round.display.edit(place.channel, place.message, say(()), closing=True)
        round.display.forget(number, wanted.name)
        if wanted.returns:
            round.note(wanted.name, Move.FINISH)
    if not wanted.returns:
        round.forget(wanted.name)

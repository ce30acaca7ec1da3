"""Positions from which tests go on. Each is played over the wire the first time that a process asks for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from engine.actions import EndTurn, Roll
from tests.wire.party import Party, Person, party
from tests.wire.position import Position

_known: dict[str, Position] = {}


async def _reached(folder: Path, name: str, people: int, play: Callable[[Party], Awaitable[None]]) -> Position:
    if name not in _known:
        place = folder / name
        place.mkdir()
        async with party(place, people=people) as table:
            table.suggested = frozenset()
            await play(table)
            _known[name] = await Position.of(table.bot)
    return _known[name]


async def lobby(folder: Path) -> Position:
    """A table that four people have joined."""

    async def play(table: Party) -> None:
        await table.gather()

    return await _reached(folder, "lobby", 4, play)


async def begun(folder: Path) -> Position:
    """A game at its first placement."""

    async def play(table: Party) -> None:
        await table.begin()

    return await _reached(folder, "begun", 4, play)


async def main_step(folder: Path, people: int = 4) -> Position:
    """A game in which a player has rolled and can end the turn."""

    async def play(table: Party) -> None:
        await table.begin()
        while not await can(table, EndTurn):
            await table.step()

    return await _reached(folder, f"main-{people}", people, play)


async def roll_step(folder: Path) -> Position:
    """A game in which a player must roll. Panels of earlier turns are above."""

    async def play(table: Party) -> None:
        await table.begin()
        while not await can(table, Roll):
            await table.step()

    return await _reached(folder, "roll", 4, play)


async def can(table: Party, action: type[EndTurn] | type[Roll]) -> bool:
    """Whether an action is possible now."""
    game = await table.game()
    return action in game.options(game.to_act[0])


async def on_turn(table: Party) -> Person:
    """The player who must act."""
    return await table.person((await table.game()).to_act[0])

"""Positions from which tests go on. Each is played over the wire by the first process that asks for it."""

from __future__ import annotations

import os
import pickle
from collections.abc import Awaitable, Callable
from pathlib import Path

import filelock

from engine.actions import AgreeToCallOff, EndTurn, Roll
from tests.bot.discord.doing import by_commands
from tests.wire.party import Party, Person, party
from tests.wire.position import Position

_known: dict[str, Position] = {}
Play = Callable[[Party], Awaitable[None]]
Before = Callable[[Path], Awaitable[Position]]


async def _reached(folder: Path, name: str, play: Play, before: Before | None = None) -> Position:
    """The position, which another process of the same tests can have reached. `before`: the one to begin from."""
    if name not in _known:
        ours = folder.parents[1] if "PYTEST_XDIST_WORKER" in os.environ else folder.parent
        kept = ours / f"position-{name}"
        with filelock.FileLock(f"{kept}.lock"):
            if not kept.exists():
                (folder / name).mkdir()
                kept.write_bytes(pickle.dumps(await _played(folder / name, play, before)))
            _known[name] = pickle.loads(kept.read_bytes())
    return _known[name]


async def _played(place: Path, play: Play, before: Before | None) -> Position:
    position = await before(place.parent) if before else None
    async with party(place, position=position) as table:
        table.suggested = frozenset()
        await play(table)
        return await Position.of(table.bot)


async def lobby(folder: Path) -> Position:
    """A table that four people have joined."""

    async def play(table: Party) -> None:
        await table.gather()

    return await _reached(folder, "lobby", play)


async def begun(folder: Path) -> Position:
    """A game at its first placement."""

    async def play(table: Party) -> None:
        await table.people[0].click(await table.panel(), label="Start")
        await table.settled(1)

    return await _reached(folder, "begun", play, lobby)


async def main_step(folder: Path) -> Position:
    """A game in which a player has rolled and can end the turn, and everyone has a card."""

    async def play(table: Party) -> None:
        while not (await can(table, EndTurn) and all(map(any, (await table.game()).state.hands))):
            await table.step()

    return await _reached(folder, "main", play, roll_step)


async def roll_step(folder: Path) -> Position:
    """A game in which a player must roll. Panels of earlier turns are above."""

    async def play(table: Party) -> None:
        while not await can(table, Roll):
            await table.step()

    return await _reached(folder, "roll", play, begun)


async def called_off(folder: Path) -> Position:
    """A game that its players have agreed to end in its first placements."""

    async def play(table: Party) -> None:
        await table.step()
        await end(table)

    return await _reached(folder, "off", play, begun)


async def end(table: Party) -> None:
    """Let everyone agree to end the running game."""
    for person in table.people:
        await by_commands(table, person, AgreeToCallOff())
    await table.settled()


async def can(table: Party, action: type[EndTurn] | type[Roll]) -> bool:
    """Whether an action is possible now."""
    game = await table.game()
    return action in game.options(game.to_act[0])


async def on_turn(table: Party) -> Person:
    """The player who must act."""
    return await table.person((await table.game()).to_act[0])

"""Plays one person among bots: the person does by components what a bot would; the others play as time passes."""

from __future__ import annotations

from typing import Any

from simcord.backend.errors import SetupError

from bot.service.computers import choose
from engine.actions import BankTrade
from players.table import unanswered
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall


async def play(hall: Hall, person: Any, turns: int = 1000, level: str = "easy") -> int:
    """Play until the game ends, or for so many turns. Returns how many actions the person did."""
    done = 0
    for _ in range(20_000):
        table, game = await hall.table(), await hall.game()
        if game.outcome is not None or game.turn > turns:
            return done
        seat = table.seat_of(game, person.id)
        assert seat is not None
        view = game.view(seat)
        if seat in game.to_act or unanswered(view):
            action = choose(level, view)
            # a bot's trade with the bank can be too much for a form
            way = by_commands if isinstance(action, BankTrade) else by_components
            try:
                await way(hall, person, action)
            except (SetupError, StopIteration, AssertionError):
                assert (await hall.game()).revision > game.revision, action  # a bot was faster
            except TimeoutError:  # the bots think for longer than the simulated Discord waits
                await rest(hall)
            done += (await hall.game()).revision > game.revision
            continue
        await hall.env.advance_time(2)
    raise AssertionError("the game doesn't end")


async def rest(hall: Hall) -> None:
    """Wait until nothing happens anymore, however long the bots think."""
    for _ in range(24):
        try:
            await hall.env.settle()
        except TimeoutError:
            continue
        return
    raise AssertionError("the computers don't come to an end")

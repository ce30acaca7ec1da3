"""One person among computers: they do by components what a computer would, while the others play by the clock."""

from __future__ import annotations

from typing import Any

from simcord.backend.errors import SetupError

from bot.service.computers import choose
from engine.actions import BankTrade
from players.table import unanswered
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall


async def play(hall: Hall, person: Any, turns: int = 1000, level: str = "easy") -> int:
    """Play until the game ends, or for so many turns; how many actions the person did."""
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
            # what a computer trades with the bank may be too much for a form
            way = by_commands if isinstance(action, BankTrade) else by_components
            try:
                await way(hall, person, action)
            except (SetupError, StopIteration, AssertionError):
                assert (await hall.game()).revision > game.revision, action  # a computer was faster
            except TimeoutError:  # they think for longer than the simulated Discord waits
                await rest(hall)
            done += (await hall.game()).revision > game.revision
            continue
        await hall.env.advance_time(2)
    raise AssertionError("the game doesn't end")


async def rest(hall: Hall) -> None:
    """Wait until nothing goes on, however long computers think."""
    for _ in range(24):
        try:
            await hall.env.settle()
        except TimeoutError:
            continue
        return
    raise AssertionError("the computers don't come to an end")

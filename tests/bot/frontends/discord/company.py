"""One person among computers: they do by components what a computer would, while the others play by the clock."""

from __future__ import annotations

from typing import Any

from simcord.backend.errors import SetupError

from bot.service.computers import choose
from engine.errors import RefereeError
from players.table import unanswered
from tests.bot.frontends.discord.doing import by_components
from tests.bot.frontends.discord.hall import Hall


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
            try:
                await by_components(hall, person, choose(level, view))
            except (SetupError, StopIteration, AssertionError, RefereeError):  # a computer was faster
                assert (await hall.game()).revision > game.revision
            done += (await hall.game()).revision > game.revision
            continue
        await hall.env.advance_time(2)
    raise AssertionError("the game doesn't end")

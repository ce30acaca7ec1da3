"""What happens at a table beside the game's own actions is kept, so that those who weren't there hear of it."""

from __future__ import annotations

from dataclasses import replace

from bot.table.proposals import News
from bot.table.table import Table
from engine.game import Game

MOST = 50
"""How much of it is kept: a table is written with each action."""


def with_news(
    table: Table,
    game: Game,
    what: str,
    *,
    user: int = 0,
    name: str = "",
    newcomer: str = "",
    pace: int = 0,
    expiry: str = "",
    by_wish: bool = False,
) -> Table:
    """The table with what has just happened; the values as in `News`."""
    told = News(what, table.version, game.turn, game.public_revision, user, name, newcomer, pace, expiry, by_wish)
    return replace(table, choices=replace(table.choices, news=(*table.choices.news, told)[-MOST:]))

"""Keeps a table's news: what happens in addition to the game's own actions. People who weren't there can read it, and
some of it affects what is possible later."""

from __future__ import annotations

from dataclasses import replace

from bot.table.news import SEATED, News
from bot.table.table import Table
from engine.game import Game

MOST = 50
"""How much news is kept in addition to what is needed later. There is a limit, as each action writes the table."""
A_DAY = 86_400.0
"""Seconds for which it counts that a person declined a seat, or was refused one."""


def with_news(table: Table, game: Game, told: News, now: float) -> Table:
    """The table with news of what has just happened."""
    told = replace(told, made=table.version, turn=game.turn, revision=game.public_revision)
    told = replace(told, recorded=game.revision, at=now)
    news = (*table.news, told)
    kept = (item for item in news[:-MOST] if item.what == SEATED or (item.is_answer and now < item.at + A_DAY))
    return replace(table, news=(*kept, *news[-MOST:]))


def seatings(table: Table, place: int | None = None) -> list[News]:
    """News of who took over which seat from whom, in order; `place`: only of the seat at that place."""
    return [item for item in table.news if item.what == SEATED and place in (None, item.place)]


def said_no_recently(table: Table, user: int, what: str, now: float) -> bool:
    """Whether a user declined a seat (`DECLINED`), or the players refused them one (`SUBSTITUTE`), less than a day ago,
    and the user has had no seat since."""
    for item in reversed(table.news):
        if (item.what, item.user) == (SEATED, user):
            return False
        if (item.what, item.about) == (what, user):
            return now < item.at + A_DAY
    return False

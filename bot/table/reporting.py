"""What happens at a table beside the game's own actions is kept, so that those who weren't there hear of it, and what
follows from it for later is known."""

from __future__ import annotations

from dataclasses import replace

from bot.table.news import SEATED, News
from bot.table.table import Table
from engine.game import Game

MOST = 50
"""How much of it is kept beside what is asked for later: a table is written with each action."""
A_DAY = 86_400.0
"""Seconds for which it counts that somebody didn't take, or get, a seat."""


def with_news(table: Table, game: Game, told: News, now: float) -> Table:
    """The table with what has just happened."""
    told = replace(told, made=table.version, turn=game.turn, revision=game.public_revision)
    told = replace(told, recorded=game.revision, at=now)
    news = (*table.news, told)
    kept = (one for one in news[:-MOST] if one.what == SEATED or (one.is_answer and now < one.at + A_DAY))
    return replace(table, news=(*kept, *news[-MOST:]))


def seatings(table: Table, place: int | None = None) -> list[News]:
    """Who has taken over which seat from whom, or that at a place, in order."""
    return [one for one in table.news if one.what == SEATED and place in (None, one.place)]


def is_over_for(table: Table, user: int, what: str, now: float) -> bool:
    """Whether somebody has said no to a seat (`DECLINED`), or the players to them (`SUBSTITUTE`), less than a day ago,
    and they have had none since."""
    for one in reversed(table.news):
        if (one.what, one.user) == (SEATED, user):
            return False
        if (one.what, one.about) == (what, user):
            return now < one.at + A_DAY
    return False

"""A table's news in words, a sentence each: what happened at it besides the game's own actions."""

from __future__ import annotations

from collections.abc import Iterable

from bot.table.parts import COMPUTER, DECLINED, PACE, RETURNED, SEATED, News
from bot.words import times
from bot.words.language import _

LATEST = 4
"""Maximum lines of news in a panel."""


def in_turn(news: Iterable[News], turn: int) -> str:
    """The latest news of a turn, a line each."""
    return "\n".join([sentence(item) for item in news if item.turn == turn and not item.is_answer][-LATEST:])


def sentence(news: News) -> str:
    """For all players, without Markdown."""
    name, newcomer = news.name, news.newcomer
    if news.what == SEATED:
        return _("🪑 {newcomer} has taken over {name}'s seat.", newcomer=newcomer, name=name)
    if news.what == COMPUTER and news.by_wish:
        return _("🤖 {name} lets a bot play for them now.", name=name)
    if news.what == COMPUTER:
        return _("🤖 A bot plays for {name} now.", name=name)
    if news.what == RETURNED:
        return _("🙋 {name} is back and plays again.", name=name)
    if news.what == DECLINED:
        return _("🪑 {newcomer} declined {name}'s seat.", newcomer=newcomer, name=name)
    if news.what != PACE:
        return _("🪑 The vote failed: {newcomer} doesn't take {name}'s seat.", newcomer=newcomer, name=name)
    if not news.pace:
        return _("⏳ Agreed: no turn timer from now on.")
    pace, expiry = times.span(news.pace), _(times.AFTERWARDS[news.expiry])
    return _("⏳ Agreed: turn timer {pace}, then {expiry}.", pace=pace, expiry=expiry)

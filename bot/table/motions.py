"""What people at a table agree on by more than half of them, one of each kind at a time, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

from bot.table.news import with_news
from bot.table.proposals import PACE, PAUSE, RESUME, SUBSTITUTE, News, Proposal
from bot.table.seats import free_places, is_outvoted, replaced, seated, who_plays
from bot.table.table import Table
from bot.table.waiting import DAY, begun_anew, stopped
from engine.errors import RefereeError
from engine.game import Game

PATIENCE = DAY
"""Seconds until somebody who was refused a seat can ask again, and until others can where nobody has answered."""


def settled(table: Table, game: Game, now: float) -> Table:
    """The table once all that more than half of those who play want by now is done, and what can't be agreed on any
    more is void: one of them has left, or is back."""
    while True:
        there = who_plays(table, game)
        if absent := next((user for user in there if is_outvoted(table, game, user)), 0):
            table = replaced(table, absent, "hard")
            continue
        open_ = table.choices.proposals
        found = next((p for p in open_ if p.holds(there) or p.is_void(there) or _is_gone(p, table, game)), None)
        if found is None:
            return table
        table = without(table, found)
        if _is_gone(found, table, game):
            continue
        if found.holds(there):
            table = _done(table, game, found, now)
        elif found.newcomer:
            table = turned_away(table, game, found, now, told=found.newcomer)


def _done(table: Table, game: Game, agreed: Proposal, now: float) -> Table:
    """The table once it is carried out."""
    if agreed.what == PAUSE:
        return replace(table, choices=replace(table.choices, paused=now))
    if agreed.what == RESUME:
        table = stopped(table, table.choices.paused, now)
        waits = tuple(replace(wait, pinged=0.0, again=True) for wait in table.waits)
        return replace(table, waits=waits, choices=replace(table.choices, paused=0.0))
    if agreed.what == SUBSTITUTE:
        return seated(table, agreed.place, agreed.newcomer, agreed.name)
    table = with_news(table, game, News(PACE, pace=agreed.pace, expiry=agreed.expiry), now)
    table = begun_anew(table, game, now)
    return replace(table, choices=replace(table.choices, pace=agreed.pace, expiry=agreed.expiry, missed=()))


def _is_gone(proposal: Proposal, table: Table, game: Game) -> bool:
    """Whether the seat that it is about is no computer's any more, or who wants it plays."""
    asks = proposal.what == SUBSTITUTE
    return asks and (proposal.place not in free_places(table, game) or proposal.newcomer in table.users)


def open_motion(table: Table, what: str) -> Proposal | None:
    """What is proposed of a kind."""
    return next((proposal for proposal in table.choices.proposals if proposal.what == what), None)


def proposed(table: Table, what: str, made: int | None) -> Proposal:
    """The same; code: "no-proposal" where it isn't, or is another than the one that was `made`."""
    open_ = open_motion(table, what)
    if open_ is None or made not in (None, open_.made):
        raise RefereeError("no-proposal")
    return open_


def without(table: Table, proposal: Proposal) -> Table:
    """The table without proposals of that kind."""
    left = tuple(other for other in table.choices.proposals if other.what != proposal.what)
    return replace(table, choices=replace(table.choices, proposals=left))


def having(table: Table, proposal: Proposal) -> Table:
    """The table with that proposal, in the place of another of its kind."""
    left, proposed = without(table, proposal).choices.proposals, max(table.choices.proposed, proposal.made)
    return replace(table, choices=replace(table.choices, proposals=(*left, proposal), proposed=proposed))


def turned_away(table: Table, game: Game, wanted: Proposal, now: float, *, told: int = 0) -> Table:
    """With somebody who doesn't get a seat; `told`: whom that is news to, 0: nobody."""
    whose = table.members[wanted.place].name
    news = News(SUBSTITUTE, user=told, name=whose, newcomer=wanted.name, about=wanted.newcomer)
    return with_news(table, game, news, now)

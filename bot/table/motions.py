"""What people at a table agree on by more than half of them, one of each kind at a time, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

from bot.table import waiting
from bot.table.news import with_news
from bot.table.people import People
from bot.table.proposals import PACE, PAUSE, RESUME, SUBSTITUTE, Proposal
from bot.table.seats import free_places, is_outvoted, occupied, seated, who_plays
from bot.table.table import Table
from engine.errors import RefereeError
from engine.game import Game

PATIENCE = waiting.DAY
"""Seconds until somebody who was refused a seat can ask again, and until others can where nobody has answered."""


def carried_out(table: Table, game: Game, people: People, agreed: Proposal, now: float) -> Table:
    """The table once that is done. Code: "no-proposal"."""
    if agreed.what == PAUSE:
        return replace(table, choices=replace(table.choices, paused=now))
    if agreed.what == RESUME:
        return waiting.resumed(table, game, people, now)
    if agreed.what == SUBSTITUTE:
        if is_gone(agreed, table, game):
            raise RefereeError("no-proposal")
        return seated(table, game, people, agreed.place, agreed.newcomer, agreed.name, now)
    table = with_news(table, game, PACE, pace=agreed.pace, expiry=agreed.expiry)
    return waiting.anew(table, game, people, now, pace=agreed.pace, expiry=agreed.expiry, missed=())


def settled(table: Table, game: Game, people: People, now: float) -> Table:
    """The table once all that more than half of those who play want by now is carried out, and what can't be agreed
    on any more is void: one of them has left, or is back."""
    while True:
        there = who_plays(table, game)
        table = _without_resigned(table, game)
        if len(there) < 3:  # a single other's vote decides nothing, and would keep them from being asked
            table = replace(table, choices=replace(table.choices, replacing=()))
        if absent := next((user for user in there if is_outvoted(table, game, user)), 0):
            table = occupied(table, game, people, absent, "hard", now)
            continue
        open_ = table.choices.proposals
        found = next((p for p in open_ if p.holds(there) or p.is_void(there) or is_gone(p, table, game)), None)
        if found is None:
            return table
        table = without(table, found)
        if is_gone(found, table, game):
            continue
        if found.holds(there):
            table = carried_out(table, game, people, found, now)
        elif found.newcomer:
            table = turned_away(table, game, found, now)


def _without_resigned(table: Table, game: Game) -> Table:
    """The table without what only those have proposed who have resigned, their votes, and the seats they offered."""
    gone = [place for place in range(len(table.members)) if game.state.resigned >> table.seat_at(game, place) & 1]
    proposals = (
        p.among([u for place, u in enumerate(table.users) if place not in gone]) for p in table.choices.proposals
    )
    choices = replace(
        table.choices,
        proposals=tuple(proposal for proposal in proposals if proposal.agreed or proposal.newcomer),
        handovers=tuple(offered for offered in table.choices.handovers if offered.place not in gone),
    )
    return replace(table, choices=choices)


def is_gone(proposal: Proposal, table: Table, game: Game) -> bool:
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


def turned_away(table: Table, game: Game, wanted: Proposal, now: float, *, told: bool = True) -> Table:
    """With somebody who doesn't get a seat; those of long ago are forgotten. `told`: that is news."""
    user = wanted.newcomer
    recent = (found for found in table.choices.turned_away if now < found[1] + PATIENCE and found[0] != user)
    table = replace(table, choices=replace(table.choices, turned_away=(*recent, (user, now))))
    whose = table.members[wanted.place].name
    return with_news(table, game, SUBSTITUTE, user=user, name=whose, newcomer=wanted.name) if told else table

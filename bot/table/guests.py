"""Who can sit down at a table before the start: seats that are kept for people, and people who were taken off it."""

from __future__ import annotations

from bot.table.table import LOBBY, Table
from engine.errors import RefereeError
from engine.refusals import Listed, Word
from engine.scenarios import SCENARIOS


def most_members(table: Table) -> int:
    """Number of seats in the table's scenario."""
    return max(SCENARIOS[table.config.scenario].players)


def unkept_seats(table: Table) -> int:
    """Number of seats that no one has and that are kept for no one; negative if there are too few."""
    return most_members(table) - len(table.members) - len(table.invited)


def seats_for_anyone(table: Table) -> int:
    """Number of seats that anyone could still take: bots make room for people, but kept seats aren't free."""
    if table.status != LOBBY or table.options.only_invited:
        return 0
    return max(most_members(table) - len(table.people) - len(table.invited), 0)


def open_to(table: Table, user: int) -> bool:
    """Whether a lobby has a seat for a user who knows nothing of it: that neither people nor bots have, and that isn't
    kept for others."""
    known = user in table.users or table.is_invited(user) or any(barred.user == user for barred in table.barred)
    closed = table.status != LOBBY or table.options.only_invited or table.lesson
    return not closed and not known and unkept_seats(table) > 0


def check_welcome(table: Table, user: int) -> None:
    """Refuse a user who can't sit down at this table; its host always can. Codes: "barred", "not-invited"."""
    check_not_barred(table, user)
    if table.options.only_invited and user != table.host and not table.is_invited(user):
        raise RefereeError("not-invited", host=table.member(table.host).name)


def check_not_barred(table: Table, user: int) -> None:
    """Refuse a user who was taken off the table. Code: "barred"."""
    for barred in table.barred:
        if barred.user == user:
            raise RefereeError("barred/manager" if barred.by_manager else "barred")


def full(table: Table) -> RefereeError:
    """Why no one else can sit down: there is no seat, or those that are free are kept for others."""
    names = tuple(guest.name for guest in table.invited if guest.name)
    if names and len(table.people) < most_members(table):
        return RefereeError("full/kept", names=Listed(names))
    scenario = SCENARIOS[table.config.scenario]
    return RefereeError("full", players=len(table.members), scenario=Word(scenario.title))

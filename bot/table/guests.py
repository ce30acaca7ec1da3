"""Who can sit down at a table before the start: seats that are kept for people, and people who were taken off it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from bot.table.options import SCENARIO
from bot.table.parts import FORGOTTEN, Barred, Guest
from bot.table.table import LOBBY, Table
from engine.errors import RefereeError
from engine.refusals import Listed
from engine.scenarios import SCENARIOS

MOST_SEATS = max(max(scenario.players) for scenario in SCENARIOS.values())
"""Number of seats in the largest scenarios."""


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
    known = user in (*table.users, *table.called) or table.is_invited(user) or is_barred(table, user)
    closed = table.status != LOBBY or table.options.only_invited or table.lesson
    return not closed and not known and unkept_seats(table) > 0


def without_guest(table: Table, user: int) -> Table:
    """The table with no seat kept for a user; they aren't called again if there is one later."""
    if not table.is_invited(user):
        return table
    invited = tuple(guest for guest in table.invited if guest.user != user)
    return replace(table, invited=invited, called=(*table.called, *([user] if user not in table.called else [])))


def to_call(table: Table) -> list[Guest]:
    """The people for whom seats are kept and whom the table hasn't called about an earlier seat."""
    return [guest for guest in table.invited if guest.user not in table.called]


def check_welcome(table: Table, user: int) -> None:
    """Refuse a user who can't sit down at this table; its host always can. Codes: "barred", "not-invited"."""
    check_not_barred(table, user)
    if table.options.only_invited and user != table.host and not table.is_invited(user):
        raise RefereeError("not-invited", host=table.member(table.host).name)


def is_barred(table: Table, user: int) -> bool:
    """Whether a user was taken off the table, even if they have asked to be forgotten since."""
    return any(is_about(barred, user) for barred in table.barred)


def is_about(barred: Barred, user: int) -> bool:
    """Whether it is this user who was taken off a table."""
    return barred.user == (user if barred.salt is None else unrecognizable(barred.salt, user))


def unrecognizable(salt: str, user: int) -> int:
    """A number for a user who has asked to be forgotten. Who knows the salt can compare it with theirs."""
    digest = sha256(f"{salt} {user}".encode()).digest()
    return FORGOTTEN + (1 << 48) + int.from_bytes(digest[:6], "big")


def barred_untold(table: Table, user: int) -> Barred | None:
    """A user who was taken off an open table and hasn't been told yet; None: there is nothing to tell them."""
    untold = (barred for barred in table.barred if barred.user == user and not barred.told)
    return next(untold, None) if table.open else None


def check_not_barred(table: Table, user: int) -> None:
    """Refuse a user who was taken off the table. Code: "barred"."""
    if is_barred(table, user):
        raise RefereeError("barred")


def full(table: Table) -> RefereeError:
    """Why no one else can sit down: there is no seat, or those that are free are kept for others."""
    names = tuple(guest.name for guest in table.invited if guest.name)
    if names and len(table.people) < most_members(table):
        return RefereeError("full/kept", names=Listed(names))
    return RefereeError("full" if can_grow(table) else "full/most", players=len(table.members))


def can_grow(table: Table) -> bool:
    """Whether the host can choose a scenario for more players."""
    return SCENARIO.name not in table.fixed and most_members(table) < MOST_SEATS

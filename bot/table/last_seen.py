"""When each user last acted. What they have missed begins there, and it shows how long they were away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.table.table import Table
from bot.table.waiting import actionable_since, decisions

PRESENT = 300.0
"""Seconds after their last action for which people count as present."""
LONG = 3600.0
"""Seconds without an action after which a player who is called may have to find their way back into the game."""


def noted(table: Table, user: int, revision: int, now: float, *, in_person: bool) -> Table:
    """The table after an action of a user's seat that all could notice; `revision`: that of the views after it.

    `in_person`: neither an order nor a bot acted. That is a secret: only the user may see what follows from it.
    """
    before = {who: seen for who, seen, _ in table.acted}
    others = tuple(other for other in table.acted if other[0] != user and other[0] in table.users)
    seen = revision if in_person else before.get(user, 0)
    return replace(table, acted=(*others, (user, seen, now)))


def seen_by(table: Table, user: int) -> int | None:
    """The revision of the views after the user's own last action; None: no such action was noted."""
    return next((seen for who, seen, _ in table.acted if who == user and seen), None)


def present_until(table: Table, users: Iterable[int]) -> float:
    """Until when the one of these users who acted last counts as present, in seconds since the epoch; 0: unknown."""
    among = {*users}
    return max((at + PRESENT for user, _, at in table.acted if user in among), default=0.0)


def was_away(table: Table, user: int, seat: int) -> bool:
    """Whether the game began to wait for a user's seat after the seat had long done nothing. All can tell."""
    last = next((at for who, _, at in table.acted if who == user), None)
    waits = (wait for wait in decisions(table) if wait.seat == seat)
    return last is not None and any(actionable_since(table, wait) - last >= LONG for wait in waits)


def has_acted(table: Table, user: int, seat: int) -> bool:
    """Whether a user's seat has done something since the game began to wait for it. All can tell."""
    last = next((at for who, _, at in table.acted if who == user), None)
    return last is not None and any(wait.seat == seat and wait.since <= last for wait in decisions(table))

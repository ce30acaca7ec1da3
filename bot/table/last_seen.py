"""When everybody did something last: from there on counts what they have missed, and how long they were away."""

from __future__ import annotations

from dataclasses import replace

from bot.table.table import Table
from bot.table.waiting import called_at, decisions

LONG = 3600.0
"""Seconds without an action after which somebody who is called may have to find their way back into the game."""


def noted(table: Table, user: int, revision: int, now: float, *, in_person: bool) -> Table:
    """The table after an action of somebody's seat that all could notice, with which views have that revision.

    `in_person`: no order and no computer did it. That is a secret: only they may be shown what follows from it.
    """
    before = {who: seen for who, seen, _ in table.acted}
    rest = tuple(found for found in table.acted if found[0] != user and found[0] in table.users)
    seen = revision if in_person else before.get(user, 0)
    return replace(table, acted=(*rest, (user, seen, now)))


def seen_by(table: Table, user: int) -> int | None:
    """The revision of views after what somebody did themselves last; None: they have done nothing that was noted."""
    return next((seen for who, seen, _ in table.acted if who == user and seen), None)


def was_away(table: Table, user: int, seat: int) -> bool:
    """Whether the game has come to wait for somebody's seat after a long time in which it did nothing; all can tell."""
    last = next((at for who, _, at in table.acted if who == user), None)
    waits = (wait for wait in decisions(table) if wait.seat == seat)
    return last is not None and any(called_at(table, wait) - last >= LONG for wait in waits)

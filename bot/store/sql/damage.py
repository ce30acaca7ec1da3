"""Games whose rows can't be what was written, and what host and players are told of it."""

from __future__ import annotations

import logging
import time

from bot.store.base import Damaged

log = logging.getLogger(__name__)

TELL_AGAIN = 3600.0
"""Seconds after which the host is told of the same game's damage again."""


class Unreadable(Exception):
    """What is stored can't be what was written; the text says why, without hands or seeds."""


class Damages:
    """Tells the host of damage, of the same game's once an hour."""

    def __init__(self, place: str) -> None:
        """`place`: what the host calls the database."""
        self._place = place
        self._told: dict[int | None, float] = {}

    def found(self, number: int | None, reason: str) -> Damaged:
        """Log what was found in a game (None: it isn't known in which); what its players are told."""
        now = time.monotonic()
        if now - self._told.get(number, -TELL_AGAIN) >= TELL_AGAIN:
            self._told[number] = now
            where = "A game" if number is None else f"Game {number}"
            log.error(
                "%s can't go on: what %s holds of it is damaged (%s). Stop the bot, keep a copy of it and restore a"
                " backup; docs/hosting.md says more.",
                *(where, self._place, reason),
            )
        return Damaged(number)

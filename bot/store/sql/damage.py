"""Games whose rows can't be what was written, and what host and players are told about it."""

from __future__ import annotations

import logging
import time

from bot.store.errors import Damaged, Newer

log = logging.getLogger(__name__)

BY_NEWER = "it was written by a newer version of Harbormaster"
"""Why a game that isn't damaged can't be read."""
TELL_AGAIN = 3600.0
"""Seconds after which the host is told about the same game's damage again."""


class Unreadable(Exception):
    """Stored data can't be what was written. The text says why, without hands or seeds."""


class WrittenByNewer(Unreadable):
    """Stored data is what was written, but by a newer version of the program."""

    def __init__(self) -> None:
        super().__init__(BY_NEWER)


class Damages:
    """Tells the host about damage, at most once an hour about the same game."""

    def __init__(self, place: str) -> None:
        """`place`: what the host calls the database."""
        self._place = place
        self._told: dict[int | None, float] = {}

    def newer(self, number: int) -> Newer:
        """Log that a newer version wrote a game. Returns the error that tells its players."""
        if self._is_news(number):
            log.error(
                "Game %s can't go on here: a newer version of Harbormaster has written it. Nothing is damaged: install"
                " that version here, too; docs/hosting.md says how.",
                number,
            )
        return Newer(number)

    def found(self, number: int | None, reason: str) -> Damaged:
        """Log what was found in a game (None: in an unknown one). Returns the error that tells its players."""
        if self._is_news(number):
            where = "A game" if number is None else f"Game {number}"
            log.error(
                "%s can't go on: what %s holds of it is damaged (%s). Stop Harbormaster, keep a copy and restore a"
                " backup; docs/hosting.md says more.",
                where,
                self._place,
                reason,
            )
        return Damaged(number)

    def _is_news(self, number: int | None) -> bool:
        now = time.monotonic()
        if now - self._told.get(number, -TELL_AGAIN) < TELL_AGAIN:
            return False
        self._told[number] = now
        return True

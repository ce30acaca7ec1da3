"""Errors that any store can raise."""

from __future__ import annotations

from bot.settings import SettingsError
from engine.errors import RefereeError


class NothingYet(SettingsError):
    """There is no store at the address yet: the first start makes it."""


class Conflict(Exception):
    """What a change was made from has changed meanwhile, or the same change is already stored. Nothing was stored."""


class Unavailable(Exception):
    """The store can't do it right now: it is locked, full or out of reach. A change was perhaps stored nevertheless."""


class MustEnd(Unavailable):
    """This process can't go on alongside others that share the store. It must hand on what it has and end, so that its
    supervisor starts it again. The text says why."""


class Damaged(RefereeError):
    """A game can't go on because its stored record can't be read; code "damaged". The host has been told why."""

    def __init__(self, number: int | None) -> None:
        if number is None:
            super().__init__("damaged/file")
        else:
            super().__init__("damaged", number=number)


class Newer(Damaged):
    """A game can't go on here because a newer version of the program wrote something that this one doesn't know; code
    "newer". Nothing is damaged. The host has been told."""

    def __init__(self, number: int) -> None:
        RefereeError.__init__(self, "newer", number=number)

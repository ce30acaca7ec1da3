"""What any store may raise."""

from __future__ import annotations

from engine.errors import RefereeError


class Conflict(Exception):
    """Somebody else has changed what a change was made from, or has made the same one; nothing was stored."""


class Unavailable(Exception):
    """The store can't do it just now: it is locked, full or out of reach. A change may be stored all the same."""


class MustEnd(Unavailable):
    """This process can't go on beside others that share the store: it has to hand on what it has and to end, so that
    its supervisor starts it anew. The text says why."""


class Damaged(RefereeError):
    """A game can't go on because its stored record can't be read; code "damaged". The host has been told why."""

    def __init__(self, number: int | None) -> None:
        if number is None:
            super().__init__("damaged/file")
        else:
            super().__init__("damaged", number=number)


class Newer(Damaged):
    """A game can't go on here because a newer version of the program has written what this one doesn't know; code
    "newer". Nothing is damaged, and the host has been told."""

    def __init__(self, number: int) -> None:
        RefereeError.__init__(self, "newer", number=number)

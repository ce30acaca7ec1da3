"""What of a game is visible in messages: what is shown where, at which version, and what is due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PANEL, COMMITMENT, CLOSING, SEED, FILM = "panel", "commitment", "closing", "seed", "film"
"""What of a game is shown to all: the panel, the promise before the first draw, the message that closes the
table, at the end the seed and the whole game as a film. A projection may have any other name as well."""


TURN = "turn:"
"""Begins the name of each turn's message; the rest is the number of the turn, "lobby", "archived" or "end"."""


PING = "ping:"
"""Begins the name of what calls somebody in the channel."""


HAND = "hand:"
"""Begins the name of each user's own hand."""


def hand_name(user: int) -> str:
    """Name of the projection that is a user's own hand (their DM)."""
    return f"{HAND}{user}"


REMINDER = "reminder:"
"""Begins the name of a reminder by direct message."""


def reminder_name(user: int) -> str:
    """Name of the projection that is a user's reminder by direct message."""
    return f"{REMINDER}{user}"


SEARCH = "search"
"""Name of the wish, after a backup was put back, to look through a game's channel for what was posted since."""


TROUBLE = "trouble"
"""Name of the message that tells somebody at a table that their game can't be shown. It has a channel once it has been
sent, or nobody takes any."""


BARRED = "barred:"
"""Begins the name of what keeps a game from being shown until Discord says that it is over; the rest says what it is.
It counts as long as the table has the version that was noted with it: who acts all the same wants to go on."""
LEFT, CLOSED_THREAD = f"{BARRED}left", f"{BARRED}thread"
"""The bot isn't on the game's server any more; somebody has closed the game's thread."""


@dataclass(frozen=True, slots=True)
class Projection:
    """Something visible of a game: which version it must show, which one it shows, and in which message."""

    what: str
    due: int
    shown: int
    """0: never shown."""
    channel: int | None
    message: int | None

    @property
    def pending(self) -> bool:
        """Whether it must be shown (again)."""
        return self.shown < self.due


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be noted of something visible: the version it shows, and in which message."""

    what: str
    version: int
    channel: int | None = None
    message: int | None = None
    """None: where it was before."""


Projections = Mapping[str, Projection]
"""All that is, or must be, visible of a game, by name."""


def is_barred(known: Projections, version: int) -> bool:
    """Whether nothing can be shown of a table that has this version, until Discord says so."""
    return any(what.startswith(BARRED) and found.shown >= version for what, found in known.items())


def is_unseen(known: Projections) -> bool:
    """Whether nobody can see how a game stands, and waiting doesn't help."""
    return any(what == TROUBLE or what.startswith(BARRED) for what in known)


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much there is to do, as figures."""

    due: int
    """Projections that must be shown (again), without hands, which are gathered."""
    oldest: float
    """Seconds since the latest change of the table that has waited longest for one; 0.0 with none due."""
    running: int
    """Running games."""

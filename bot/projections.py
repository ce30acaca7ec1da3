"""Projections: what is visible of a game in messages. They say which message shows what, at which version, and what is
due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PANEL, COMMITMENT, CLOSING, SEED, FILM = "panel", "commitment", "closing", "seed", "film"
"""Names of what all see: the panel, the commitment before the first draw, the message that closes the table, and at the
end the seed and the whole game as a film. A projection can have any other name, too."""


TURN = "turn:"
"""Prefix of the name of each turn's message. The turn's number, "lobby", "archived" or "end" follows."""


PING = "ping:"
"""Prefix of the name of a message that calls people in the channel."""


HAND = "hand:"
"""Prefix of the name of a user's own hand."""


def hand_name(user: int) -> str:
    """Name of the projection of a user's own hand (their DM)."""
    return f"{HAND}{user}"


REMINDER = "reminder:"
"""Prefix of the name of a reminder by direct message."""


def reminder_name(user: int) -> str:
    """Name of the projection of a user's reminder by direct message."""
    return f"{REMINDER}{user}"


SEARCH = "search"
"""Name of the projection that asks, after a backup was restored, to search a game's channel for what was posted since
the backup."""


TROUBLE = "trouble"
"""Name of the message that tells a person at a table that their game can't be shown. It has a channel once it was sent,
or once it turned out that no one can be sent any."""


NOTIFIED = "notified:"
"""Prefix of the projection that notes which message last notified a user of a topic: the message's id, the topic and
the user follow. It has no message of its own, since that one can be gone by now."""
OWED = "owed:"
"""Prefix of the projection that notes that a message still owes a user a call: its topic, its name and the user follow.
It has no message."""


BARRED = "barred:"
"""Prefix of the name of a reason why a game can't be shown until Discord says that the reason is gone. It counts as
long as the table has the version that was noted with it: people who act anyway want to go on."""
LEFT, CLOSED_THREAD = f"{BARRED}left", f"{BARRED}thread"
"""Harbormaster isn't on the game's server anymore; a person has closed the game's thread."""


@dataclass(frozen=True, slots=True)
class Projection:
    """Something visible of a game: the version it must show, the version it shows, and in which message."""

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
    """What to note about something visible: the version it shows, and in which message."""

    what: str
    version: int
    channel: int | None = None
    message: int | None = None
    """None: `channel` and `message` stay as they were noted before."""


Projections = Mapping[str, Projection]
"""All that is or must be visible of a game, by name."""


def is_barred(projections: Projections, version: int) -> bool:
    """Whether a `BARRED` reason keeps a table at this version from being shown."""
    return any(what.startswith(BARRED) and projection.shown >= version for what, projection in projections.items())


def is_unseen(projections: Projections) -> bool:
    """Whether no one can see how a game stands, and waiting doesn't help."""
    return any(what == TROUBLE or what.startswith(BARRED) for what in projections)


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much there is to do, in numbers."""

    due: int
    """Projections that must be shown (again), without hands, which are gathered."""
    oldest: float
    """Seconds since the latest change of the table that has waited longest for a projection; 0.0 if none is due."""
    running: int
    """Running games."""

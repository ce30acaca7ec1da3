"""Projections: what is visible of a game in messages. They say which message shows what, at which version, and what is
due.

A projection goes from state to state by `Move`s, and only so (`NEXT`): docs/architecture.md has the picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a projection is about. Its name in the store, which never changes."""

    # --- what all see
    PANEL = "panel"
    """Where the message with the buttons is, and which version all can see."""
    TURN = "turn"
    """The message of a stage: a turn's number, "lobby", "archived" or "end"."""
    COMMITMENT = "commitment"
    """The commitment to the seed, before the first draw."""
    CLOSING = "closing"
    """The message that closes the table."""
    SEED = "seed"
    """At the end, what proves the dice, with the game's page."""
    FILM = "film"
    """The whole game as a film. Only games that ended before there were pages want it; others have films on demand."""
    PING = "ping"
    """A message that calls people in the channel, by its occasion."""
    IDLE = "idle"
    """The warning that no one uses the table, by the time when it was given."""
    MOVED = "moved"
    """A message in a channel that the game has left, by its kind and id. It must still be put away."""

    # --- what is for one person alone
    HAND = "hand"
    REMINDER = "reminder"
    """A reminder by direct message."""
    NEW_TABLES = "tables"
    """A direct message about new tables, by their numbers."""
    TROUBLE = "trouble"
    """The message that tells a person at the table that their game can't be shown."""

    # --- what must be known besides
    TOLD = "asked"
    """The message by which a user has learned what they must know immediately, by occasion."""
    UNREACHED = "closed"
    """The call in the channel to a user whom no direct message, or nothing in their private thread, could reach. With
    the key `PASSING`, that says nothing about the user."""
    NOTIFIED = "notified"
    """The message that last notified a user, by topic. It can be gone by now."""
    OWED = "owed"
    """The call that a message still owes a user, by topic and the message's name (`owed`)."""
    CALLED = "called"
    """Whom a message in a new table's channel calls, by the message's key; user 0 is the server's role."""
    ROOM = "room"
    """A user's private thread."""
    TAG = "tag"
    """That a table's post has its tag, by the table's status or "closed". The channel is the post."""
    BARRED = "barred"
    """A reason why a game can't be shown until Discord says that it is gone. It counts as long as the table has the
    version that was noted with it: people who act anyway want to go on. That version rises with what the clock, bots
    and autopilots do, unless the game ends by it."""
    SEARCH = "search"
    """That a game's channel must be searched for what is there but isn't known: what was posted since a backup was made
    that is now restored, or before it was posted again."""


class Name(NamedTuple):
    """The name of a projection in its game."""

    kind: Kind
    key: str = ""
    user: int = 0
    """0: it isn't about one person."""

    def __str__(self) -> str:
        """Part of a message's nonce."""
        return ":".join(str(part) for part in (self.kind, self.user, self.key) if part)


PANEL, COMMITMENT, CLOSING, SEED, FILM, TROUBLE, SEARCH = (
    Name(kind) for kind in (Kind.PANEL, Kind.COMMITMENT, Kind.CLOSING, Kind.SEED, Kind.FILM, Kind.TROUBLE, Kind.SEARCH)
)
LEFT, CLOSED_THREAD = Name(Kind.BARRED, "left"), Name(Kind.BARRED, "thread")
"""Harbormaster isn't on the game's server anymore; a person has closed the game's thread."""
GONE, REFUSED = Name(Kind.BARRED, "gone"), Name(Kind.BARRED, "refused")
"""The channel of a table that isn't open is gone; Discord refuses to show such a table, until its server changes."""


PASSING = "passing"
"""The key of `Kind.UNREACHED` if Discord refuses all direct messages for a while, or the user has switched them on
since."""


class State(StrEnum):
    """How far a projection is. Its name in the store, which never changes."""

    WANTED = "wanted"
    """It must be shown, and never was."""
    POSTING = "posting"
    """It is being posted. If the process dies, it might be there."""
    POSTED = "posted"
    """It is there, in its place."""
    REPLACING = "replacing"
    """It is in its place, and is being posted again, so there might be two."""
    FINAL = "final"
    """It is there in a final form, without controls, but it might be wanted again."""
    COVERED = "covered"
    """It needs no message: another one says the same, nothing is due, or it is only a note."""


class Move(StrEnum):
    """What happens to a projection."""

    DUE = "due"
    """Something has changed that it must show."""
    POST = "post"
    """It will be posted now, once this is stored."""
    SENT = "sent"
    """Discord has taken the message."""
    EDIT = "edit"
    """Discord has taken an edit, or the message needs none."""
    FINISH = "finish"
    """Discord has taken the last edit."""
    COVER = "cover"
    """It needs no message."""
    FIND = "find"
    """Its place was learned otherwise: another message shows it, or it isn't a message."""


NEXT: Mapping[tuple[State | None, Move], State] = {
    (None, Move.DUE): State.WANTED,
    **{(state, Move.DUE): state for state in State},
    **{(state, Move.POST): State.POSTING for state in (None, State.WANTED, State.POSTING, State.COVERED)},
    **{(state, Move.POST): State.REPLACING for state in (State.POSTED, State.REPLACING, State.FINAL)},
    **{(state, Move.SENT): State.POSTED for state in (State.POSTING, State.REPLACING)},
    **{(state, Move.EDIT): State.POSTED for state in (State.POSTED, State.REPLACING, State.FINAL)},
    **{(state, Move.FINISH): State.FINAL for state in (State.POSTED, State.REPLACING, State.FINAL)},
    **{(state, Move.COVER): State.COVERED for state in (None, *State)},
    **{(state, Move.FIND): State.POSTED for state in (None, *State)},
}
"""The state after a move. None: there is no projection; any can be forgotten, once its message is gone."""
PLACED = (State.POSTED, State.REPLACING, State.FINAL)
"""The states in which a message is known to exist."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is."""

    channel: int
    message: int = 0
    """0: it is the channel itself."""


@dataclass(frozen=True, slots=True)
class Projection:
    """Something visible of a game: its state and place, the version it must show, and the version it shows."""

    name: Name
    state: State
    due: int
    version: int
    """The version that it shows; 0: never shown."""
    place: Place | None = None

    @property
    def pending(self) -> bool:
        """Whether it must be shown (again)."""
        return self.version < self.due

    @property
    def since(self) -> int:
        """The version since which its next message has been wanted, for its nonce: the same at each try to post it,
        another one for what is wanted later. It is noted as the version."""
        return max(self.version, self.due - 1) if self.state is State.WANTED else self.version

    @property
    def posted(self) -> Place | None:
        """Where its message is, as far as is known."""
        return self.place if self.state in PLACED else None

    @property
    def doubtful(self) -> bool:
        """Whether a message might have been posted that is not known."""
        return self.state in (State.POSTING, State.REPLACING)


def moved(before: Projection | None, name: Name, move: Move, version: int, place: Place | None = None) -> Projection:
    """A projection after a move; `version`: the one that it now shows; `place` None: it stays where it is."""
    state = NEXT[None if before is None else before.state, move]
    if before is None:
        return Projection(name, state, version, version, place)
    return Projection(name, state, max(before.due, version), max(before.version, version), place or before.place)


Projections = Mapping[Name, Projection]
"""All that is or must be visible of a game, by name."""


def of_kind(projections: Projections, *kinds: Kind) -> list[Projection]:
    """The projections of some kinds."""
    return [projection for name, projection in projections.items() if name.kind in kinds]


def is_barred(projections: Projections, version: int) -> bool:
    """Whether a reason (`Kind.BARRED`) keeps a table at this version from being shown."""
    return any(reason.version >= version for reason in of_kind(projections, Kind.BARRED))


def is_unseen(projections: Projections) -> bool:
    """Whether no one can see the state of a game until someone does something about it."""
    return TROUBLE in projections or bool(of_kind(projections, Kind.BARRED))


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much there is to do, in numbers."""

    due: int
    """Projections that must be shown (again), without hands, which are gathered."""
    oldest: float
    """Seconds since the latest change of the table that has waited longest for a projection; 0.0 if none is due."""
    running: int
    """Running games."""

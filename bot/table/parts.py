"""What a table consists of, apart from its options and times: members and seats that are offered, motions, news, and
wishes.

A motion is what a person at a table proposes, and who agrees: about the turn timer, a pause, or who plays a seat. News
is what has happened at a table in addition to the game's own actions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from engine.resources import Hand

# --- members

FORGOTTEN = 1 << 62
"""User numbers from here on stand for people who asked to be forgotten. Discord's own ids get there in 2049."""


@dataclass(frozen=True, slots=True)
class Member:
    """A person or bot at a table. Its place is its index in `Table.members`, which are in order of joining."""

    user: int
    name: str
    """Display name at their latest interaction, as `safe_name` makes it."""
    color: str
    """The color they asked for, or else the one they were given, which can still change in the lobby."""
    asked: bool
    """Whether they asked for that color."""
    phrase: str
    """Their lucky words, part of the game's chance; empty: none."""
    interaction: str
    """Id of the interaction by which they joined: part of the game's chance, to which a bot adds nothing."""
    level: str = ""
    """Level of the bot that plays here (`players.LEVELS`), perhaps in a person's place; empty: no bot plays."""

    @property
    def is_person(self) -> bool:
        """Whether this is a Discord user. A bot has a negative number."""
        return self.user > 0


@dataclass(frozen=True, slots=True)
class Guest:
    """A person for whom a seat is kept until the game starts."""

    user: int
    name: str = ""
    """Their name at the time; empty in tables of earlier versions."""
    since: int = 0
    """The table's version before the seat was kept; 0: it was when the table was opened."""


@dataclass(frozen=True, slots=True)
class Barred:
    """A person who was taken off a table, and can't join it again. Only they and the host know."""

    user: int
    name: str
    """Their name at the time."""
    by_manager: bool = False
    """Whether it wasn't the host who took them off, but someone who manages the channel."""
    told: bool = False
    """Whether they have been told."""
    salt: str | None = None
    """What `user` was made of, together with their number, when they asked to be forgotten
    (`bot.table.guests.unrecognizable`); None: they haven't."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A person for whom a bot plays moves. What the table decides still waits for them, for some days (I6)."""

    user: int
    since: float
    """When the bot took over, or when they last voted since, in seconds since the epoch."""
    wished: bool = False
    """Whether they wanted the bot."""
    replaced: float = 0.0
    """When the bot took over; 0 in tables of earlier versions."""
    until: float | None = None
    """When the others can decide without them, as `bot.table.waiting.timed` calculates it; None: no time runs."""
    over: bool = False
    """Whether the others decide without them now. That ends when they take their seat back."""


@dataclass(frozen=True, slots=True)
class Handover:
    """A seat that is offered to a person who doesn't play."""

    place: int
    """The seat's place in `Table.members`."""
    to: int
    """User to whom it is offered; 0: the first who takes it."""
    name: str = ""
    """That user's name at the time."""


# --- motions

PACE, PAUSE, RESUME, SUBSTITUTE, REPLACE = "pace", "pause", "resume", "substitute", "replace"
"""What the people at a table can agree on (`bot.table.acts.motions`)."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What a person at a table proposes, and who agrees."""

    kind: str
    ayes: tuple[int, ...]
    """Users who agree, in order; the one who proposed it is first."""
    noes: tuple[int, ...] = ()
    """Users who are against it."""
    made: int = 0
    """Its number among the table's proposals, which its buttons carry. In earlier versions: the table's version when it
    was made."""
    at: float = 0.0
    """When it was made, in seconds since the epoch."""
    pace: int = 0
    expiry: str = ""
    """As in `TableOptions`, if it is about them."""
    newcomer: int = 0
    name: str = ""
    """User who wants a seat that a bot plays (`newcomer`), and their name."""
    place: int = -1
    """That seat's place in `Table.members`."""
    absent: int = 0
    """User for whom a bot would play."""

    @property
    def about(self) -> tuple[str, int]:
        """What it is about: there is only one motion at a time with the same value."""
        return self.kind, self.absent

    def holds(self, playing: Collection[int], needed: int) -> bool:
        """Whether so many of the users who play agree as are needed."""
        return sum(user in playing for user in self.ayes) >= needed

    def is_void(self, playing: Collection[int], needed: int) -> bool:
        """Whether so many of the users who play are against it that it can't be agreed on anymore."""
        return sum(user not in self.noes for user in playing) < needed

    def agreed_to_by(self, user: int) -> Motion:
        """The motion with a user agreeing."""
        noes = tuple(other for other in self.noes if other != user)
        return replace(self, ayes=tuple(dict.fromkeys((*self.ayes, user))), noes=noes)

    def among(self, users: Collection[int]) -> Motion:
        """The motion with only the votes of these users."""
        ayes = tuple(user for user in self.ayes if user in users)
        return replace(self, ayes=ayes, noes=tuple(user for user in self.noes if user in users))


# --- news

SEATED, COMPUTER, RETURNED, DECLINED = "seated", "computer", "returned", "declined"
"""What can happen to a seat: a new player took it over, a bot plays for its owner, the owner is back, or a person
declined it. Other kinds of news are a `PACE` that was agreed on, and a `SUBSTITUTE` whom the players refused."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened at a table in addition to the game's own actions, as all may know it."""

    what: str
    made: int = 0
    """The table's version before it."""
    turn: int = 0
    revision: int = 0
    """Turn and revision of the game at that time, as all see it."""
    user: int = 0
    """User who came or went, or who gets the answer, having offered the seat or asked for one; 0: it is about all."""
    name: str = ""
    """Name of the seat's owner."""
    newcomer: str = ""
    """Name of the person who would take the seat, or has taken it. Names are as they were at that time."""
    pace: int = 0
    expiry: str = ""
    """As in `TableOptions`, if the news is about them."""
    by_wish: bool = False
    """Whether a bot plays for them because they wanted it."""
    at: float = 0.0
    """Seconds since the epoch."""
    recorded: int = 0
    """How many records the game had at that time."""
    place: int = -1
    """Place in `Table.members` of a seat that changed hands, or that someone doesn't take or get."""
    about: int = 0
    """User who had the seat, or who doesn't take or get one."""

    @property
    def is_answer(self) -> bool:
        """Whether it only tells one person that nothing comes of what they wanted."""
        return self.what in (DECLINED, SUBSTITUTE)


# --- wishes


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player is looking for between their turns. All see it; it binds no one."""

    user: int
    want: Hand
    give: Hand
    """What they would give for it; `NOTHING`: they haven't said."""
    turn: int
    """How many of their own turns had begun. With the next one, the wish is over."""

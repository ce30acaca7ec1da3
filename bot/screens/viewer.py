"""A game as one person sees it: the table, their seat, their view, and all players' names."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from bot.plaintext import clip
from bot.table.parts import Guest, Member
from bot.table.seats import who_decides
from bot.table.table import Table
from bot.words.language import _
from bot.words.marks import with_color
from engine.actions import Action
from engine.config import COLORS
from engine.domains import Options
from engine.errors import IllegalAction, RefereeError
from engine.game import Game
from engine.geometry import mask_of
from engine.views import View
from render import shape

LONGEST_SHORT_NAME = 20
"""Most characters of a name in labels and pictures."""
BOT_MARK = "🤖"
"""Marks people for whom a bot plays. Bots need no mark: their names show what they are."""
NOT_NAMES = (*COLORS, "nobody", "no one", "leave", "everyone", "you")
"""Words of commands and labels that a bare name must not be mistaken for."""


def marked(member: Member, name: str = "") -> str:
    """A member's name in a message that doesn't notify them; a mention would read "@unknown-user" there."""
    who = name or member.name
    return f"{who} {BOT_MARK}" if member.level and member.is_person else who


def named(table: Table, user: int | None) -> str:
    """Name, in texts that Discord shows, of a user at a table, or of the channel's manager who ended it."""
    member = next((member for member in table.members if member.user == user), None)
    if member is not None:
        return marked(member)
    return table.manager or _("Someone")


def guest_name(guest: Guest) -> str:
    """Name of a person for whom a seat is kept."""
    return guest.name or _("Someone")


def mention(user: int) -> str:
    """How a message names a user whom it notifies."""
    return f"<@{user}>"


def _with_color(member: Member) -> str:
    """ "Bob (red)", with the name cut so that the color is whole."""
    mark = len(with_color("", member.color))
    return with_color(clip(member.name, LONGEST_SHORT_NAME - mark), member.color)


@lru_cache(maxsize=4096)
def _read_as(name: str) -> frozenset[object]:
    """What a name can be taken for: how it is typed, and how it looks in pictures."""
    return frozenset((unicodedata.normalize("NFKC", name).casefold(), shape(name))) - {b""}


@dataclass(frozen=True)
class Viewer:
    """A table and its game as a seat sees them. Seat None: an onlooker, who sees only what is public."""

    table: Table
    game: Game
    seat: int | None = None
    past: View | None = None
    """An earlier view to show instead of the present one."""

    @classmethod
    def of(cls, table: Table, game: Game, user: int | None) -> Viewer:
        """A table and its game as a user sees them."""
        return cls(table, game, None if user is None else table.seat_of(game, user))

    def showing(self, view: View) -> Viewer:
        """The same viewer, looking at an earlier view."""
        return Viewer(self.table, self.game, self.seat, view)

    @cached_property
    def view(self) -> View:
        """What the seat can know."""
        return self.past or self.game.view(self.seat)

    @cached_property
    def users(self) -> tuple[int, ...]:
        """Users by seat."""
        return tuple(self.table.user_at(self.game, s) for s in range(self.game.config.players))

    @cached_property
    def computers(self) -> int:
        """Mask of the seats that bots play."""
        return mask_of(s for s in range(self.game.config.players) if self.table.member_at(self.game, s).level)

    def users_to_call(self, seats: Iterable[int]) -> list[int]:
        """Users to call when these seats must act: those for whom no bot plays."""
        return [self.users[seat] for seat in seats if not self.table.member_at(self.game, seat).level]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Short plain names by seat, for labels and pictures: "Bob", or "Bob (red)" where "Bob" is ambiguous."""
        members = {member.user: member for member in self.table.members}
        short = [clip(members[user].name, LONGEST_SHORT_NAME) for user in self.users]
        taken = Counter(reading for name in (*short, *NOT_NAMES) for reading in _read_as(name))
        return tuple(
            name if all(taken[reading] == 1 for reading in _read_as(name)) else _with_color(members[user])
            for name, user in zip(short, self.users, strict=True)
        )

    @cached_property
    def marked(self) -> tuple[str, ...]:
        """Names by seat for texts that Discord shows; people for whom a bot plays are marked."""
        return tuple(marked(self.table.member_at(self.game, seat), name) for seat, name in enumerate(self.names))

    def calling(self, notified: Collection[int]) -> tuple[str, ...]:
        """Names by seat for a message that notifies these users: it mentions them."""
        return tuple(
            mention(user) if user in notified else name for user, name in zip(self.users, self.marked, strict=True)
        )

    @property
    def my_seat(self) -> int:
        """The seat. Code: "not-playing" for onlookers."""
        self.check_playing()
        assert self.seat is not None
        return self.seat

    @property
    def is_replaced(self) -> bool:
        """Whether a bot plays for the person in the seat."""
        member = None if self.seat is None else self.table.member_at(self.game, self.seat)
        return member is not None and member.is_person and bool(member.level)

    @property
    def has_left(self) -> bool:
        """Whether the seat has resigned."""
        return self.seat is not None and self.view.players[self.seat].resigned

    def check_playing(self) -> None:
        """Refuse onlookers. Code: "not-playing"."""
        if self.seat is None:
            raise RefereeError("not-playing/onlooker")

    def check_not_resigned(self) -> None:
        """Refuse onlookers and players who resigned. Code: "not-playing"."""
        self.check_playing()
        if self.has_left:
            raise RefereeError("not-playing/resigned")

    def check_in_person(self) -> None:
        """Refuse everyone who doesn't play themselves. Codes: "not-playing", "replaced" where a bot plays for them."""
        self.check_not_resigned()
        if self.is_replaced:
            raise RefereeError("replaced")

    @property
    def decides(self) -> bool:
        """Whether the person in the seat has a say in what the table decides."""
        return self.seat is not None and self.users[self.seat] in who_decides(self.table, self.game)

    def check_deciding(self) -> None:
        """Refuse everyone who has no say in what the table decides. Codes: "not-playing", "replaced"."""
        self.check_not_resigned()
        if not self.decides:
            raise RefereeError("replaced")

    @cached_property
    def options(self) -> Options:
        """What the seat can do now; empty for onlookers."""
        return Options() if self.seat is None else self.game.options(self.seat)

    @property
    def known(self) -> tuple[Hashable, ...]:
        """Changes whenever something changes that the viewer can know. What others do in secret doesn't change it, so
        that no one notices it by what is worked out again (section M)."""
        own = "" if self.seat is None else self.game.decision(self.seat)
        return (self.table.number, self.table.version, self.view.revision, self.seat, own, self.names)

    @property
    def closes(self) -> float | None:
        """Until when the present decision can be made, in seconds since the epoch; None: no limit, or a pause."""
        limit = self.table.deadline
        return limit.at if limit is not None and not self.table.paused else None

    @property
    def decision(self) -> str:
        """Id of the seat's open decision."""
        return self.game.decision(self.my_seat)

    def why(self, actions: Iterable[Action], otherwise: RefereeError) -> RefereeError:
        """Why none of these actions can be done now: the first reason that isn't about a place, or `otherwise`."""
        trial = self.game.copy()
        for action in actions:
            try:
                trial.play(self.my_seat, action)
            except IllegalAction as refusal:
                if refusal.code in NOT_ABOUT_A_PLACE:
                    return refusal
            else:
                break
        return otherwise


NOT_ABOUT_A_PLACE = {
    "wrong-turn",
    "wrong-phase",
    "over",
    "not-playing",
    "unaffordable",
    "no-pieces",
    "no-cards",
    "alternate-rule",
    "one-card",
    "no-such-card",
    "too-new",
    "nowhere",
    "bank-empty",
    "too-many-offers",
    "nothing-owed",
    "not-asked",
    "no-undo",
}
"""Codes of refusals that hold wherever the player wants to build, and whatever they offer."""

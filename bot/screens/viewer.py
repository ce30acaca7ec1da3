"""A game as one person sees it: the table, their seat, their view, and everybody's names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from bot.plaintext import clip
from bot.table.member import Member
from bot.table.table import Table
from bot.words.language import _
from engine.actions import Action
from engine.config import COLORS
from engine.domains import Options
from engine.errors import IllegalAction, RefereeError
from engine.game import Game
from engine.geometry import mask_of
from engine.views import View

SHORT = 20
"""Characters of a name in labels and pictures."""
COMPUTER = "🤖"
"""Marks people for whom a bot plays; the names of bots say that they are some."""
WORDS = (*COLORS, "nobody", "no one", "leave", "everyone", "you")
"""Words of commands and labels, which a bare name must not be taken for."""


def marked(member: Member, name: str = "") -> str:
    """How a message names somebody: people whom it doesn't notify would read "@unknown-user" where it mentions them."""
    who = name or member.name
    return f"{who} {COMPUTER}" if member.level and member.is_person else who


def named(table: Table, user: int | None) -> str:
    """Somebody at a table, or who has ended it because they manage the channel, for texts that Discord shows."""
    member = next((member for member in table.members if member.user == user), None)
    if member is not None:
        return marked(member)
    return table.manager or _("Someone")


def mention(user: int) -> str:
    """How a message names somebody whom it notifies."""
    return f"<@{user}>"


def _with_color(member: Member) -> str:
    """ "Bob (red)": no two are the same, for a safe name has no brackets."""
    mark = f" ({_(member.color)})"
    return clip(member.name, SHORT - len(mark)) + mark


@dataclass(frozen=True)
class Viewer:
    """A table and its game through the eyes of a seat; None: an onlooker, who sees what is public."""

    table: Table
    game: Game
    seat: int | None = None
    past: View | None = None
    """A picture of the past to be looked at instead of the game as it is."""

    @classmethod
    def of(cls, table: Table, game: Game, user: int | None) -> Viewer:
        """As this user sees it."""
        return cls(table, game, None if user is None else table.seat_of(game, user))

    def showing(self, view: View) -> Viewer:
        """The same with another view: a picture of the past."""
        return Viewer(self.table, self.game, self.seat, view)

    @cached_property
    def view(self) -> View:
        """What the seat may know."""
        return self.past or self.game.view(self.seat)

    @cached_property
    def users(self) -> tuple[int, ...]:
        """Users by seat."""
        return tuple(self.table.user_at(self.game, s) for s in range(self.game.config.players))

    @cached_property
    def computers(self) -> int:
        """Mask of the seats that computers play."""
        return mask_of(s for s in range(self.game.config.players) if self.table.member_at(self.game, s).level)

    def reached(self, seats: Iterable[int]) -> list[int]:
        """Users to be told that it is up to these seats: those for whom no computer plays."""
        return [self.users[seat] for seat in seats if not self.table.member_at(self.game, seat).level]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A short plain name by seat, for labels and pictures: "Bob", or "Bob (red)" where that could be another."""
        members = {member.user: member for member in self.table.members}
        short = [clip(members[user].name, SHORT) for user in self.users]
        taken = Counter([name.casefold() for name in short] + list(WORDS))
        return tuple(
            name if taken[name.casefold()] == 1 else _with_color(members[user])
            for name, user in zip(short, self.users, strict=True)
        )

    @cached_property
    def marked(self) -> tuple[str, ...]:
        """The same for texts that Discord shows, where people are marked for whom a bot plays."""
        return tuple(marked(self.table.member_at(self.game, seat), name) for seat, name in enumerate(self.names))

    def calling(self, notified: Collection[int]) -> tuple[str, ...]:
        """The same for a message that notifies these users, whom it mentions."""
        return tuple(
            mention(user) if user in notified else name for user, name in zip(self.users, self.marked, strict=True)
        )

    @property
    def my_seat(self) -> int:
        """The seat; raises for somebody who doesn't play in this game."""
        self.check_playing()
        assert self.seat is not None
        return self.seat

    @property
    def is_replaced(self) -> bool:
        """Whether a computer plays for the person whose seat it is."""
        member = None if self.seat is None else self.table.member_at(self.game, self.seat)
        return member is not None and member.is_person and bool(member.level)

    @property
    def has_left(self) -> bool:
        """Whether the seat has resigned."""
        return self.seat is not None and self.view.players[self.seat].resigned

    def check_playing(self) -> None:
        """Raise for somebody who doesn't play in this game. Code: "not-playing"."""
        if self.seat is None:
            raise RefereeError("not-playing/onlooker")

    def check_not_resigned(self) -> None:
        """Raise for somebody who doesn't play in this game, or has left it. Code: "not-playing"."""
        self.check_playing()
        if self.has_left:
            raise RefereeError("not-playing/resigned")

    def check_in_person(self) -> None:
        """Raise for somebody who doesn't play in this game themselves. Codes: "not-playing", "replaced"."""
        self.check_not_resigned()
        if self.is_replaced:
            raise RefereeError("replaced")

    @cached_property
    def options(self) -> Options:
        """What the seat may do now; empty for onlookers."""
        return Options() if self.seat is None else self.game.options(self.seat)

    @property
    def closes(self) -> float | None:
        """Until when the present decision may be made, in seconds since the epoch; in a pause nobody knows."""
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
}
"""Codes of refusals that hold wherever one wants to build, and whatever one offers."""

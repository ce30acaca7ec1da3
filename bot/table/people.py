"""The settings of the people at a table, as far as they matter there. They are passed in with each act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.table.preferences import USUAL, UserSettings
from bot.table.table import Table
from engine.actions import SetStanding
from engine.game import Game


@dataclass(frozen=True, slots=True)
class People:
    """Settings by user. A user who is missing has chosen nothing."""

    settings: Mapping[int, UserSettings] = field(default_factory=dict)

    def of(self, user: int) -> UserSettings:
        """A user's settings."""
        return self.settings.get(user) or UserSettings(user)

    def vacation(self, user: int) -> tuple[float, float] | None:
        """Begin and end of a user's vacation, in seconds since the epoch; None: they have none."""
        return self.of(user).choices.vacation

    def called_from(self, table: Table, game: Game, seat: int) -> int:
        """Cards from which a seat is called in the special building phase (J2); 0: never.

        A bot has the game's own number. People have chosen theirs in their settings or, for this game, by an order to
        pass unless they can get something.
        """
        member = table.member_at(game, seat)
        if member.level:
            return game.rules.data.standing
        settings = self.of(member.user)
        if table.orders_of(member.user).building:
            return settings.standing or USUAL
        return settings.called_from


def tell_standing(table: Table, game: Game, people: People, seat: int) -> None:
    """Tell a copy of a game a seat's standing number, if the game has such numbers. No one else notices."""
    if not game.rules.data.special_building or game.state.resigned >> seat & 1:
        return
    standing = people.called_from(table, game, seat)
    if game.state.standing[seat] != standing:
        game.play(seat, SetStanding(standing))

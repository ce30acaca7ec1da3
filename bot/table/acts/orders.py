"""Orders: what a player has decided in advance, for the autopilot to do for them. They are the player's secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.table.act import By, GameAct
from bot.table.acts.play import ORDER, Play
from bot.table.ordering import wanted
from bot.table.orders import Done
from bot.table.people import tell_standing
from bot.table.seats import check_playing
from bot.table.table import Table
from engine.actions import DeclineOffer
from engine.errors import RefereeError
from engine.game import Game
from engine.record import REFEREE

MOST_DONE = 20
"""How many of the things done by order are kept, to be reported to the player."""


@dataclass(frozen=True, slots=True)
class GiveOrders(GameAct):
    """Change a player's orders, by fields of `Orders`; those left out stay. No one else notices.

    Codes: "not-playing", "replaced", "orders/no special building".
    """

    kind = "orders"
    changes: Mapping[str, Any]

    def during(self, table: Table, game: Game, by: By) -> Table:
        check_playing(table, game, by.user)
        if self.changes.get("building") and not game.rules.data.special_building:
            raise RefereeError("orders/no special building")
        table = table.ordered(replace(table.orders_of(by.user), **self.changes))
        tell_standing(table, game, by.people, table.seat_at(game, table.users.index(by.user)))
        return table


@dataclass(frozen=True, slots=True)
class CarryOut(GameAct):
    """Do what a seat's orders want done. If they want nothing by now, nothing happens."""

    kind = "order"
    seat: int
    plays = True

    def during(self, table: Table, game: Game, by: By) -> Table:
        choice = None if table.paused else wanted(table, game, by.people, self.seat)
        if choice is None:
            return table
        action, order = choice
        about = action.offer if isinstance(action, DeclineOffer) else 0
        done = Done(game.turn, order, about, game.public_revision)
        user = table.user_at(game, self.seat)
        table = Play(action, how=ORDER).during(table, game, replace(by, user=user))
        mine = table.orders_of(user)
        return table.ordered(replace(mine, done=(*mine.done, done)[-MOST_DONE:]))

    def acted(self, table: Table, game: Game, by: By) -> int:
        choice = wanted(table, game, by.people, self.seat)
        if choice is None:
            return REFEREE
        return Play(choice[0]).acted(table, game, replace(by, user=table.user_at(game, self.seat)))

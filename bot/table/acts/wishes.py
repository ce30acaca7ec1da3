"""Wishes: what players are looking for during another player's turn. All see them; the engine knows nothing of them.

A wish ends when it is canceled or replaced, when its maker gets some of it by a trade, and when the maker's own turn
begins, in which they can offer a trade. A wish is no offer: no one can accept it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.table.act import By, GameAct
from bot.table.parts import Wish
from bot.table.seats import check_playing
from bot.table.table import RUNNING, Table
from engine.errors import RefereeError
from engine.events import Event, Traded
from engine.game import Game
from engine.resources import NOTHING, Hand

# --- which still hold


def open_wishes(table: Table, game: Game) -> dict[int, Wish]:
    """The wishes that still hold, by seat."""
    state, found = game.state, dict[int, Wish]()
    if table.status != RUNNING or state.outcome is not None:
        return found
    for wish in table.wishes:
        seat = table.seat_of(game, wish.user)
        if seat is None or seat == state.on_turn or state.turns[seat] != wish.turn:
            continue
        if not table.member_at(game, seat).level and not state.resigned >> seat & 1:
            found[seat] = wish
    return dict(sorted(found.items()))


def fulfilled(table: Table, game: Game) -> Table:
    """The table without the wishes of players who got some of what they want by the game's latest action."""
    remaining = tuple(
        wish
        for wish in table.wishes
        if not any(
            n and wish.want[kind] for kind, n in enumerate(_got(game.last_events, table.seat_of(game, wish.user)))
        )
    )
    return replace(table, wishes=remaining) if remaining != table.wishes else table


def _got(events: tuple[Event, ...], seat: int | None) -> Hand:
    """The cards that a seat got in a trade with another player."""
    for event in events:
        if isinstance(event, Traded) and seat in (event.seat, event.partner):
            return event.get if seat == event.seat else event.give
    return NOTHING


# --- acts


@dataclass(frozen=True, slots=True)
class PostWish(GameAct):
    """Post a player's wish, in place of an earlier one. They needn't say what they would give.

    Codes: "not-playing", "replaced", "paused", "unreadable", "wish".
    """

    kind = "wish"
    want: Hand
    give: Hand = NOTHING
    log = "a request was posted"

    def during(self, table: Table, game: Game, by: By) -> Table:
        check_playing(table, game, by.user)
        if table.paused:
            raise RefereeError("paused")
        if not any(self.want):
            raise RefereeError("unreadable/no-cards")
        if any(a and b for a, b in zip(self.want, self.give, strict=True)):
            raise RefereeError("wish/same-resource")
        if not game.state.turn:
            raise RefereeError("wish/setup")
        seat = table.seat_of(game, by.user)
        if seat is None or game.state.on_turn == seat:
            raise RefereeError("wish/own-turn")
        return _with_wishes(table, by.user, Wish(by.user, self.want, self.give, game.state.turns[seat]))


@dataclass(frozen=True, slots=True)
class WithdrawWish(GameAct):
    """Cancel a player's wish. Codes: "not-playing", "replaced", "no-wish"."""

    kind = "no-wish"
    log = "a request was canceled"

    def during(self, table: Table, game: Game, by: By) -> Table:
        check_playing(table, game, by.user)
        if table.seat_of(game, by.user) not in open_wishes(table, game):
            raise RefereeError("no-wish")
        return _with_wishes(table, by.user)


def _with_wishes(table: Table, user: int, *wishes: Wish) -> Table:
    """The table with these wishes in place of the user's."""
    others = (wish for wish in table.wishes if wish.user != user)
    return replace(table, wishes=(*others, *wishes))

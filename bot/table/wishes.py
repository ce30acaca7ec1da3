"""Which requests still hold, and which have come true. The engine knows nothing of them."""

from __future__ import annotations

from dataclasses import replace

from bot.table.table import RUNNING, Table
from bot.table.wish import Wish
from engine.events import Event, Traded
from engine.game import Game
from engine.resources import NOTHING, Hand


def open_wishes(table: Table, game: Game) -> dict[int, Wish]:
    """The requests that still hold, by seat."""
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
    """The table without the requests of players who got some of what they want by the game's latest action."""
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

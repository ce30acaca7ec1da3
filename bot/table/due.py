"""What must be shown after an action: the panel, hands that it changed or calls; at the end the seed and the film."""

from __future__ import annotations

from bot.projections import FILM, PANEL, SEED, hand_name
from bot.table.table import OVER, Table
from bot.table.waiting import called
from engine.game import Game


def due_after(before: Table, old: Game, table: Table, game: Game) -> list[str]:
    """Names of the projections; none where nobody can see that anything has happened (J2, L8)."""
    end = [SEED, FILM] if table.status == OVER else []
    if game.public_revision == old.public_revision:
        return end
    changed = {
        table.user_at(game, seat) for seat in range(game.config.players) if _hand(old, seat) != _hand(game, seat)
    }
    awaited = called(old, game)
    of = [
        *(user for user in table.people if user in changed),
        *(user for user in table.people if table.seat_of(game, user) in awaited),
        *(table.people if table.users != before.users else ()),
    ]
    return [PANEL, *map(hand_name, of), *end]


def _hand(game: Game, seat: int) -> tuple[object, ...]:
    """A seat's cards, what it can do with them, and what they have become: all that a message about a hand tells."""
    state = game.state
    cards = state.hands[seat], state.development_cards[seat], state.fresh[seat], state.rates[seat]
    pieces = state.roads[seat], state.settlements[seat], state.cities[seat]
    return (*cards, *pieces, state.played[seat], state.all_points(seat))

"""What to discard: the cards without which a seat is best off."""

from __future__ import annotations

from engine.actions import Discard
from engine.domains import Cards
from engine.resources import Hand, hand
from players.thinking import Line, Thinker

FEW = 150
"""Most ways to discard that are all looked at. If there are more, the best is sought card by card."""


def discards(thinker: Thinker, cards: Cards) -> list[Line]:
    """Lines for ways to discard, the best first."""
    if len(cards) > FEW:
        return [_line(thinker, _by_card(thinker, cards))]
    return thinker.ordered([_line(thinker, discarded) for discarded in cards.hands()])


def _line(thinker: Thinker, gone: Hand) -> Line:
    left = thinker.situation.copy()
    held = left.state.hands[thinker.seat]
    left.state.hands[thinker.seat] = [held[r] - gone[r] for r in range(5)]
    return Line((Discard(gone),), [(1.0, left)], thinker.value(left))


def _by_card(thinker: Thinker, cards: Cards) -> Hand:
    """The cards to discard, chosen one by one: each time the one that is missed least."""
    left = thinker.situation.copy()
    held, chosen = left.state.hands[thinker.seat], [0, 0, 0, 0, 0]
    for _ in range(cards.total):
        best, value = -1, -1.0
        for r in range(5):
            if chosen[r] < cards.caps[r]:
                held[r] -= 1
                chance = thinker.value(left)
                held[r] += 1
                if chance > value:
                    best, value = r, chance
        held[best] -= 1
        chosen[best] += 1
    return hand(chosen)

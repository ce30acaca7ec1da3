"""The next roll: a seat's chance to win, on average, once the roll has brought everyone cards."""

from __future__ import annotations

from engine.board import pips
from players.chances import Chances
from players.situation import Situation


def after_roll(chances: Chances, situation: Situation, seat: int) -> float:
    """The seat's chance to win, 0 to 1, on average over the next roll. A seven counts as changing nothing."""
    now = chances.of(situation, seat)
    if situation.state.outcome is not None:
        return now
    after = situation.copy()
    state, total = after.state, now / 6.0
    brings = [chances.judge.brings(state, s) for s in range(state.players)]
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        gained = False
        for s, by_number in enumerate(brings):
            cards, belief, hand = by_number[number], situation.beliefs[s], situation.state.hands[s]
            after.beliefs[s], state.hands[s] = belief, hand
            if cards is not None:
                gained = True
                after.beliefs[s] = belief.gained(cards) if belief else None
                state.hands[s] = [hand[r] + cards[r] for r in range(5)]
        total += (chances.of(after, seat) if gained else now) * pips(number) / 36.0
    return total

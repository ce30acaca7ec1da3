"""Late requests to build (J2): who is asked only after asking has nothing to say while the window is open."""

from __future__ import annotations

from engine.actions import PassOn
from engine.game import Game
from engine.geometry import bits
from engine.steps.special import LateRequests


def pass_for_unasked(game: Game) -> None:
    """On a copy, pass in an open window for all whose standing number is never, so that it closes without them; until
    then they can ask all the same. That they are not waited for follows from what they have chosen, and from no hand.
    """
    unasked = sum(1 << seat for seat, standing in enumerate(game.state.standing) if not standing)
    while isinstance(step := game.state.agenda[-1], LateRequests):
        seat = next(bits(step.awaited(game.state) & unasked), None)
        if seat is None:
            return
        game.play(seat, PassOn())

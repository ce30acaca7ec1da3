"""Late requests to build (J2): the window doesn't wait for players who chose to be asked only if they request it."""

from __future__ import annotations

from engine.actions import PassOn
from engine.game import Game
from engine.geometry import bits
from engine.steps.special import LateRequests


def pass_for_unasked(game: Game) -> None:
    """In an open window, pass for each seat whose standing number is 0, so that the window closes without them.

    Until then, they can still ask. `game` is a copy. That the window doesn't wait for these seats follows from their
    settings, not from any hand.
    """
    unasked = sum(1 << seat for seat, standing in enumerate(game.state.standing) if not standing)
    while isinstance(step := game.state.agenda[-1], LateRequests):
        seat = next(bits(step.awaited(game.state) & unasked), None)
        if seat is None:
            return
        game.play(seat, PassOn())

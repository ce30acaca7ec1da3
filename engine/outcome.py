"""The outcome of a game."""

from __future__ import annotations

from engine.terms import EndReason
from engine.values import value


@value
class Outcome:
    """How a game ended; several winners share the win (I6)."""

    reason: EndReason
    winners: tuple[int, ...]
    """Empty if the game was called off."""
    points: tuple[int, ...]
    """All points by seat, including hidden ones."""

"""What came of a game."""

from __future__ import annotations

from engine.terms import EndReason
from engine.values import value


@value
class Outcome:
    """How a game ended; winners may share (I6)."""

    reason: EndReason
    winners: tuple[int, ...]
    """Nobody when it was called off."""
    points: tuple[int, ...]
    """All points, by seat."""

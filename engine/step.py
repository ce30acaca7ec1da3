"""What a View tells of the decision on top. A step with more to tell has a view of its own beside it."""

from __future__ import annotations

from engine.terms import Piece, StepKind
from engine.values import value


@value
class StepView:
    """The kind of the decision on top, and for whom it waits."""

    kind: StepKind
    awaited: int
    """Mask of the seats that owe a decision, as the viewer may see it."""


@value
class PlacingView(StepView):
    """A piece is to be placed for free: the first or second of its kind (`nth` 0 or 1)."""

    piece: Piece
    nth: int

"""Step views: what a `View` shows of the decision on top. A step that shows more has its own step view in its file."""

from __future__ import annotations

from engine.terms import Piece, StepKind
from engine.values import value


@value
class StepView:
    """The kind of the decision on top, and the seats it waits for."""

    kind: StepKind
    awaited: int
    """Mask of the seats that owe a decision, as it looks to the viewer."""


@value
class PlacingView(StepView):
    """A free piece must be placed, the first or second of its kind (`nth` 0 or 1)."""

    piece: Piece
    nth: int

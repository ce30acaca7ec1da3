"""A decision on the agenda: who owes it, and when it is done. What can be done in it is the rules' table of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from engine.errors import IllegalAction
from engine.refusals import Refusal, refusal
from engine.terms import Piece, StepKind
from engine.values import value

if TYPE_CHECKING:
    from engine.state import State
    from engine.tx import Tx


SOMETHING_ELSE = refusal("wrong-phase", "Something else is to be done first.")


@value
class StepView:
    """What a View tells of the decision on top. A step with more to tell has a view of its own beside it."""

    kind: StepKind
    awaited: int
    """Mask of the seats that owe a decision, as the viewer may see it."""


@value
class PlacingView(StepView):
    """A piece is to be placed for free: the first or second of its kind (`nth` 0 or 1)."""

    piece: Piece
    nth: int


class Step:
    """A decision on the agenda: data only; what can be done in it stands in the rules' table of moves."""

    __slots__ = ("serial",)
    kind: ClassVar[StepKind]

    serial: int

    def awaited(self, state: State) -> int:
        """Mask of the seats that owe a decision."""
        raise TypeError("a step must say whom it awaits")

    def shown(self, state: State, seat: int | None) -> int:
        """The awaited seats as a seat, or an onlooker, may see them."""
        return self.awaited(state)

    def view(self, state: State, seat: int | None) -> StepView:
        """What a seat, or an onlooker (None), may know of the decision (section M)."""
        return StepView(self.kind, self.shown(state, seat))

    def prompt(self) -> Refusal[IllegalAction]:
        """What is to be done, for those who try something else."""
        return SOMETHING_ELSE

    def settle(self, state: State, tx: Tx) -> bool:
        """Called whenever the step comes to the top or something happened in it; True: it is done and goes."""
        return False

    def drop(self, state: State, tx: Tx) -> None:
        """Called when the game ends before the step is done: what it holds goes where it belongs."""

    def data(self) -> tuple[Any, ...]:
        """Its own fields, immutable, in the order of the constructor."""
        return ()

    def known(self, seat: int | None) -> tuple[Any, ...]:
        """The same, as far as a seat, or an onlooker (None), may know it; what it may not know is as if undecided."""
        return self.data()

    def copy(self) -> Step:
        """An independent copy with the same serial."""
        twin = type(self)(*self.data())
        twin.serial = self.serial
        return twin

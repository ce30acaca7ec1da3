"""A decision on the agenda: who owes it, and when it is done. What can be done in it is the rules' table of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from engine.state import State
    from engine.tx import Tx


class Step:
    """A decision on the agenda: data only; what can be done in it stands in the rules' table of moves."""

    __slots__ = ("serial",)
    kind: ClassVar[str] = ""

    serial: int

    def awaited(self, state: State) -> int:
        """Mask of the seats that owe a decision."""
        raise TypeError("a step must say whom it awaits")

    def shown(self, state: State, seat: int | None) -> int:
        """The awaited seats as a seat, or an onlooker, may see them."""
        return self.awaited(state)

    def prompt(self) -> str:
        """What is to be done, for those who try something else: one sentence."""
        return "Something else is to be done first."

    def settle(self, state: State, tx: Tx) -> bool:
        """Called whenever the step comes to the top or something happened in it; True: it is done and goes."""
        return False

    def drop(self, state: State, tx: Tx) -> None:
        """Called when the game ends before the step is done: what it holds goes where it belongs."""

    def data(self) -> tuple[Any, ...]:
        """Its own fields, immutable, in the order of the constructor."""
        return ()

    def copy(self) -> Step:
        """An independent copy with the same serial."""
        twin = type(self)(*self.data())
        twin.serial = self.serial
        return twin

"""Moving the robber (G1), on a seven or by a knight."""

from __future__ import annotations

from engine.actions import LeaveRobber, MoveRobber
from engine.autoplay import plainest_hex
from engine.awards import award_army
from engine.domains import Domain, Places
from engine.errors import IllegalAction
from engine.events import DiscardsDue, RobberMoved
from engine.refusals import Refusal, refusal
from engine.resources import KNIGHT
from engine.state import Move, State, Step, Tx, out_of_turn
from engine.step import StepView
from engine.steps.discard import Discards
from engine.steps.take_card import TakeStep
from engine.terms import StepKind
from engine.values import value

ROBBER_FIRST = refusal("wrong-phase/move_robber", "Move the robber first.")
NO_SUCH_HEX = refusal("unknown-place/hex", "There is no such hex on this board.")
SAME_HEX = refusal("same-hex", "The robber is already on {place}: choose another hex.")
ROBBER_ON_LAND = refusal("no-land/robber", "{place} isn't land: the robber stays on land.")
ROBBER_AT_HARBORS = refusal("no-land/harbors", "{place} is sea: the robber goes to land or to a harbor.")
ROBBER_NOT_HERE = refusal("not-here/robber", "The robber can't go to {place} now.")


def start_robber(state: State, seat: int, tx: Tx) -> None:
    """Push what follows a seven: the robber's move and, above it, the discards that it waits for (D4)."""
    state.push(RobberStep(seat))
    limit = state.rules.data.discard_limit
    owed = tuple(n // 2 if (n := sum(counts)) > limit else 0 for counts in state.hands)
    if any(owed):
        state.push(Discards(owed, (None,) * state.players))
        tx.emit(DiscardsDue(tuple((s, n) for s, n in enumerate(owed) if n)))


@value
class RobberView(StepView):
    """The robber must be moved: where to, and whether it can be left where it is (L5). All of that is public."""

    hexes: int
    may_leave: bool


class RobberStep(Step):
    """`seat` must move the robber; `knight`: with a knight."""

    __slots__ = ("knight", "seat")
    kind = StepKind.MOVE_ROBBER

    def __init__(self, seat: int, knight: bool = False) -> None:
        self.seat = seat
        self.knight = knight

    def data(self) -> tuple[int, bool]:
        return (self.seat, self.knight)

    def awaited(self, state: State) -> int:
        return 1 << self.seat

    def view(self, state: State, seat: int | None) -> RobberView:
        options = state.rules.options(state, self.seat)
        places = options[MoveRobber]
        assert isinstance(places, Places)
        return RobberView(self.kind, self.shown(state, seat), places.mask, LeaveRobber in options)

    def prompt(self) -> Refusal[IllegalAction]:
        return ROBBER_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        if not state.resigned >> self.seat & 1:
            return False
        # the plainest choice for a player who left (I7): away from everyone, and nothing is taken
        places = state.rules.options(state, self.seat)[MoveRobber]
        assert isinstance(places, Places)
        origin, state.robber = state.robber, plainest_hex(state, self.seat, places.mask)
        tx.emit(RobberMoved(self.seat, origin, state.robber))
        return True


class PlaceRobber(Move):
    """Move the robber to another land hex (G1)."""

    action = MoveRobber
    undoable = True

    def domain(self, state: State, step: RobberStep, seat: int) -> Domain | None:
        if seat != step.seat:
            return None
        return Places(MoveRobber, robber_places(state))

    def do(self, state: State, step: RobberStep, seat: int, action: MoveRobber, tx: Tx) -> None:
        origin, state.robber = state.robber, action.at
        state.remove(step)
        state.push(TakeStep(seat))
        tx.emit(RobberMoved(seat, origin, action.at))

    def why(self, state: State, step: RobberStep, seat: int, action: MoveRobber) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        board = state.board
        if not 0 <= action.at < len(board.terrain):
            return NO_SUCH_HEX()
        place = state.hex(action.at)
        if action.at == state.robber:
            return SAME_HEX(place=place)
        hexes = state.rules.robber_hexes(state)
        if not hexes >> action.at & 1:
            return ROBBER_ON_LAND(place=place) if hexes == board.land_mask else ROBBER_AT_HARBORS(place=place)
        return ROBBER_NOT_HERE(place=place)


def robber_places(state: State) -> int:
    """Mask of the hexes where the robber can go (G1), before alternate rules narrow it."""
    mask = state.rules.robber_hexes(state)
    return mask & ~(1 << state.robber) if state.robber >= 0 else mask


class CountKnights(Step):
    """Counts played knights for the army once the robber has been dealt with, in the order played (H3)."""

    __slots__ = ("seats",)
    kind = StepKind.COUNT_KNIGHTS

    def __init__(self, seats: tuple[int, ...]) -> None:
        self.seats = seats

    def data(self) -> tuple[tuple[int, ...]]:
        return (self.seats,)

    def awaited(self, state: State) -> int:
        return 0

    def settle(self, state: State, tx: Tx) -> bool:
        self.drop(state, tx)
        return True

    def drop(self, state: State, tx: Tx) -> None:
        for seat in self.seats:
            state.played[seat][KNIGHT] += 1
            award_army(state, seat, tx)

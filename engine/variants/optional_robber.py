"""L5: a player who rolls a seven can leave the robber where it is."""

from __future__ import annotations

from engine.actions import LeaveRobber
from engine.domains import Domain, Single
from engine.errors import IllegalAction
from engine.events import NothingTaken, RobberMoved
from engine.refusals import refusal
from engine.state import Move, Rules, State, Tx, out_of_turn
from engine.steps.robber import RobberStep
from engine.terms import N_
from engine.variants.variant import Variant

MUST_MOVE = refusal("must-move", "A knight must move the robber.")


class Leave(Move):
    """Leave the robber where it is, and take nothing; a knight must move it."""

    action = LeaveRobber
    undoable = True

    def domain(self, state: State, step: RobberStep, seat: int) -> Domain | None:
        return _LEAVE if seat == step.seat and not step.knight else None

    def do(self, state: State, step: RobberStep, seat: int, action: LeaveRobber, tx: Tx) -> None:
        state.remove(step)
        tx.emit(RobberMoved(seat, state.robber, state.robber))
        tx.emit(NothingTaken(seat))

    def why(self, state: State, step: RobberStep, seat: int, action: LeaveRobber) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        return MUST_MOVE()


_LEAVE = Single(LeaveRobber())


def _patch(rules: Rules) -> None:
    rules.moves[RobberStep][LeaveRobber] = Leave()


VARIANT = Variant(
    id="optional-robber",
    title=N_("Optional robber"),
    summary=N_("After a 7 you can leave the robber where it is and steal nothing."),
    topic="robber",
    patch=_patch,
)

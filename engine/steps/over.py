"""How a game goes on and ends (I5, I6, I7)."""

from __future__ import annotations

from engine.errors import IllegalAction
from engine.events import GameEnded
from engine.geometry import bits
from engine.outcome import Outcome
from engine.refusals import Refusal, refusal
from engine.state import State, Step, Tx
from engine.terms import EndReason, StepKind

GAME_OVER = refusal("over", "This game is over.")


class Over(Step):
    """Nothing is to be decided any more."""

    __slots__ = ()
    kind = StepKind.OVER

    def awaited(self, state: State) -> int:
        return 0

    def prompt(self) -> Refusal[IllegalAction]:
        return GAME_OVER


def finish(state: State, reason: EndReason, tx: Tx, winners: tuple[int, ...] | None = None) -> None:
    """End the game; where it isn't said who wins, those do who have the most points."""
    state.offers.clear()
    for step in state.agenda:
        step.drop(state, tx)
    if winners is None:
        winners = leaders(state)
    points = tuple(state.all_points(s) for s in range(state.players))
    state.outcome = Outcome(reason, winners, points)
    state.agenda.clear()
    state.push(Over())
    tx.emit(GameEnded(reason, winners))


def leaders(state: State) -> tuple[int, ...]:
    """The seats with the most points, hidden ones included; ties share (I6)."""
    seats = list(bits(state.active()))
    best = max(state.all_points(s) for s in seats)
    return tuple(s for s in seats if state.all_points(s) == best)


def end_by_rounds(state: State, tx: Tx) -> None:
    """The round limit is reached (I6)."""
    state.on_turn = -1
    finish(state, EndReason.ROUNDS, tx)


def check_victory(state: State, tx: Tx) -> None:
    """The player on turn wins with the target (I5); the last one left wins (I7)."""
    if state.outcome is not None:
        return
    seat = state.on_turn
    if seat >= 0 and state.all_points(seat) >= state.rules.data.target:
        finish(state, EndReason.TARGET, tx, (seat,))
    elif state.resigned and state.active().bit_count() == 1:
        finish(state, EndReason.LAST, tx)


def settle(state: State, tx: Tx) -> None:
    """Let decisions that are done go, until one blocks; then see whether somebody has won."""
    top = state.agenda[-1]
    while top.settle(state, tx):
        state.remove(top)
        top = state.agenda[-1]
    check_victory(state, tx)

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
    """The game is over: there is nothing left to decide."""

    __slots__ = ()
    kind = StepKind.OVER

    def awaited(self, state: State) -> int:
        return 0

    def prompt(self) -> Refusal[IllegalAction]:
        return GAME_OVER


def finish(state: State, reason: EndReason, tx: Tx, winners: tuple[int, ...] | None = None) -> None:
    """End the game. Without `winners`, the seats with the most points win."""
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
    """The seats with the most points, including hidden ones; several if tied (I6)."""
    seats = list(bits(state.active()))
    best = max(state.all_points(s) for s in seats)
    return tuple(s for s in seats if state.all_points(s) == best)


def end_by_rounds(state: State, tx: Tx) -> None:
    """End the game because the round limit is reached (I6)."""
    state.on_turn = -1
    finish(state, EndReason.ROUNDS, tx)


def check_victory(state: State, tx: Tx) -> None:
    """End the game if the player on turn has the target (I5), or if only one player is left (I7)."""
    if state.outcome is not None:
        return
    seat = state.on_turn
    if seat >= 0 and state.all_points(seat) >= state.rules.data.target:
        finish(state, EndReason.TARGET, tx, (seat,))
    elif state.resigned and state.active().bit_count() == 1:
        finish(state, EndReason.LAST, tx)


def settle(state: State, tx: Tx) -> None:
    """Remove decisions that are done, until one blocks. Then check whether a player has won."""
    top = state.agenda[-1]
    while top.settle(state, tx):
        state.remove(top)
        top = state.agenda[-1]
    check_victory(state, tx)

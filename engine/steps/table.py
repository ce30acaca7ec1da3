"""What can be done at any time: resign, agree to end the game (I6, I7), call it off."""

from __future__ import annotations

from engine.actions import AgreeToEnd, CallOff, Resign
from engine.awards import award_road, recount_army
from engine.domains import Choices, Domain, Single
from engine.errors import IllegalAction
from engine.events import EndAgreed, Resigned
from engine.moves import Move
from engine.outcome import finish
from engine.refusals import refusal
from engine.state import State
from engine.step import Step
from engine.steps.turn import Turn, end_turn
from engine.terms import EndReason
from engine.tx import Tx

AGREED_ALREADY = refusal("voted", "You have agreed already; the others are still to say.")
NOT_AGREED = refusal("not-voted", "You have not agreed to end the game.")


class Leave(Move):
    """Resign (I7): open decisions of the seat settle themselves by the plainest choice when they come to the top."""

    action = Resign

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        return None if state.resigned >> seat & 1 else _RESIGN

    def do(self, state: State, step: Step, seat: int, action: Resign, tx: Tx) -> None:
        tx.emit(Resigned(seat))
        state.resigned |= 1 << seat
        for r in range(5):
            state.bank[r] += state.hands[seat][r]
        state.hands[seat] = [0] * 5
        state.development_cards[seat] = [0] * 5
        state.fresh[seat] = [0] * 5
        state.asked &= ~(1 << seat)
        state.votes &= ~(1 << seat)
        state.offers = [o for o in state.offers if o.seat != seat and o.to & ~(1 << seat)]
        for offer in state.offers:
            offer.to &= ~(1 << seat)
            offer.accepted &= ~(1 << seat)
        award_road(state, tx)
        if state.army == seat:
            recount_army(state, tx)
        if state.on_turn == seat:
            turn = next(s for s in state.agenda if isinstance(s, Turn))
            end_turn(state, turn, seat, tx)
        if state.votes == state.active() and state.active().bit_count() > 1:
            finish(state, EndReason.AGREEMENT, tx)


class Agree(Move):
    """End the game when everybody still in it agrees (I6)."""

    action = AgreeToEnd

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if state.resigned >> seat & 1:
            return None
        return Choices(AgreeToEnd, (not state.votes >> seat & 1,))

    def do(self, state: State, step: Step, seat: int, action: AgreeToEnd, tx: Tx) -> None:
        state.votes ^= 1 << seat
        tx.emit(EndAgreed(seat, action.agree))
        if state.votes == state.active():
            finish(state, EndReason.AGREEMENT, tx)

    def why(self, state: State, step: Step, seat: int, action: AgreeToEnd) -> IllegalAction:
        if action.agree:
            return AGREED_ALREADY()
        return NOT_AGREED()


class EndWithoutWinner(Move):
    """Call the game off; the referee does so on behalf of whoever runs the table."""

    action = CallOff

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        return _CALL_OFF

    def do(self, state: State, step: Step, seat: int, action: CallOff, tx: Tx) -> None:
        finish(state, EndReason.CALLED_OFF, tx, ())


_CALL_OFF = Single(CallOff())
_RESIGN = Single(Resign())

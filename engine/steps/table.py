"""What can be done at any time: resign, agree to end the game or to call it off (I6, I7)."""

from __future__ import annotations

from engine.actions import AgreeToCallOff, AgreeToEnd, CallOff, Resign
from engine.awards import award_road, recount_army
from engine.domains import Choices, Domain, Single
from engine.errors import IllegalAction
from engine.events import CallOffAgreed, EndAgreed, Resigned
from engine.offer import Offer
from engine.refusals import refusal
from engine.resources import hand
from engine.state import Move, State, Step, Tx
from engine.steps.over import finish
from engine.steps.turn import NextTurn, Turn, begins_round, end_turn
from engine.terms import EndReason

AGREED_ALREADY = refusal("voted", "You voted already. The others still have to vote.")
NOT_AGREED = refusal("not-voted", "You haven't voted to end the game.")
TOO_EARLY = refusal(
    "too-early",
    "You can end by points once everyone has had a turn. Until then you can only vote to void the game.",
)


class Leave(Move):
    """Resign (I7). The seat's open decisions settle themselves by the plainest choice when they come to the top, its
    turn included, which then ends."""

    action = Resign

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        return None if state.resigned >> seat & 1 else _RESIGN

    def do(self, state: State, step: Step, seat: int, action: Resign, tx: Tx) -> None:
        tx.emit(Resigned(seat, hand(state.hands[seat])))
        state.resigned |= 1 << seat
        for r in range(5):
            state.bank[r] += state.hands[seat][r]
        state.hands[seat] = [0] * 5
        state.development_cards[seat] = [0] * 5
        state.fresh[seat] = [0] * 5
        state.asked &= ~(1 << seat)
        state.votes &= ~(1 << seat)
        if votes := call_off_votes(state) & ~(1 << seat):
            state.extra[_CALL_OFF_VOTES] = votes
        else:
            state.extra.pop(_CALL_OFF_VOTES, None)
        state.offers = [o for o in state.offers if o.seat != seat and o.to & ~(1 << seat)]
        for offer in state.offers:
            offer.to &= ~(1 << seat)
            offer.accepted &= ~(1 << seat)
        if not state.rules.data.equal_counters:
            join_equal_offers(state)
        award_road(state, tx)
        recount_army(state, tx)
        if state.on_turn == seat and state.rules.data.leaver_ends_turn:
            turn = next(s for s in state.agenda if isinstance(s, Turn))
            end_turn(state, turn, seat, tx)
        if state.active().bit_count() > 1:
            conclude(state, tx)


def join_equal_offers(state: State) -> None:
    """Join offers that are equal now that a player has left, with the answers to both (E2)."""
    found: dict[object, Offer] = {}
    for offer in state.offers:
        first = found.setdefault((offer.seat, offer.give, offer.want, offer.to), offer)
        first.accepted |= offer.accepted
        first.declined = (first.declined | offer.declined) & ~first.accepted
    state.offers = list(found.values())


def everyone_has_had_a_turn(state: State) -> bool:
    """Whether the last player's first turn is over, so that players can agree to count the points (I6)."""
    if state.round > 1:
        return True
    coming = next((step for step in state.agenda if isinstance(step, NextTurn)), None)  # special building (J1)
    return coming is not None and state.turn > 0 and begins_round(state, coming.begins(state))


def conclude(state: State, tx: Tx) -> None:
    """End the game if all who still play agree on one of the two ends (I6)."""
    active = state.active()
    if state.votes == active:
        finish(state, EndReason.AGREEMENT, tx)
    elif call_off_votes(state) == active:
        finish(state, EndReason.CALLED_OFF, tx, ())


def call_off_votes(state: State) -> int:
    """Mask of the seats that agree to call the game off."""
    return state.extra.get(_CALL_OFF_VOTES, 0)


_CALL_OFF_VOTES = "call_off_votes"


class Agree(Move):
    """Agree, or no longer agree, to end the game here and count the points (I6)."""

    action = AgreeToEnd

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if state.resigned >> seat & 1 or not state.rules.may_count_points(state):
            return None
        return Choices(AgreeToEnd, (not state.votes >> seat & 1,))

    def do(self, state: State, step: Step, seat: int, action: AgreeToEnd, tx: Tx) -> None:
        state.votes ^= 1 << seat
        tx.emit(EndAgreed(seat, action.agree))
        conclude(state, tx)

    def why(self, state: State, step: Step, seat: int, action: AgreeToEnd) -> IllegalAction:
        if not state.rules.may_count_points(state):
            return TOO_EARLY()
        return AGREED_ALREADY() if action.agree else NOT_AGREED()


class AgreeOff(Move):
    """Agree, or no longer agree, to call the game off; that is always possible (I6)."""

    action = AgreeToCallOff

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if state.resigned >> seat & 1:
            return None
        return Choices(AgreeToCallOff, (not call_off_votes(state) >> seat & 1,))

    def do(self, state: State, step: Step, seat: int, action: AgreeToCallOff, tx: Tx) -> None:
        state.extra[_CALL_OFF_VOTES] = call_off_votes(state) ^ 1 << seat
        tx.emit(CallOffAgreed(seat, action.agree))
        conclude(state, tx)

    def why(self, state: State, step: Step, seat: int, action: AgreeToCallOff) -> IllegalAction:
        return AGREED_ALREADY() if action.agree else NOT_AGREED()


class EndWithoutWinner(Move):
    """Call the game off; the referee does so on behalf of those who run the table."""

    action = CallOff

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        return _CALL_OFF

    def do(self, state: State, step: Step, seat: int, action: CallOff, tx: Tx) -> None:
        finish(state, EndReason.CALLED_OFF, tx, ())


_CALL_OFF = Single(CallOff())
_RESIGN = Single(Resign())

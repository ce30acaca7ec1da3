"""What the referee does when a player's time is over: make the plainest legal choice for them."""

from __future__ import annotations

from engine.actions import DecideFor, DeclineFor, Expire
from engine.autoplay import expired_action
from engine.domains import Choices, Domain, Listed
from engine.events import DecidedFor
from engine.geometry import bits
from engine.state import Move, State, Step, Tx
from engine.steps.trade import decline


class Decide(Move):
    """Make the plainest choice for a seat that owes a decision. Steps with their own time limit end by `Expire`."""

    action = DecideFor

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if Expire in state.rules.referee.get(type(step), {}):
            return None
        return Choices(DecideFor, tuple(bits(step.awaited(state))))

    def do(self, state: State, step: Step, seat: int, action: DecideFor, tx: Tx) -> None:
        late_seat = action.seat
        chosen = expired_action(state, late_seat, state.rules.options(state, late_seat))
        tx.emit(DecidedFor(late_seat))
        state.counts[late_seat] += 1
        state.rules.moves[type(step)][type(chosen)].do(state, step, late_seat, chosen, tx)


class Decline(Move):
    """Decline an offer for a seat that has not answered, in any step."""

    action = DeclineFor

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        asked = [(o, o.to & ~o.accepted & ~o.declined) for o in state.offers]
        return Listed([DeclineFor(s, offer.id) for offer, seats in asked for s in bits(seats)])

    def do(self, state: State, step: Step, seat: int, action: DeclineFor, tx: Tx) -> None:
        tx.emit(DecidedFor(action.seat))
        state.counts[action.seat] += 1
        decline(state, action.seat, action.offer, tx)

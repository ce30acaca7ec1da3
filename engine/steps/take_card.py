"""Taking a card at the robber's hex (G2, G3)."""

from __future__ import annotations

from engine.actions import DeclineCard, TakeCard
from engine.codec import Secret
from engine.domains import Choices, Domain, Single
from engine.errors import IllegalAction
from engine.events import CardTaken, NothingTaken
from engine.geometry import mask_of
from engine.refusals import Refusal, refusal
from engine.state import Move, State, Step, Tx, out_of_turn
from engine.step import StepView
from engine.terms import StepKind
from engine.values import value

VICTIM_FIRST = refusal("wrong-phase/take_card", "First choose who you steal from.")
NO_VICTIM = refusal("no-victim", "You can steal from {players}.")
MUST_TAKE = refusal("must-take", "In this edition you must steal a card.")


def victims(state: State, seat: int) -> list[int]:
    """Opponents with a building at the robber's hex who hold a card (G2)."""
    nodes = state.board.hex_node_mask[state.robber]
    return [
        s
        for s in range(state.players)
        if s != seat and (state.settlements[s] | state.cities[s]) & nodes and any(state.hands[s])
    ]


@value
class TakeView(StepView):
    """A card must be taken from one of `victims` (a mask of seats); `may_decline`: or none can be taken (A2)."""

    victims: int
    may_decline: bool


class TakeStep(Step):
    """`seat` must take a card at the robber's hex."""

    __slots__ = ("seat",)
    kind = StepKind.TAKE_CARD

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def data(self) -> tuple[int]:
        return (self.seat,)

    def awaited(self, state: State) -> int:
        return 1 << self.seat

    def view(self, state: State, seat: int | None) -> TakeView:
        opponents = mask_of(victims(state, self.seat))
        return TakeView(self.kind, self.shown(state, seat), opponents, state.rules.data.may_decline_card)

    def prompt(self) -> Refusal[IllegalAction]:
        return VICTIM_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        opponents = [] if state.resigned >> self.seat & 1 else victims(state, self.seat)
        if len(opponents) > 1 or (opponents and state.rules.data.may_decline_card):
            return False
        if opponents:
            take_card(state, self.seat, opponents[0], tx)
        else:
            tx.emit(NothingTaken(self.seat))
        return True


def take_card(state: State, seat: int, victim: int, tx: Tx) -> None:
    """Take a random card, each of the victim's equally likely (G2); only the two players learn which (G3)."""
    card = tx.pick("steal", state.hands[victim])
    state.hands[victim][card] -= 1
    state.hands[seat][card] += 1
    hidden = Secret(card, 1 << seat | 1 << victim)
    tx.emit(CardTaken(seat, victim, card if state.rules.data.open_hands else hidden))


class ChooseVictim(Move):
    """Choose the victim if there are several opponents at the hex (G2)."""

    action = TakeCard

    def domain(self, state: State, step: TakeStep, seat: int) -> Domain | None:
        return Choices(TakeCard, victims(state, seat)) if seat == step.seat else None

    def do(self, state: State, step: TakeStep, seat: int, action: TakeCard, tx: Tx) -> None:
        state.remove(step)
        take_card(state, seat, action.seat, tx)

    def why(self, state: State, step: TakeStep, seat: int, action: TakeCard) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        return NO_VICTIM(players=state.players_in(mask_of(victims(state, seat)), choice=True))


class Decline(Move):
    """Take nothing (A2, 1996)."""

    action = DeclineCard
    undoable = True

    def domain(self, state: State, step: TakeStep, seat: int) -> Domain | None:
        return _DECLINE if seat == step.seat and state.rules.data.may_decline_card else None

    def do(self, state: State, step: TakeStep, seat: int, action: DeclineCard, tx: Tx) -> None:
        state.remove(step)
        tx.emit(NothingTaken(seat))

    def why(self, state: State, step: TakeStep, seat: int, action: DeclineCard) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        return MUST_TAKE()


_DECLINE = Single(DeclineCard())

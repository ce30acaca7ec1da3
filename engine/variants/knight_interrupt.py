"""L8: after the robber has moved, others can play a knight and move it again, before a card is taken."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import Expire, PassOn, PlayKnight
from engine.data import Data
from engine.domains import Domain, Single
from engine.errors import IllegalAction
from engine.events import CardPlayed, InterruptOpened, InterruptPassed, RobberMoved
from engine.geometry import mask_of
from engine.refusals import Refusal, refusal
from engine.resources import KNIGHT
from engine.state import Move, Rules, State, Step, Tx
from engine.step import StepView
from engine.steps.robber import CountKnights, RobberStep
from engine.steps.take_card import TakeStep
from engine.terms import N_, StepKind
from engine.values import value
from engine.variants.variant import Variant

ANSWERS_FIRST = refusal("wrong-phase/interrupt", "First the others answer with a knight, or pass.")
NOT_AWAITED = refusal("not-asked/robber", "You aren't asked for an answer now.")
NO_KNIGHT = refusal("no-such-card/interrupt", "You have no knight that you can play now.")


@value
class InterruptView(StepView):
    """Everyone else who holds a development card is asked for a knight."""

    mover: int
    """The seat that moved the robber last."""


class Interrupt(Step):
    """Everyone else who holds a hidden development card is asked; answers stay secret until all are in.

    `asked`, `answered` and `knights` are masks of seats; `mover` is the seat that moved the robber last.
    """

    __slots__ = ("answered", "asked", "knights", "mover")
    kind = StepKind.INTERRUPT

    def __init__(self, mover: int, asked: int, answered: int = 0, knights: int = 0) -> None:
        self.mover = mover
        self.asked = asked
        self.answered = answered
        self.knights = knights

    def data(self) -> tuple[int, int, int, int]:
        return (self.mover, self.asked, self.answered, self.knights)

    def known(self, seat: int | None) -> tuple[int, int, int, int]:
        own = 0 if seat is None else 1 << seat
        return (self.mover, self.asked, self.answered & own, self.knights & own)

    def awaited(self, state: State) -> int:
        return self.asked & ~self.answered & state.active()

    def shown(self, state: State, seat: int | None) -> int:
        own = 0 if seat is None else 1 << seat
        return self.asked & state.active() & ~(own & self.answered)

    def view(self, state: State, seat: int | None) -> InterruptView:
        return InterruptView(self.kind, self.shown(state, seat), self.mover)

    def prompt(self) -> Refusal[IllegalAction]:
        return ANSWERS_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        if self.awaited(state):
            return False
        interrupter = next((s for s in state.following(self.mover) if self.knights >> s & 1), None)
        if interrupter is None:
            tx.emit(InterruptPassed(self.mover))
        else:
            interrupt(state, interrupter, tx)
        return True


def interrupt(state: State, seat: int, tx: Tx) -> None:
    """Play the seat's knight: the previous mover takes nothing, and the robber moves again."""
    state.agenda = [s for s in state.agenda if not isinstance(s, TakeStep)]
    state.development_cards[seat][KNIGHT] -= 1
    counting = next((s for s in state.agenda if isinstance(s, CountKnights)), None)
    if counting is None:
        state.push(CountKnights((seat,)))
    else:
        counting.seats = (*counting.seats, seat)
    state.push(RobberStep(seat, knight=True))
    tx.emit(CardPlayed(seat, KNIGHT))


class Answer(Move):
    """Base of the answers of seats that were asked and haven't answered yet. No one else learns of them."""

    quiet = True

    def open_to(self, state: State, step: Interrupt, seat: int) -> bool:
        """Whether the seat's answer is awaited."""
        return bool(step.awaited(state) >> seat & 1)

    def why(self, state: State, step: Interrupt, seat: int, action: object) -> IllegalAction:
        if not self.open_to(state, step, seat):
            return NOT_AWAITED()
        return NO_KNIGHT()


class AnswerKnight(Answer):
    """Play a knight that wasn't bought this turn. The first clockwise from the mover plays it; others keep theirs."""

    action = PlayKnight
    needs_card = True

    def domain(self, state: State, step: Interrupt, seat: int) -> Domain | None:
        if not self.open_to(state, step, seat) or state.development_cards[seat][KNIGHT] <= state.fresh[seat][KNIGHT]:
            return None
        return _KNIGHT

    def do(self, state: State, step: Interrupt, seat: int, action: PlayKnight, tx: Tx) -> None:
        step.answered |= 1 << seat
        step.knights |= 1 << seat


class AnswerPass(Answer):
    """Let the robber's move stand."""

    action = PassOn

    def domain(self, state: State, step: Interrupt, seat: int) -> Domain | None:
        return _PASS if self.open_to(state, step, seat) else None

    def do(self, state: State, step: Interrupt, seat: int, action: PassOn, tx: Tx) -> None:
        step.answered |= 1 << seat


class TimeUp(Move):
    """The referee closes the window: seats that haven't answered pass."""

    action = Expire

    def domain(self, state: State, step: Interrupt, seat: int) -> Domain | None:
        return Single(Expire(step.serial))

    def do(self, state: State, step: Interrupt, seat: int, action: Expire, tx: Tx) -> None:
        step.answered = step.asked


_KNIGHT = Single(PlayKnight())
_PASS = Single(PassOn())


def _open(state: State, tx: Tx, event: RobberMoved) -> None:
    """Open a window for everyone else with a hidden card, unless the robber was left (L5) or no one else holds one."""
    if event.origin == event.hex:
        return
    asked = mask_of(s for s in state.following(event.seat) if any(state.development_cards[s]))
    if asked:
        state.push(Interrupt(event.seat, asked))
        tx.emit(InterruptOpened(event.seat))


def _data(data: Data) -> Data:
    return replace(data, robber_interrupts=True)


def _patch(rules: Rules) -> None:
    rules.moves[Interrupt] = {PlayKnight: AnswerKnight(), PassOn: AnswerPass()}
    rules.referee[Interrupt] = {Expire: TimeUp()}
    rules.reactions.setdefault(RobberMoved, []).append(_open)


VARIANT = Variant(
    id="knight-interrupt",
    title=N_("Knights interrupt"),
    summary=N_("Others can answer the robber with a knight and move it again."),
    topic="robber",
    data=_data,
    patch=_patch,
)

"""The special building phase between two turns (J1, J2)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import AskToBuild, Expire, PassOn, SetStanding
from engine.domains import Choices, Domain, Single
from engine.errors import IllegalAction
from engine.events import BuildersCalled, Passed, RequestsOpened
from engine.geometry import mask_of
from engine.refusals import Refusal, refusal
from engine.state import Move, State, Step, Tx
from engine.step import StepView
from engine.terms import StepKind
from engine.values import value

BETWEEN_TURNS = refusal(
    "wrong-phase/special_building", "Between turns you can only build, buy development cards, or pass."
)
REQUESTS_FIRST = refusal(
    "wrong-phase/late_requests", "First everyone can ask to build after this turn. It takes a moment."
)
NOT_AWAITED = refusal("not-asked/requests", "You aren't asked for an answer now.")
NO_PHASE = refusal("no-such-phase", "There is no building between turns in this game.")
NO_STANDING = refusal("wrong-count/standing", "Name a number of cards from 0 (never) to 99.")
OWN_TURN = refusal("own-turn", "It's your own turn: build now.")
ASK_LATER = refusal("wrong-phase/ask", "You can ask during another player's turn.")
ASKED = refusal("asked/already", "You have asked already.")
NOT_ASKED = refusal("asked/not", "You have not asked to build after this turn.")


@value
class SpecialBuildingView(StepView):
    """The seats called build one after another."""

    queue: tuple[int, ...]
    """The seats that still have to build; the first is building now."""


class SpecialBuilding(Step):
    """The seats called build one after another; the first of `queue` is building now."""

    __slots__ = ("queue",)
    kind = StepKind.SPECIAL_BUILDING

    def __init__(self, queue: tuple[int, ...]) -> None:
        self.queue = queue

    def data(self) -> tuple[tuple[int, ...]]:
        return (self.queue,)

    @property
    def seat(self) -> int:
        """The seat that builds now; -1 when all have."""
        return self.queue[0] if self.queue else -1

    def awaited(self, state: State) -> int:
        return 1 << self.queue[0] if self.queue else 0

    def view(self, state: State, seat: int | None) -> SpecialBuildingView:
        queue = tuple(s for s in self.queue if not state.resigned >> s & 1)
        return SpecialBuildingView(self.kind, self.shown(state, seat), queue)

    def prompt(self) -> Refusal[IllegalAction]:
        return BETWEEN_TURNS

    def settle(self, state: State, tx: Tx) -> bool:
        while self.queue and state.resigned >> self.queue[0] & 1:
            self.queue = self.queue[1:]
        return not self.queue


def open_requests(seat: int, tx: Tx) -> list[Step]:
    """Open the window for late requests after a seat's turn."""
    tx.emit(RequestsOpened(seat))
    return [LateRequests(seat)]


@value
class LateRequestsView(StepView):
    """Everyone except `after`, the seat whose turn is over, can ask to build."""

    after: int


class LateRequests(Step):
    """A short window after the turn of `seat` in which others can still ask to build; answers stay secret (J2)."""

    __slots__ = ("answered", "closed", "seat")
    kind = StepKind.LATE_REQUESTS

    def __init__(self, seat: int, answered: int = 0) -> None:
        self.seat = seat
        self.answered = answered
        self.closed = False  # until the referee closes it, which ends the step

    def data(self) -> tuple[int, int]:
        return (self.seat, self.answered)

    def known(self, seat: int | None) -> tuple[int, int]:
        return (self.seat, self.answered & (0 if seat is None else 1 << seat))

    def awaited(self, state: State) -> int:
        return 0 if self.closed else self.shown(state, None) & ~self._settled(state)

    def shown(self, state: State, seat: int | None) -> int:
        own = 0 if seat is None else 1 << seat
        return state.active() & ~(1 << self.seat) & ~(own & self._settled(state))

    def _settled(self, state: State) -> int:
        """The seats that have answered, or that want to be called only when they ask."""
        answers = self.answered | state.asked
        return answers if state.rules.data.window_asks_all else answers | mask_of(_uncalled(state))

    def view(self, state: State, seat: int | None) -> LateRequestsView:
        return LateRequestsView(self.kind, self.shown(state, seat), self.seat)

    def prompt(self) -> Refusal[IllegalAction]:
        return REQUESTS_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        if self.awaited(state):
            return False
        refused = 0 if state.rules.data.window_asks_all else self.answered
        for step in call_builders(state, self.seat, tx, refused):
            state.push(step)
        return True


class NoRequest(Move):
    """Don't ask to build in the window for late requests; no one else learns of it."""

    action = PassOn
    quiet = True

    def domain(self, state: State, step: LateRequests, seat: int) -> Domain | None:
        return _PASS if step.awaited(state) >> seat & 1 else None

    def do(self, state: State, step: LateRequests, seat: int, action: PassOn, tx: Tx) -> None:
        step.answered |= 1 << seat

    def why(self, state: State, step: LateRequests, seat: int, action: PassOn) -> IllegalAction:
        return NOT_AWAITED()


class CloseRequests(Move):
    """The referee closes the window for late requests."""

    action = Expire

    def domain(self, state: State, step: LateRequests, seat: int) -> Domain | None:
        return Single(Expire(step.serial))

    def do(self, state: State, step: LateRequests, seat: int, action: Expire, tx: Tx) -> None:
        step.closed = True


def call_builders(state: State, seat: int, tx: Tx, refused: int = 0) -> list[Step]:
    """The phase's step, if anyone is called: seats that asked, or hold as many cards as their standing number (J2).

    `refused`: those of the latter that have passed in the window for late requests; they aren't called. The order is
    clockwise from the left of `seat`.
    """
    standing = ~refused & ~mask_of(_uncalled(state))
    called = tuple(
        s
        for s in state.following(seat)
        if state.asked >> s & 1 or (standing >> s & 1 and state.standing[s] <= sum(state.hands[s]))
    )
    state.asked = 0
    if not called:
        return []
    tx.emit(BuildersCalled(called))
    return [SpecialBuilding(called)]


def _uncalled(state: State) -> Iterator[int]:
    """The seats that want to be called only when they ask."""
    return (seat for seat, cards in enumerate(state.standing) if not cards)


class PassBuilding(Move):
    """End the seat's part in the phase."""

    action = PassOn

    def domain(self, state: State, step: SpecialBuilding, seat: int) -> Domain | None:
        return _PASS if seat == step.seat else None

    def do(self, state: State, step: SpecialBuilding, seat: int, action: PassOn, tx: Tx) -> None:
        step.queue = step.queue[1:]
        tx.emit(Passed(seat))


_PASS = Single(PassOn())


class Standing(Move):
    """Set the seat's standing number (J2)."""

    action = SetStanding
    quiet = True

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        return Choices(SetStanding, range(100)) if state.rules.data.special_building else None

    def do(self, state: State, step: Step, seat: int, action: SetStanding, tx: Tx) -> None:
        state.standing[seat] = action.cards

    def why(self, state: State, step: Step, seat: int, action: SetStanding) -> IllegalAction:
        if state.rules.data.special_building:
            return NO_STANDING()
        return NO_PHASE()


class Ask(Move):
    """Ask, or no longer ask, to build in the phase after this turn; hidden until the turn ends (J2)."""

    action = AskToBuild
    quiet = True

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if isinstance(step, LateRequests):
            can_ask = seat != step.seat
        else:
            can_ask = state.rules.data.special_building and state.on_turn not in (-1, seat)
        if not can_ask or state.resigned >> seat & 1:
            return None
        return Choices(AskToBuild, (not state.asked >> seat & 1,))

    def do(self, state: State, step: Step, seat: int, action: AskToBuild, tx: Tx) -> None:
        if action.wanted:
            state.asked |= 1 << seat
        else:
            state.asked &= ~(1 << seat)

    def why(self, state: State, step: Step, seat: int, action: AskToBuild) -> IllegalAction:
        if not state.rules.data.special_building:
            return NO_PHASE()
        if state.on_turn == seat:
            return OWN_TURN()
        if state.on_turn < 0:
            return ASK_LATER()
        return ASKED() if action.wanted else NOT_ASKED()

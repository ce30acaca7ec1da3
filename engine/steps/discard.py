"""Discards on a seven (D4)."""

from __future__ import annotations

from engine.actions import Discard, TakeBackDiscard
from engine.domains import Cards, Domain, Single
from engine.errors import IllegalAction
from engine.events import DiscardChosen, Discarded, DiscardTakenBack
from engine.geometry import mask_of
from engine.refusals import CardList, Refusal, refusal
from engine.resources import Hand, hand
from engine.state import Move, State, Step, Tx
from engine.step import StepView
from engine.terms import StepKind
from engine.values import value

DISCARDS_FIRST = refusal(
    "wrong-phase/discard", "Discards come first: the robber waits for everyone who holds too many cards."
)
NOTHING_OWED = refusal("nothing-owed", "You have nothing to discard now.")
NOT_IN_HAND = refusal("not-in-hand", "You only have {hand}.")
NOT_DISCARDED = refusal("not-discarded", "You have no discard to undo.")
WRONG_DISCARD = refusal("wrong-count/discard", "You must discard exactly {owed} cards, not {chosen}.")


@value
class DiscardsView(StepView):
    """Several seats discard at the same time."""

    owed: tuple[int, ...]
    """How many cards each seat still has to discard."""
    chosen: Hand | None
    """The viewer's own discard, which can still be undone."""


class Discards(Step):
    """Several seats discard at the same time: `owed` cards by seat; `chosen` is revealed when all have chosen."""

    __slots__ = ("chosen", "owed")
    kind = StepKind.DISCARD

    def __init__(self, owed: tuple[int, ...], chosen: tuple[Hand | None, ...]) -> None:
        self.owed = owed
        self.chosen = chosen

    def data(self) -> tuple[tuple[int, ...], tuple[Hand | None, ...]]:
        return (self.owed, self.chosen)

    def known(self, seat: int | None) -> tuple[tuple[int, ...], tuple[Hand | None, ...]]:
        return (self.owed, tuple(cards if s == seat else None for s, cards in enumerate(self.chosen)))

    def awaited(self, state: State) -> int:
        return mask_of(s for s, n in enumerate(self.owed) if n and not state.resigned >> s & 1)

    def view(self, state: State, seat: int | None) -> DiscardsView:
        owing = self.awaited(state)
        owed = tuple(n * (owing >> s & 1) for s, n in enumerate(self.owed))
        return DiscardsView(self.kind, owing, owed, None if seat is None else self.chosen[seat])

    def prompt(self) -> Refusal[IllegalAction]:
        return DISCARDS_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        if self.awaited(state):
            return False
        self.drop(state, tx)
        for seat, cards in enumerate(self.chosen):
            if cards is not None:
                tx.emit(Discarded(seat, cards))
        return True

    def drop(self, state: State, tx: Tx) -> None:
        for cards in self.chosen:
            for r, n in enumerate(cards or ()):
                state.bank[r] += n


class DiscardCards(Move):
    """Discard half the hand, rounded down, chosen freely (D4)."""

    action = Discard

    def domain(self, state: State, step: Discards, seat: int) -> Domain | None:
        return Cards(Discard, state.hands[seat], step.owed[seat]) if step.owed[seat] else None

    def do(self, state: State, step: Discards, seat: int, action: Discard, tx: Tx) -> None:
        own_cards = state.hands[seat]
        for r in range(5):
            own_cards[r] -= action.cards[r]
        step.owed = (*step.owed[:seat], 0, *step.owed[seat + 1 :])
        step.chosen = (*step.chosen[:seat], action.cards, *step.chosen[seat + 1 :])
        tx.emit(DiscardChosen(seat))

    def why(self, state: State, step: Discards, seat: int, action: Discard) -> IllegalAction:
        owed = step.owed[seat]
        if not owed:
            return NOTHING_OWED()
        if min(action.cards) < 0 or any(n > h for n, h in zip(action.cards, state.hands[seat], strict=True)):
            return NOT_IN_HAND(hand=CardList(hand(state.hands[seat])))
        return WRONG_DISCARD(owed=owed, chosen=sum(action.cards))


class TakeBack(Move):
    """Undo the seat's discard while others still owe theirs: until then no one else learns what it was (D4)."""

    action = TakeBackDiscard

    def domain(self, state: State, step: Discards, seat: int) -> Domain | None:
        return _TAKE_BACK if step.chosen[seat] is not None else None

    def do(self, state: State, step: Discards, seat: int, action: TakeBackDiscard, tx: Tx) -> None:
        cards, own_cards = step.chosen[seat], state.hands[seat]
        assert cards is not None
        for r in range(5):
            own_cards[r] += cards[r]
        step.owed = (*step.owed[:seat], sum(cards), *step.owed[seat + 1 :])
        step.chosen = (*step.chosen[:seat], None, *step.chosen[seat + 1 :])
        tx.emit(DiscardTakenBack(seat))

    def why(self, state: State, step: Discards, seat: int, action: TakeBackDiscard) -> IllegalAction:
        return NOT_DISCARDED()


_TAKE_BACK = Single(TakeBackDiscard())

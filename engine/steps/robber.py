"""Discards, the robber and the card it takes (D4, G)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import DeclineCard, Discard, LeaveRobber, MoveRobber, TakeCard
from engine.awards import award_army
from engine.board import pips
from engine.codec import Secret
from engine.domains import Cards, Choices, Domain, Places, Single
from engine.errors import IllegalAction
from engine.events import CardTaken, DiscardChosen, Discarded, DiscardsDue, NothingTaken, RobberMoved
from engine.geometry import bits, mask_of
from engine.moves import Move, out_of_turn
from engine.refusals import CardList, Refusal, refusal
from engine.resources import KNIGHT, Hand, hand
from engine.state import State
from engine.step import Step, StepView
from engine.terms import StepKind
from engine.tx import Tx

DISCARDS_FIRST = refusal(
    "wrong-phase/discard", "Discards come first: the robber waits for everyone who holds too many cards."
)
NOTHING_OWED = refusal("nothing-owed", "You have nothing to discard now.")
NOT_IN_HAND = refusal("not-in-hand", "You hold only {hand}.")
WRONG_DISCARD = refusal("wrong-count/discard", "You must discard exactly {owed} cards, not {chosen}.")
ROBBER_FIRST = refusal("wrong-phase/move_robber", "Move the robber first.")
NO_SUCH_HEX = refusal("unknown-place/hex", "There is no such hex on this board.")
SAME_HEX = refusal("same-hex", "The robber already stands on {place}; choose another hex.")
ROBBER_ON_LAND = refusal("no-land/robber", "{place} is no land; the robber stays on land.")
ROBBER_AT_HARBORS = refusal("no-land/harbors", "{place} is sea; the robber goes to land or to a harbor.")
ROBBER_NOT_HERE = refusal("not-here/robber", "The robber can't go to {place} now.")
VICTIM_FIRST = refusal("wrong-phase/take_card", "Choose first from whom the robber takes a card.")
NO_VICTIM = refusal("no-victim", "You can take a card from {players}.")
MUST_TAKE = refusal("must-take", "In this edition a card must be taken.")


def start_robber(state: State, seat: int, tx: Tx) -> None:
    """A seven: discards lie above the robber, which waits for the last of them (D4)."""
    state.push(RobberStep(seat))
    limit = state.rules.data.discard_limit
    owed = tuple(n // 2 if (n := sum(held)) > limit else 0 for held in state.hands)
    if any(owed):
        state.push(Discards(owed, (None,) * state.players))
        tx.emit(DiscardsDue(tuple((s, n) for s, n in enumerate(owed) if n)))


@dataclass(frozen=True, slots=True)
class DiscardsView(StepView):
    """Several discard at once."""

    owed: tuple[int, ...]
    """Cards that each seat has still to discard, by seat."""


class Discards(Step):
    """Several seats discard at once: `owed` cards by seat; `chosen` keeps what is told when all have."""

    __slots__ = ("chosen", "owed")
    kind = StepKind.DISCARD

    def __init__(self, owed: tuple[int, ...], chosen: tuple[Hand | None, ...]) -> None:
        self.owed = owed
        self.chosen = chosen

    def data(self) -> tuple[tuple[int, ...], tuple[Hand | None, ...]]:
        return (self.owed, self.chosen)

    def awaited(self, state: State) -> int:
        return mask_of(s for s, n in enumerate(self.owed) if n and not state.resigned >> s & 1)

    def view(self, state: State, seat: int | None) -> DiscardsView:
        owing = self.awaited(state)
        return DiscardsView(self.kind, owing, tuple(n * (owing >> s & 1) for s, n in enumerate(self.owed)))

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
    """Half the hand, rounded down, chosen freely (D4)."""

    action = Discard

    def domain(self, state: State, step: Discards, seat: int) -> Domain | None:
        return Cards(Discard, state.hands[seat], step.owed[seat]) if step.owed[seat] else None

    def do(self, state: State, step: Discards, seat: int, action: Discard, tx: Tx) -> None:
        held = state.hands[seat]
        for r in range(5):
            held[r] -= action.cards[r]
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


@dataclass(frozen=True, slots=True)
class RobberView(StepView):
    """The robber is to be moved: where to, and whether it may be left where it is (L5); all of that is public."""

    hexes: int
    may_leave: bool


class RobberStep(Step):
    """The robber is to be moved by `seat`; `knight`: by a knight."""

    __slots__ = ("knight", "seat")
    kind = StepKind.MOVE_ROBBER

    def __init__(self, seat: int, knight: bool = False) -> None:
        self.seat = seat
        self.knight = knight

    def data(self) -> tuple[int, bool]:
        return (self.seat, self.knight)

    def awaited(self, state: State) -> int:
        return 1 << self.seat

    def view(self, state: State, seat: int | None) -> RobberView:
        options = state.rules.options(state, self.seat)
        places = options[MoveRobber]
        assert isinstance(places, Places)
        return RobberView(self.kind, self.shown(state, seat), places.mask, LeaveRobber in options)

    def prompt(self) -> Refusal[IllegalAction]:
        return ROBBER_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        if not state.resigned >> self.seat & 1:
            return False
        # the plainest choice for who has left (I7): away from everyone, and nothing is taken
        places = state.rules.options(state, self.seat)[MoveRobber]
        assert isinstance(places, Places)
        origin, state.robber = state.robber, plainest_hex(state, self.seat, places.mask)
        tx.emit(RobberMoved(self.seat, origin, state.robber))
        return True


class PlaceRobber(Move):
    """To another land hex (G1)."""

    action = MoveRobber

    def domain(self, state: State, step: RobberStep, seat: int) -> Domain | None:
        if seat != step.seat:
            return None
        return Places(MoveRobber, robber_places(state))

    def do(self, state: State, step: RobberStep, seat: int, action: MoveRobber, tx: Tx) -> None:
        origin, state.robber = state.robber, action.at
        state.remove(step)
        state.push(TakeStep(seat))
        tx.emit(RobberMoved(seat, origin, action.at))

    def why(self, state: State, step: RobberStep, seat: int, action: MoveRobber) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        board = state.board
        if not 0 <= action.at < len(board.terrain):
            return NO_SUCH_HEX()
        place = state.hex(action.at)
        if action.at == state.robber:
            return SAME_HEX(place=place)
        hexes = state.rules.robber_hexes(state)
        if not hexes >> action.at & 1:
            return ROBBER_ON_LAND(place=place) if hexes == board.land_mask else ROBBER_AT_HARBORS(place=place)
        return ROBBER_NOT_HERE(place=place)


def robber_places(state: State) -> int:
    """Hexes where the robber may go (G1), as the rules see it."""
    mask = state.rules.robber_hexes(state)
    return mask & ~(1 << state.robber) if state.robber >= 0 else mask


def victims(state: State, seat: int) -> list[int]:
    """Opponents with a building at the robber's hex who hold a card (G2)."""
    nodes = state.board.hex_node_mask[state.robber]
    return [
        s
        for s in range(state.players)
        if s != seat and (state.settlements[s] | state.cities[s]) & nodes and any(state.hands[s])
    ]


@dataclass(frozen=True, slots=True)
class TakeView(StepView):
    """A card is to be taken from one of `victims` (a mask of seats); `may_decline`: or none (A2)."""

    victims: int
    may_decline: bool


class TakeStep(Step):
    """A card is to be taken by `seat` at the robber's hex."""

    __slots__ = ("seat",)
    kind = StepKind.TAKE_CARD

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def data(self) -> tuple[int]:
        return (self.seat,)

    def awaited(self, state: State) -> int:
        return 1 << self.seat

    def view(self, state: State, seat: int | None) -> TakeView:
        found = mask_of(victims(state, self.seat))
        return TakeView(self.kind, self.shown(state, seat), found, state.rules.data.may_decline_card)

    def prompt(self) -> Refusal[IllegalAction]:
        return VICTIM_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        found = [] if state.resigned >> self.seat & 1 else victims(state, self.seat)
        if len(found) > 1 or (found and state.rules.data.may_decline_card):
            return False
        if found:
            take_card(state, self.seat, found[0], tx)
        else:
            tx.emit(NothingTaken(self.seat))
        return True


def take_card(state: State, seat: int, victim: int, tx: Tx) -> None:
    """One card at random, evenly over the victim's cards (G2); only the two learn which (G3)."""
    card = tx.pick("steal", state.hands[victim])
    state.hands[victim][card] -= 1
    state.hands[seat][card] += 1
    hidden = Secret(card, 1 << seat | 1 << victim)
    tx.emit(CardTaken(seat, victim, card if state.rules.data.open_hands else hidden))


class ChooseVictim(Move):
    """With several opponents at the hex the mover chooses (G2)."""

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


class CountKnights(Step):
    """Knights played lately count for the army once the robber is resolved, in the order played (H3)."""

    __slots__ = ("seats",)
    kind = StepKind.COUNT_KNIGHTS

    def __init__(self, seats: tuple[int, ...]) -> None:
        self.seats = seats

    def data(self) -> tuple[tuple[int, ...]]:
        return (self.seats,)

    def awaited(self, state: State) -> int:
        return 0

    def settle(self, state: State, tx: Tx) -> bool:
        self.drop(state, tx)
        return True

    def drop(self, state: State, tx: Tx) -> None:
        for seat in self.seats:
            state.played[seat][KNIGHT] += 1
            award_army(state, seat, tx)


def seats_at(state: State, hex_: int) -> list[int]:
    """Seats with a building at a hex."""
    nodes = state.board.hex_node_mask[hex_]
    return [s for s in range(state.players) if (state.settlements[s] | state.cities[s]) & nodes]


def plainest_hex(state: State, seat: int, places: int) -> int:
    """Where the robber harms least: no building of one's own, the fewest points, the rarest number."""

    def harm(hex_: int) -> tuple[bool, int, int]:
        seats = seats_at(state, hex_)
        return (seat in seats, sum(state.points(s) for s in seats), pips(state.board.tokens[hex_]))

    return min(bits(places), key=harm)

"""Playing development cards (section H)."""

from __future__ import annotations

from typing import ClassVar

from engine.actions import (
    Action,
    BuildBridge,
    BuildRoad,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
)
from engine.domains import Cards, Choices, Domain, Places, Single
from engine.errors import IllegalAction
from engine.events import CardPlayed, Monopolised, PlentyTaken
from engine.moves import receive
from engine.pieces import place_road, refuse_road, road_places, roads_left
from engine.refusals import CardList, Refusal, refusal
from engine.resources import KNIGHT, MONOPOLY, ROAD_BUILDING, YEAR_OF_PLENTY, hand
from engine.state import Move, State, Step, Tx, out_of_turn
from engine.step import PlacingView
from engine.steps.robber import CountKnights, RobberStep
from engine.terms import Piece, StepKind

ONE_CARD = refusal("one-card", "You can play only one development card per turn.")
NO_SUCH_CARD = [
    refusal("no-such-card/knight", "You have no knight."),
    refusal("no-such-card/road building", "You have no Road Building."),
    refusal("no-such-card/year of plenty", "You have no Year of Plenty."),
    refusal("no-such-card/monopoly", "You have no Monopoly."),
    refusal("no-such-card/victory point", "You have no Victory Point."),
]
TOO_NEW = [
    refusal("too-new/knight", "You bought your knight this turn: play it in a later one."),
    refusal("too-new/road building", "You bought your Road Building this turn: play it in a later one."),
    refusal("too-new/year of plenty", "You bought your Year of Plenty this turn: play it in a later one."),
    refusal("too-new/monopoly", "You bought your Monopoly this turn: play it in a later one."),
    refusal("too-new/victory point", "You bought your Victory Point this turn: play it in a later one."),
]
CARD_NOT_NOW = refusal("not-now/card", "That card can't be played now.")
NO_ROADS_LEFT = refusal("no-pieces/road building", "All of your roads are on the board, so the card would do nothing.")
NOWHERE = refusal("nowhere", "There is no edge where you could place a road.")
FREE_ROADS_FIRST = refusal("wrong-phase/road_building", "Place your free roads first.")
BANK_EMPTY = refusal("bank-empty", "The bank is empty, so the card would do nothing.")
BANK_HOLDS = refusal("bank-short/plenty", "The bank holds only {bank}.")
WRONG_PLENTY = refusal(
    "wrong-count/plenty", "Take exactly {n} card from the bank.", "Take exactly {n} cards from the bank."
)
NO_RESOURCE = refusal("no-resource", "Name one of brick, lumber, wool, grain and ore.")


class PlayCard(Move):
    """Base of playing a card: one per turn, and not in the turn it was bought (H2)."""

    card: ClassVar[int]
    needs_card = True

    def domain(self, state: State, step: Step, seat: int) -> Domain | None:
        if (
            state.development_cards[seat][self.card] <= state.fresh[seat][self.card]
            or state.on_turn != seat
            or state.card_played
        ):
            return None
        return self.uses(state, seat)

    def uses(self, state: State, seat: int) -> Domain | None:
        """How a card that can be played can be used now; None if it would do nothing."""
        raise TypeError("a card must have a use")

    def lay(self, state: State, seat: int, tx: Tx) -> None:
        """Lay the card face up; knights count only later (H3)."""
        state.development_cards[seat][self.card] -= 1
        state.card_played = True
        if self.card != KNIGHT:
            state.played[seat][self.card] += 1
        tx.emit(CardPlayed(seat, self.card))

    def why(self, state: State, step: Step, seat: int, action: Action) -> IllegalAction:
        if state.on_turn != seat:
            return out_of_turn(state, step, seat)
        if state.card_played:
            return ONE_CARD()
        if not state.development_cards[seat][self.card]:
            return NO_SUCH_CARD[self.card]()
        if state.development_cards[seat][self.card] <= state.fresh[seat][self.card]:
            return TOO_NEW[self.card]()
        return self.obstacle(state, seat, action)

    def obstacle(self, state: State, seat: int, action: Action) -> IllegalAction:
        """Why the card itself can't be used like this."""
        return CARD_NOT_NOW()


class Knight(PlayCard):
    """Move the robber (H3); offers end (E3)."""

    action = PlayKnight
    card = KNIGHT

    def uses(self, state: State, seat: int) -> Domain | None:
        return _KNIGHT

    def do(self, state: State, step: Step, seat: int, action: PlayKnight, tx: Tx) -> None:
        self.lay(state, seat, tx)
        state.offers.clear()
        state.push(CountKnights((seat,)))
        state.push(RobberStep(seat, knight=True))


class RoadBuilding(PlayCard):
    """Two free roads (H4)."""

    action = PlayRoadBuilding
    card = ROAD_BUILDING

    def uses(self, state: State, seat: int) -> Domain | None:
        return _ROADS if free_roads(state, seat) else None

    def do(self, state: State, step: Step, seat: int, action: PlayRoadBuilding, tx: Tx) -> None:
        state.built = True
        self.lay(state, seat, tx)
        state.push(FreeRoads(seat, 2))

    def obstacle(self, state: State, seat: int, action: Action) -> IllegalAction:
        if roads_left(state, seat) <= 0:
            return NO_ROADS_LEFT()
        return NOWHERE()


def free_roads(state: State, seat: int) -> int:
    """Mask of the edges where road building can place something."""
    if roads_left(state, seat) <= 0:
        return 0
    return road_places(state, seat, state.board.road_mask | state.board.bridge_mask)


class FreeRoads(Step):
    """`seat` must place `left` free roads; ends early if none can be placed (H4)."""

    __slots__ = ("left", "seat")
    kind = StepKind.ROAD_BUILDING

    def __init__(self, seat: int, left: int) -> None:
        self.seat = seat
        self.left = left

    def data(self) -> tuple[int, int]:
        return (self.seat, self.left)

    def awaited(self, state: State) -> int:
        return 1 << self.seat

    def view(self, state: State, seat: int | None) -> PlacingView:
        return PlacingView(self.kind, self.shown(state, seat), Piece.ROAD, 2 - self.left)

    def prompt(self) -> Refusal[IllegalAction]:
        return FREE_ROADS_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        resigned = state.resigned >> self.seat & 1
        return self.left == 0 or bool(resigned) or not free_roads(state, self.seat)


class FreeRoad(Move):
    """Place one of the free roads (H4)."""

    action: ClassVar[type[BuildRoad] | type[BuildBridge]] = BuildRoad
    undoable = True

    def domain(self, state: State, step: FreeRoads, seat: int) -> Domain | None:
        mask = road_places(state, seat, state.board.edges_for(self.action is BuildBridge)) if seat == step.seat else 0
        return Places(self.action, mask) if mask else None

    def do(self, state: State, step: FreeRoads, seat: int, action: BuildRoad | BuildBridge, tx: Tx) -> None:
        step.left -= 1
        place_road(state, seat, action.at, tx, free=True)

    def why(self, state: State, step: FreeRoads, seat: int, action: BuildRoad | BuildBridge) -> IllegalAction:
        if seat != step.seat:
            return out_of_turn(state, step, seat)
        return refuse_road(state, seat, action.at, state.board.edges_for(self.action is BuildBridge))


class FreeBridge(FreeRoad):
    """Like `FreeRoad`, on a sea edge."""

    action = BuildBridge


class YearOfPlenty(PlayCard):
    """Take two cards from the bank, or its only one (H5)."""

    action = PlayYearOfPlenty
    card = YEAR_OF_PLENTY

    def uses(self, state: State, seat: int) -> Domain | None:
        total = min(2, sum(state.bank))
        return Cards(PlayYearOfPlenty, state.bank, total) if total else None

    def do(self, state: State, step: Step, seat: int, action: PlayYearOfPlenty, tx: Tx) -> None:
        self.lay(state, seat, tx)
        receive(state, seat, action.cards)
        tx.emit(PlentyTaken(seat, action.cards))

    def obstacle(self, state: State, seat: int, action: Action) -> IllegalAction:
        total = min(2, sum(state.bank))
        if not total:
            return BANK_EMPTY()
        cards = action.cards if isinstance(action, PlayYearOfPlenty) else ()
        if len(cards) == 5 and any(n > b for n, b in zip(cards, state.bank, strict=True)):
            return BANK_HOLDS(bank=CardList(hand(state.bank)))
        return WRONG_PLENTY(n=total)


class Monopoly(PlayCard):
    """Everyone else hands over all of one resource (H6); offers end (E3)."""

    action = PlayMonopoly
    card = MONOPOLY

    def uses(self, state: State, seat: int) -> Domain | None:
        return _MONOPOLY

    def do(self, state: State, step: Step, seat: int, action: PlayMonopoly, tx: Tx) -> None:
        self.lay(state, seat, tx)
        state.offers.clear()
        taken = []
        for other in range(state.players):
            n = state.hands[other][action.resource]
            if other != seat and n:
                state.hands[other][action.resource] = 0
                state.hands[seat][action.resource] += n
                taken.append((other, n))
        tx.emit(Monopolised(seat, action.resource, tuple(taken)))

    def obstacle(self, state: State, seat: int, action: Action) -> IllegalAction:
        return NO_RESOURCE()


_KNIGHT = Single(PlayKnight())
_ROADS = Single(PlayRoadBuilding())
_MONOPOLY = Choices(PlayMonopoly, range(5))
CARD_MOVES: tuple[Move, ...] = (Knight(), RoadBuilding(), YearOfPlenty(), Monopoly())
"""Development cards that can be played in a turn."""

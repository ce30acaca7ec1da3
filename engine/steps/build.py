"""Building and buying (section F), for every step in which a seat can build."""

from __future__ import annotations

from typing import ClassVar, Protocol

from engine.actions import BuildBridge, BuildCity, BuildRoad, BuildSettlement, BuyCard
from engine.codec import Secret
from engine.domains import Domain, Places, Single
from engine.errors import IllegalAction
from engine.events import CardBought
from engine.moves import pay, unaffordable
from engine.pieces import (
    NO_SUCH_NODE,
    cities_left,
    place_city,
    place_road,
    place_settlement,
    refuse_road,
    refuse_settlement,
    road_places,
    roads_left,
    settlement_places,
    settlements_left,
)
from engine.refusals import refusal
from engine.resources import Hand, covers
from engine.state import Move, State, Step, Tx, out_of_turn
from engine.terms import Piece

NO_PIECES = {
    Piece.ROAD: refusal("no-pieces/road", "All {all} of your roads are on the board."),
    Piece.SETTLEMENT: refusal(
        "no-pieces/settlement", "All {all} of your settlements are on the board: a city gives one back."
    ),
    Piece.CITY: refusal("no-pieces/city", "All {all} of your cities are on the board."),
}
NO_SETTLEMENT = refusal("no-settlement", "A city replaces one of your settlements, and you have none at {place}.")
CITY_NOT_HERE = refusal("not-here/city", "A city can't be built at {place} now.")
NO_CARDS = refusal("no-cards", "All development cards are sold.")
NO_PURCHASE_NOW = refusal("not-now/purchase", "You can't buy a development card now.")


class Building(Protocol):
    """A step in which `seat` can build: the main part of a turn, or the special building phase."""

    seat: int

    def awaited(self, state: State) -> int: ...


class Road(Move):
    """Build a road for its cost (F2)."""

    action: ClassVar[type[BuildRoad] | type[BuildBridge]] = BuildRoad
    undoable = True
    what: ClassVar[Piece] = Piece.ROAD

    def cost(self, state: State) -> Hand:
        """The cost of one."""
        return state.rules.data.road_cost

    def domain(self, state: State, step: Building, seat: int) -> Domain | None:
        if seat != step.seat or not covers(state.hands[seat], self.cost(state)) or roads_left(state, seat) <= 0:
            return None
        mask = road_places(state, seat, state.board.edges_for(self.action is BuildBridge))
        return Places(self.action, mask) if mask else None

    def do(self, state: State, step: Building, seat: int, action: BuildRoad | BuildBridge, tx: Tx) -> None:
        pay(state, seat, self.cost(state))
        state.built = True
        place_road(state, seat, action.at, tx, free=False)

    def why(self, state: State, step: Step, seat: int, action: BuildRoad | BuildBridge) -> IllegalAction:
        if seat != getattr(step, "seat", -1):
            return out_of_turn(state, step, seat)
        edges = state.board.edges_for(self.action is BuildBridge)
        if 0 <= action.at < len(state.board.grid.edges) and road_places(state, seat, edges) >> action.at & 1:
            if roads_left(state, seat) <= 0:
                return NO_PIECES[Piece.ROAD](all=state.rules.data.roads)
            missing = unaffordable(state, seat, self.what, self.cost(state))
            if missing:
                return missing
        return refuse_road(state, seat, action.at, edges)


class Bridge(Road):
    """Build a bridge for its cost (K4)."""

    action = BuildBridge
    what = Piece.BRIDGE

    def cost(self, state: State) -> Hand:
        return state.rules.data.bridge_cost

    def domain(self, state: State, step: Building, seat: int) -> Domain | None:
        return super().domain(state, step, seat) if state.board.bridges else None


class Settlement(Move):
    """Build a settlement at the seat's own road (F3, F4)."""

    action = BuildSettlement
    undoable = True

    def domain(self, state: State, step: Building, seat: int) -> Domain | None:
        data = state.rules.data
        if seat != step.seat or not covers(state.hands[seat], data.settlement_cost):
            return None
        mask = settlement_places(state, seat)
        return Places(BuildSettlement, mask) if mask and settlements_left(state, seat) > 0 else None

    def do(self, state: State, step: Building, seat: int, action: BuildSettlement, tx: Tx) -> None:
        pay(state, seat, state.rules.data.settlement_cost)
        state.built = True
        place_settlement(state, seat, action.at, tx, free=False)

    def why(self, state: State, step: Step, seat: int, action: BuildSettlement) -> IllegalAction:
        if seat != getattr(step, "seat", -1):
            return out_of_turn(state, step, seat)
        data = state.rules.data
        if action.at >= 0 and settlement_places(state, seat) >> action.at & 1:
            if settlements_left(state, seat) <= 0:
                return NO_PIECES[Piece.SETTLEMENT](all=data.settlements)
            missing = unaffordable(state, seat, Piece.SETTLEMENT, data.settlement_cost)
            if missing:
                return missing
        return refuse_settlement(state, seat, action.at)


class City(Move):
    """Replace the seat's own settlement with a city (F5)."""

    action = BuildCity
    undoable = True

    def domain(self, state: State, step: Building, seat: int) -> Domain | None:
        mask = state.settlements[seat]
        if seat != step.seat or not mask or not covers(state.hands[seat], state.rules.data.city_cost):
            return None
        return Places(BuildCity, mask) if cities_left(state, seat) > 0 else None

    def do(self, state: State, step: Building, seat: int, action: BuildCity, tx: Tx) -> None:
        pay(state, seat, state.rules.data.city_cost)
        state.built = True
        place_city(state, seat, action.at, tx)

    def why(self, state: State, step: Step, seat: int, action: BuildCity) -> IllegalAction:
        if seat != getattr(step, "seat", -1):
            return out_of_turn(state, step, seat)
        data, grid = state.rules.data, state.board.grid
        if not 0 <= action.at < len(grid.nodes):
            return NO_SUCH_NODE()
        place = grid.node_names[action.at]
        if not state.settlements[seat] >> action.at & 1:
            return NO_SETTLEMENT(place=place)
        if cities_left(state, seat) <= 0:
            return NO_PIECES[Piece.CITY](all=data.cities)
        return unaffordable(state, seat, Piece.CITY, data.city_cost) or CITY_NOT_HERE(place=place)


class Buy(Move):
    """Buy a development card (F6). It is drawn when bought, which equals the top of a shuffled deck but needs no hidden
    order."""

    action = BuyCard

    def domain(self, state: State, step: Building, seat: int) -> Domain | None:
        if seat != step.seat or not covers(state.hands[seat], state.rules.data.card_cost) or not any(state.deck):
            return None
        return _BUY

    def do(self, state: State, step: Building, seat: int, action: BuyCard, tx: Tx) -> None:
        pay(state, seat, state.rules.data.card_cost)
        state.built = True
        card = tx.pick("deck", state.deck)
        state.deck[card] -= 1
        state.development_cards[seat][card] += 1
        state.fresh[seat][card] += 1
        tx.emit(CardBought(seat, Secret(card, 1 << seat)))

    def why(self, state: State, step: Step, seat: int, action: BuyCard) -> IllegalAction:
        if seat != getattr(step, "seat", -1):
            return out_of_turn(state, step, seat)
        if not any(state.deck):
            return NO_CARDS()
        return unaffordable(state, seat, "development card", state.rules.data.card_cost) or NO_PURCHASE_NOW()


_BUY = Single(BuyCard())
BUILDING: tuple[Move, ...] = (Road(), Settlement(), City(), Buy())
"""What can be built and bought in every scenario; `Bridge` is only for scenarios that have bridges."""

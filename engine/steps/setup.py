"""Setup (section C): two settlements with a road each, in turn order and back."""

from __future__ import annotations

from typing import ClassVar

from engine.actions import BuildBridge, BuildRoad, BuildSettlement, ChooseYield
from engine.domains import Domain, Places
from engine.errors import IllegalAction
from engine.events import Produced
from engine.geometry import bits
from engine.moves import receive
from engine.pieces import place_road, place_settlement, refuse_road, refuse_settlement
from engine.refusals import Listed, Refusal, refusal
from engine.resources import DESERT, hand
from engine.state import Move, State, Step, Tx, out_of_turn
from engine.step import PlacingView
from engine.steps.turn import NextTurn
from engine.terms import Piece, StepKind

SETTLEMENT_FIRST = refusal("wrong-phase/settlement", "Place a settlement first.")
ROAD_FIRST = refusal("wrong-phase/road", "Place a road at your new settlement first.")
YIELD_FIRST = refusal("wrong-phase/yield", "First choose which of your settlements gives your first cards.")
NOT_AT_SETTLEMENT = refusal(
    "not-at-settlement", "{place} doesn't touch the settlement you just placed at {settlement}."
)
NOT_YOURS = refusal("not-yours", "Choose one of your own settlements: {places}.")


class Setup(Step):
    """All placements: `order` lists the seats, `index` says whose turn it is, and `at` is the settlement that needs its
    road, or -1."""

    __slots__ = ("at", "index", "order")
    kind = StepKind.SETUP

    def __init__(self, order: tuple[int, ...], index: int = 0, at: int = -1) -> None:
        self.order = order
        self.index = index
        self.at = at

    def data(self) -> tuple[tuple[int, ...], int, int]:
        return (self.order, self.index, self.at)

    @property
    def seat(self) -> int:
        """The seat that places now; -1 when all have."""
        return self.order[self.index] if self.index < len(self.order) else -1

    def awaited(self, state: State) -> int:
        return 1 << self.seat if self.seat >= 0 else 0

    def view(self, state: State, seat: int | None) -> PlacingView:
        piece = Piece.SETTLEMENT if self.at < 0 else Piece.ROAD
        return PlacingView(self.kind, self.shown(state, seat), piece, self.index * 2 // len(self.order))

    def prompt(self) -> Refusal[IllegalAction]:
        return ROAD_FIRST if self.at >= 0 else SETTLEMENT_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        while self.seat >= 0 and state.resigned >> self.seat & 1:
            self.index += 1
            self.at = -1
        if self.seat >= 0:
            return False
        state.push(NextTurn(state.first))
        return True


def setup_order(first: int, players: int) -> tuple[int, ...]:
    """Clockwise from the first player, then back (C3)."""
    around = tuple((first + i) % players for i in range(players))
    return around + around[::-1]


class PlaceSettlement(Move):
    """Place a settlement anywhere the distance rule allows (C3, C4); the second one yields cards (C5)."""

    action = BuildSettlement
    undoable = True

    def domain(self, state: State, step: Setup, seat: int) -> Domain | None:
        if seat != step.seat or step.at >= 0:
            return None
        return Places(BuildSettlement, state.board.settle_mask & ~state.closed)

    def do(self, state: State, step: Setup, seat: int, action: BuildSettlement, tx: Tx) -> None:
        place_settlement(state, seat, action.at, tx, free=True)
        step.at = action.at
        if step.index * 2 >= len(step.order):
            starting_cards(state, seat, action.at, tx)

    def why(self, state: State, step: Setup, seat: int, action: BuildSettlement) -> IllegalAction:
        if seat != step.seat or step.at >= 0:
            return out_of_turn(state, step, seat)
        return refuse_settlement(state, seat, action.at, connected=False)


def starting_cards(state: State, seat: int, node: int, tx: Tx) -> None:
    """Give one card for each producing hex at a starting settlement (C5)."""
    cards = [0] * 5
    for h in state.board.grid.node_hexes[node]:
        terrain = state.board.terrain[h]
        if terrain < DESERT and state.bank[terrain] > cards[terrain]:
            cards[terrain] += 1
    receive(state, seat, hand(cards))
    tx.emit(Produced(seat, hand(cards), setup=True))


class PlaceRoad(Move):
    """Place a road that touches the settlement just placed (C3)."""

    action: ClassVar[type[BuildRoad] | type[BuildBridge]] = BuildRoad
    undoable = True

    def domain(self, state: State, step: Setup, seat: int) -> Domain | None:
        if seat != step.seat or step.at < 0:
            return None
        edges = state.board.edges_for(self.action is BuildBridge)
        mask = state.board.grid.node_edge_mask[step.at] & edges & ~state.paved
        return Places(self.action, mask) if mask else None

    def do(self, state: State, step: Setup, seat: int, action: BuildRoad | BuildBridge, tx: Tx) -> None:
        place_road(state, seat, action.at, tx, free=True)
        step.index += 1
        step.at = -1

    def why(self, state: State, step: Setup, seat: int, action: BuildRoad | BuildBridge) -> IllegalAction:
        if seat != step.seat or step.at < 0:
            return out_of_turn(state, step, seat)
        grid = state.board.grid
        if 0 <= action.at < len(grid.edges) and step.at not in grid.edges[action.at]:
            return NOT_AT_SETTLEMENT(place=grid.edge_names[action.at], settlement=grid.node_names[step.at])
        return refuse_road(state, seat, action.at, state.board.edges_for(self.action is BuildBridge))


class PlaceBridge(PlaceRoad):
    """Like `PlaceRoad`, on a sea edge (C4)."""

    action = BuildBridge


class ChooseYields(Step):
    """All players pick at the same time which starting settlement yields cards (A2, `beginner` in 1996)."""

    __slots__ = ("owing",)
    kind = StepKind.CHOOSE_YIELD

    def __init__(self, owing: int) -> None:
        self.owing = owing

    def data(self) -> tuple[int]:
        return (self.owing,)

    def awaited(self, state: State) -> int:
        return self.owing & state.active()

    def prompt(self) -> Refusal[IllegalAction]:
        return YIELD_FIRST

    def settle(self, state: State, tx: Tx) -> bool:
        if self.awaited(state):
            return False
        state.push(NextTurn(state.first))
        return True


class PickYield(Move):
    """Pick one of the seat's own settlements (A2)."""

    action = ChooseYield

    def domain(self, state: State, step: ChooseYields, seat: int) -> Domain | None:
        return Places(ChooseYield, state.settlements[seat]) if step.owing >> seat & 1 else None

    def do(self, state: State, step: ChooseYields, seat: int, action: ChooseYield, tx: Tx) -> None:
        step.owing &= ~(1 << seat)
        starting_cards(state, seat, action.at, tx)

    def why(self, state: State, step: ChooseYields, seat: int, action: ChooseYield) -> IllegalAction:
        if not step.owing >> seat & 1:
            return out_of_turn(state, step, seat)
        names = state.board.grid.node_names
        return NOT_YOURS(places=Listed([names[n] for n in bits(state.settlements[seat])], choice=True))

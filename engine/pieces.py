"""Where pieces can stand and what their placement changes (section F)."""

from __future__ import annotations

from engine.awards import award_road, measure_road
from engine.errors import IllegalAction
from engine.events import Built
from engine.geometry import bits
from engine.resources import GENERIC
from engine.state import State
from engine.terms import Piece
from engine.tx import Tx


def road_places(state: State, seat: int, edges: int) -> int:
    """Free edges out of `edges` where a seat may build (F2); the supply is not looked at."""
    nodes = (state.reach[seat] | state.settlements[seat] | state.cities[seat]) & ~state.opponents(seat)
    table, found = state.board.grid.node_edge_mask, 0
    while nodes:
        low = nodes & -nodes
        nodes ^= low
        found |= table[low.bit_length() - 1]
    return found & edges & ~state.paved


def settlement_places(state: State, seat: int) -> int:
    """Intersections where a seat may build a settlement (F3, F4)."""
    return state.reach[seat] & state.board.settle_mask & ~state.closed


def roads_left(state: State, seat: int) -> int:
    """Roads, bridges included, in the supply (F1)."""
    return state.rules.data.roads - state.roads[seat].bit_count()


def settlements_left(state: State, seat: int) -> int:
    """Settlements in the supply (F1)."""
    return state.rules.data.settlements - state.settlements[seat].bit_count()


def cities_left(state: State, seat: int) -> int:
    """Cities in the supply (F1)."""
    return state.rules.data.cities - state.cities[seat].bit_count()


def place_road(state: State, seat: int, edge: int, tx: Tx, free: bool) -> None:
    """A road, or on a sea edge a bridge, with what follows for the longest road."""
    state.roads[seat] |= 1 << edge
    state.paved |= 1 << edge
    state.reach[seat] |= state.board.grid.edge_node_mask[edge]
    measure_road(state, seat)
    piece = Piece.BRIDGE if state.board.bridge_mask >> edge & 1 else Piece.ROAD
    tx.emit(Built(seat, piece, edge, free))
    award_road(state, tx)


def place_settlement(state: State, seat: int, node: int, tx: Tx, free: bool) -> None:
    """A settlement, with what follows for harbors and the roads it interrupts."""
    state.settlements[seat] |= 1 << node
    state.buildings |= 1 << node
    state.closed |= state.board.blocks[node]
    update_rates(state, seat)
    tx.emit(Built(seat, Piece.SETTLEMENT, node, free))
    around = state.board.grid.node_edge_mask[node]
    cut = [s for s in range(state.players) if s != seat and (state.roads[s] & around).bit_count() > 1]
    for s in cut:
        measure_road(state, s)
    if cut:
        award_road(state, tx)


def place_city(state: State, seat: int, node: int, tx: Tx) -> None:
    """A city in place of an own settlement (F5)."""
    state.settlements[seat] &= ~(1 << node)
    state.cities[seat] |= 1 << node
    tx.emit(Built(seat, Piece.CITY, node))


def update_rates(state: State, seat: int) -> None:
    """Best maritime rates of a seat (E4): harbors at its buildings, as far as the rules leave them open."""
    rates, own = [4] * 5, state.settlements[seat] | state.cities[seat]
    for kind, nodes, hex_ in state.board.harbor_nodes:
        if own & nodes and not state.rules.harbor_shut(state, hex_):
            if kind == GENERIC:
                rates = [min(r, 3) for r in rates]
            else:
                rates[kind] = 2
    state.rates[seat] = rates


def refuse_road(state: State, seat: int, edge: int, edges: int) -> IllegalAction:
    """Why a road, or a bridge, can't stand on an edge out of `edges`."""
    grid = state.board.grid
    if not 0 <= edge < len(grid.edges):
        return IllegalAction("unknown-place", "There is no such edge on this board.")
    name = grid.edge_names[edge]
    if state.paved >> edge & 1:
        owner = next(s for s in range(state.players) if state.roads[s] >> edge & 1)
        whose = "you" if owner == seat else state.color(owner)
        return IllegalAction("occupied", f"{name} is taken by {whose}.", edge=edge, seat=owner)
    if not edges >> edge & 1:
        if state.board.bridge_mask >> edge & 1:
            return IllegalAction("wrong-piece", f"{name} lies between two sea hexes: it takes a bridge.", edge=edge)
        return IllegalAction("wrong-piece", f"No such piece can stand on {name}.", edge=edge)
    network = state.reach[seat] | state.settlements[seat] | state.cities[seat]
    for n in bits(grid.edge_node_mask[edge] & network & state.opponents(seat)):
        return IllegalAction(
            "blocked", f"The way to {name} is blocked by the building at {grid.node_names[n]}.", edge=edge
        )
    return IllegalAction("not-connected", f"{name} doesn't touch any of your roads or buildings.", edge=edge)


def refuse_settlement(state: State, seat: int, node: int, connected: bool = True) -> IllegalAction:
    """Why a settlement can't stand on an intersection; `connected`: it must touch an own road."""
    grid = state.board.grid
    if not 0 <= node < len(grid.nodes):
        return IllegalAction("unknown-place", "There is no such intersection on this board.")
    name = grid.node_names[node]
    if not state.board.settle_mask >> node & 1:
        return IllegalAction("no-land", f"{name} touches no land.", node=node)
    if state.buildings >> node & 1:
        whose = owner_name(state, seat, node)
        return IllegalAction("occupied", f"There is already {whose} at {name}.", node=node)
    for n in bits(state.board.blocks[node] & state.buildings):
        whose = owner_name(state, seat, n)
        return IllegalAction("too-close", f"{name} is next to {whose} at {grid.node_names[n]}.", node=node, other=n)
    if connected and not state.reach[seat] >> node & 1:
        return IllegalAction("not-connected", f"None of your roads leads to {name}.", node=node)
    return IllegalAction("not-here", f"A settlement can't be built at {name} now.", node=node)


def owner_name(state: State, seat: int, node: int) -> str:
    """A building in words, as `seat` would say it: "your settlement", "a blue city"."""
    owner = next(s for s in range(state.players) if (state.settlements[s] | state.cities[s]) >> node & 1)
    piece = "city" if state.cities[owner] >> node & 1 else "settlement"
    if owner == seat:
        return f"your {piece}"
    color = state.color(owner)
    return f"{'an' if color[0] in 'aeiou' else 'a'} {color} {piece}"

"""Where pieces can stand and what their placement changes (section F)."""

from __future__ import annotations

from engine.awards import award_road, measure_road
from engine.errors import IllegalAction
from engine.events import Built
from engine.geometry import bits
from engine.refusals import refusal
from engine.resources import GENERIC
from engine.state import State, Tx
from engine.terms import Piece


def road_places(state: State, seat: int, edges: int) -> int:
    """Free edges among `edges` where a seat can build (F2), whether or not it has roads left."""
    nodes = (state.reach[seat] | state.settlements[seat] | state.cities[seat]) & ~state.opponents(seat)
    table, found = state.board.grid.node_edge_mask, 0
    while nodes:
        low = nodes & -nodes
        nodes ^= low
        found |= table[low.bit_length() - 1]
    return found & edges & ~state.paved


def settlement_places(state: State, seat: int) -> int:
    """Intersections where a seat can build a settlement (F3, F4)."""
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
    """Place a road, or on a sea edge a bridge, and update the longest road."""
    state.roads[seat] |= 1 << edge
    state.paved |= 1 << edge
    state.reach[seat] |= state.board.grid.edge_node_mask[edge]
    measure_road(state, seat)
    piece = Piece.BRIDGE if state.board.bridge_mask >> edge & 1 else Piece.ROAD
    tx.emit(Built(seat, piece, edge, free))
    award_road(state, tx)


def place_settlement(state: State, seat: int, node: int, tx: Tx, free: bool) -> None:
    """Place a settlement, and update what follows from harbors and from the roads that it interrupts."""
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
    """Replace one of the seat's settlements with a city (F5)."""
    state.settlements[seat] &= ~(1 << node)
    state.cities[seat] |= 1 << node
    tx.emit(Built(seat, Piece.CITY, node))


def update_rates(state: State, seat: int) -> None:
    """Update a seat's rates with the bank (E4), from the harbors at its buildings that the rules leave open."""
    rates, own = [4] * 5, state.settlements[seat] | state.cities[seat]
    for kind, nodes, hex_ in state.board.harbor_nodes:
        if own & nodes and not state.rules.harbor_shut(state, hex_):
            if kind == GENERIC:
                rates = [min(r, 3) for r in rates]
            else:
                rates[kind] = 2
    state.rates[seat] = rates


NO_SUCH_EDGE = refusal("unknown-place/edge", "There is no such edge on this board.")
NO_SUCH_NODE = refusal("unknown-place/node", "There is no such corner on this board.")
OCCUPIED = refusal("occupied", "{place} is taken by {owner}.")
OCCUPIED_BY_YOU = refusal("occupied/own", "{place} is yours already.")
NO_SEA_EDGE = refusal("wrong-piece/bridge", "{place} isn't a sea edge: build a road there.")
SEA_EDGE = refusal("wrong-piece/road", "{place} has sea on both sides: only a bridge can go there.")
WAY_BLOCKED = refusal("blocked", "{owner}'s building at {other} blocks your way to {place}.")
ROAD_NOT_CONNECTED = refusal("not-connected/road", "{place} doesn't touch any of your roads, settlements or cities.")
OPEN_WATER = refusal("no-land", "{place} is in open water: a settlement needs land next to it.")
TOO_CLOSE = {
    Piece.SETTLEMENT: refusal(
        "too-close/settlement", "{place} is next to {owner}'s settlement at {other}: leave a free corner between."
    ),
    Piece.CITY: refusal("too-close/city", "{place} is next to {owner}'s city at {other}: leave a free corner between."),
}
TOO_CLOSE_TO_OWN = {
    Piece.SETTLEMENT: refusal(
        "too-close/own settlement", "{place} is next to your own settlement at {other}: leave a free corner between."
    ),
    Piece.CITY: refusal(
        "too-close/own city", "{place} is next to your own city at {other}: leave a free corner between."
    ),
}
NO_ROAD_TO = refusal("not-connected/settlement", "No road of yours reaches {place}.")
SETTLEMENT_NOT_HERE = refusal("not-here/settlement", "A settlement can't be built at {place} now.")


def refuse_road(state: State, seat: int, edge: int, edges: int) -> IllegalAction:
    """Why a road or bridge can't be placed on an edge; `edges` is the mask of the edges that take one."""
    board, grid = state.board, state.board.grid
    if not 0 <= edge < len(grid.edges):
        return NO_SUCH_EDGE()
    place = grid.edge_names[edge]
    if state.paved >> edge & 1:
        owner = next(s for s in range(state.players) if state.roads[s] >> edge & 1)
        return OCCUPIED_BY_YOU(place=place) if owner == seat else OCCUPIED(place=place, owner=state.player(owner))
    if not edges >> edge & 1:
        return NO_SEA_EDGE(place=place) if edges == board.bridge_mask else SEA_EDGE(place=place)
    network = state.reach[seat] | state.settlements[seat] | state.cities[seat]
    for node in bits(grid.edge_node_mask[edge] & network & state.opponents(seat)):
        owner, _ = building_at(state, node)
        return WAY_BLOCKED(place=place, owner=state.player(owner), other=grid.node_names[node])
    return ROAD_NOT_CONNECTED(place=place)


def refuse_settlement(state: State, seat: int, node: int, connected: bool = True) -> IllegalAction:
    """Why a settlement can't be placed on an intersection; `connected`: it must touch one of the seat's roads."""
    grid = state.board.grid
    if not 0 <= node < len(grid.nodes):
        return NO_SUCH_NODE()
    place = grid.node_names[node]
    if not state.board.settle_mask >> node & 1:
        return OPEN_WATER(place=place)
    if state.buildings >> node & 1:
        owner, _ = building_at(state, node)
        return OCCUPIED_BY_YOU(place=place) if owner == seat else OCCUPIED(place=place, owner=state.player(owner))
    for near in bits(state.board.blocks[node] & state.buildings):
        owner, piece = building_at(state, near)
        if owner == seat:
            return TOO_CLOSE_TO_OWN[piece](place=place, other=grid.node_names[near])
        return TOO_CLOSE[piece](place=place, owner=state.player(owner), other=grid.node_names[near])
    if connected and not state.reach[seat] >> node & 1:
        return NO_ROAD_TO(place=place)
    return SETTLEMENT_NOT_HERE(place=place)


def building_at(state: State, node: int) -> tuple[int, Piece]:
    """The owner and the kind of the building at an intersection."""
    owner = next(s for s in range(state.players) if (state.settlements[s] | state.cities[s]) >> node & 1)
    return owner, Piece.CITY if state.cities[owner] >> node & 1 else Piece.SETTLEMENT

"""Longest road and largest army (section I)."""

from __future__ import annotations

from engine.events import AwardMoved
from engine.geometry import Grid, bits
from engine.resources import KNIGHT
from engine.state import State, Tx
from engine.terms import Award


def longest_trail(grid: Grid, roads: int, blocked: int) -> int:
    """Length of the longest trail over the edges `roads`. It can end at `blocked` intersections, not pass them (I1).

    A longest trail ends where an odd number of roads meet or at a blocked intersection, or it is closed and uses its
    whole component. So only those places are tried as starts.
    """
    best = 0
    todo = roads
    node_edges, edges, node_edge_mask = grid.node_edge_mask, grid.edges, grid.node_edge_mask

    def walk(node: int, left: int, length: int) -> None:
        nonlocal best
        if length > best:
            best = length
        if length and blocked >> node & 1:
            return
        ways = node_edges[node] & left
        while ways:
            low = ways & -ways
            ways ^= low
            a, b = edges[low.bit_length() - 1]
            walk(b if a == node else a, left ^ low, length + 1)

    while todo:
        # one component at a time; that it joins roads across blocked intersections costs time but changes nothing
        component, frontier, nodes = 0, todo & -todo, 0
        while frontier:
            component |= frontier
            found = 0
            for e in bits(frontier):
                for n in edges[e]:
                    nodes |= 1 << n
                    found |= node_edge_mask[n]
            frontier = found & roads & ~component
        todo &= ~component
        if component.bit_count() <= best:
            continue
        starts = [n for n in bits(nodes) if blocked >> n & 1 or (node_edges[n] & component).bit_count() & 1]
        for n in starts or [(nodes & -nodes).bit_length() - 1]:
            walk(n, component, 0)
            if best == component.bit_count():
                break
    return best


def measure_road(state: State, seat: int) -> None:
    """Update a seat's road length."""
    state.road_length[seat] = longest_trail(state.board.grid, state.roads[seat], state.opponents(seat))


def award_road(state: State, tx: Tx) -> None:
    """Give the longest road to the right seat, or to none, after lengths have changed (I1, I2)."""
    least = state.rules.data.road_award
    lengths = [0 if state.resigned >> s & 1 else n for s, n in enumerate(state.road_length)]
    best = max(lengths)
    holder = state.longest
    if best < least:
        winner = -1
    elif holder >= 0 and lengths[holder] == best:
        winner = holder
    else:
        leaders = [s for s, n in enumerate(lengths) if n == best]
        winner = leaders[0] if len(leaders) == 1 else -1
    if winner != holder:
        state.longest = winner
        tx.emit(AwardMoved(Award.LONGEST_ROAD, _seat(holder), _seat(winner), best))


def award_army(state: State, seat: int, tx: Tx) -> None:
    """Give the largest army to `seat` if it has earned it: strictly more knights than any other active seat (I3).

    After its holder has resigned, seats can be tied for it while no one holds it (I7).
    """
    knights, holder = state.played[seat][KNIGHT], state.army
    if knights < state.rules.data.army_award or holder == seat or state.resigned >> seat & 1:
        return
    if all(knights > state.played[other][KNIGHT] for other in bits(state.active() & ~(1 << seat))):
        state.army = seat
        tx.emit(AwardMoved(Award.LARGEST_ARMY, _seat(holder), seat, knights))


def recount_army(state: State, tx: Tx) -> None:
    """Count the largest army again after a player has resigned (I7).

    A holder who still plays keeps it. Otherwise a single largest army of at least three gets it, even if no one held it
    before because of a tie.
    """
    holder = state.army
    if state.rules.data.army_stays_aside if holder < 0 else not state.resigned >> holder & 1:
        return
    best = max((state.played[s][KNIGHT] for s in bits(state.active())), default=0)
    leaders = [s for s in bits(state.active()) if state.played[s][KNIGHT] == best]
    winner = leaders[0] if len(leaders) == 1 and best >= state.rules.data.army_award else -1
    if winner != holder:
        state.army = winner
        tx.emit(AwardMoved(Award.LARGEST_ARMY, _seat(holder), _seat(winner), best))


def _seat(number: int) -> int | None:
    return None if number < 0 else number

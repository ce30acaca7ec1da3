"""Legal places, best first, for suggestions and pickers. The order depends only on what the viewer sees."""

from __future__ import annotations

from collections.abc import Iterable

from engine.board import pips
from engine.geometry import bits
from engine.resources import DESERT, GENERIC
from engine.views import PlayerView, View


def rank_intersections(view: View, nodes: Iterable[int]) -> list[int]:
    """Intersections by pips, new kinds of resources and harbors."""
    return sorted(nodes, key=lambda n: (-intersection_value(view, n), n))


def rank_edges(view: View, edges: Iterable[int]) -> list[int]:
    """Edges by the best place to settle that they lead to, directly or one edge further."""
    return sorted(edges, key=lambda e: (-edge_value(view, e), e))


def rank_hexes(view: View, hexes: Iterable[int]) -> list[int]:
    """Hexes for the robber: by what opponents lose there, leaders first, less what the viewer would lose."""
    return sorted(hexes, key=lambda h: (-hex_value(view, h), h))


def intersection_value(view: View, node: int) -> float:
    """Pips, 1.5 for each kind of resource that the viewer doesn't produce yet, 1 or 2 for a harbor."""
    board = view.board
    kinds = {board.terrain[h] for h in board.grid.node_hexes[node] if board.tokens[h]}
    harbors = sum(1.0 if kind == GENERIC else 2.0 if kind in kinds else 1.0 for kind in board.harbors_at(node))
    return board.pips_at(node) + 1.5 * len(kinds - _produced(view)) + harbors


def _produced(view: View) -> set[int]:
    """Kinds of resources that the viewer produces."""
    board = view.board
    if view.seat is None:
        return set()
    mine = view.players[view.seat]
    return {
        board.terrain[h]
        for n in bits(mine.settlements | mine.cities)
        for h in board.grid.node_hexes[n]
        if board.tokens[h]
    }


def edge_value(view: View, edge: int) -> float:
    """The value of the best free intersection at the edge's ends, or 0.6 of it one edge further."""
    grid = view.board.grid
    best = 0.0
    for node in grid.edges[edge]:
        if view.free_intersections >> node & 1:
            best = max(best, intersection_value(view, node))
        for further in grid.node_edges[node]:
            for beyond in grid.edges[further]:
                if further != edge and view.free_intersections >> beyond & 1:
                    best = max(best, 0.6 * intersection_value(view, beyond))
    return best


def hex_value(view: View, hex_: int) -> float:
    """Pips lost by opponents (a city twice) with a weight for their points, less what the viewer would lose.

    One point more if an opponent there has a card to steal.
    """
    board = view.board
    weight = pips(board.tokens[hex_]) if board.terrain[hex_] < DESERT else 0.2
    value, takes = 0.0, False
    for player in view.players:
        stake = _stake(player, board.hex_node_mask[hex_])
        if player.seat == view.seat:
            value -= 2 * weight * stake
        elif stake and not player.resigned:
            value += weight * stake * (1 + player.points / 10)
            takes = takes or player.hand_size > 0
    return value + takes


def _stake(player: PlayerView, nodes: int) -> int:
    return (player.settlements & nodes).bit_count() + 2 * (player.cities & nodes).bit_count()

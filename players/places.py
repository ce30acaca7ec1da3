"""Places that a seat can choose, the best first, by what it sees."""

from __future__ import annotations

from collections.abc import Iterable

from engine.board import pips
from engine.resources import DESERT
from engine.views import PlayerView, View
from players.survey import survey_of


def rank_intersections(view: View, nodes: Iterable[int]) -> list[int]:
    """Intersections by what they bring."""
    return sorted(nodes, key=lambda n: (-site_worth(view, n), n))


def rank_edges(view: View, edges: Iterable[int]) -> list[int]:
    """Edges by the best place to settle that they lead to, directly or one edge further."""
    return sorted(edges, key=lambda e: (-edge_worth(view, e), e))


def rank_hexes(view: View, hexes: Iterable[int]) -> list[int]:
    """Hexes for the robber: by what opponents lose there, leaders first, less what the viewer would lose."""
    return sorted(hexes, key=lambda h: (-hex_worth(view, h), h))


def site_worth(view: View, node: int) -> float:
    """What an intersection brings to the viewer: pips, more for resources that they lack, and better rates."""
    survey = survey_of(view.board)
    if view.seat is None:
        return float(survey.total[node])
    mine = view.players[view.seat]
    has = survey.brought(mine.settlements | mine.cities)
    more = [a + b for a, b in zip(has, survey.yields[node], strict=True)]
    return survey.worth(node, has) + survey.saved(node, mine.rates, more)


def edge_worth(view: View, edge: int) -> float:
    """What the best free intersection at the edge's ends brings, or 0.6 of it one edge further."""
    grid = view.board.grid
    best = 0.0
    for node in grid.edges[edge]:
        if view.free_intersections >> node & 1:
            best = max(best, site_worth(view, node))
        for further in grid.node_edges[node]:
            for beyond in grid.edges[further]:
                if further != edge and view.free_intersections >> beyond & 1:
                    best = max(best, 0.6 * site_worth(view, beyond))
    return best


def hex_worth(view: View, hex_: int) -> float:
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

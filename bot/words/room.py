"""Where the viewer has room to build by what they see, no matter what they hold or whose turn it is."""

from __future__ import annotations

from engine.geometry import bits
from engine.rules import data_of
from engine.terms import Piece
from engine.views import PlayerView, View

KEEP = "keep-a-settlement"
"""The alternate rule that keeps the last settlement (L7)."""


def places(view: View, piece: str) -> int:
    """Mask of the places where one of the viewer's pieces of a kind could stand next (F2-F5, L7)."""
    assert view.seat is not None
    me = view.players[view.seat]
    if piece == Piece.SETTLEMENT:
        return ends(view, me) & view.free_intersections
    if piece == Piece.CITY:
        return 0 if is_last(view, me) else me.settlements
    paved = others = 0
    for player in view.players:
        paved |= player.roads
        others |= 0 if player is me else player.settlements | player.cities
    reach = (ends(view, me) | me.settlements | me.cities) & ~others
    edges = sum(1 << edge for edge, nodes in enumerate(view.board.grid.edge_node_mask) if nodes & reach)
    return edges & ~paved & (view.board.bridge_mask if piece == Piece.BRIDGE else view.board.road_mask)


def ends(view: View, player: PlayerView) -> int:
    """Mask of the intersections at the ends of a player's roads."""
    found = 0
    for edge in bits(player.roads):
        found |= view.board.grid.edge_node_mask[edge]
    return found


def is_last(view: View, player: PlayerView) -> bool:
    """Whether a player's only settlement must stay (L7), as a city in its place wouldn't win."""
    points = player.points if player.all_points is None else player.all_points
    wins = view.on_turn == player.seat and points + 1 >= data_of(view.config).target
    return KEEP in view.config.variants and player.settlements.bit_count() == 1 and not wins

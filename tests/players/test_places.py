"""What is offered first: intersections by their dots, edges by where they lead, hexes by whom the robber hurts."""

from __future__ import annotations

from dataclasses import replace

from players import places
from tests.bot.screens.tables import view, with_player

VIEW = view()
GRID = VIEW.board.grid


def test_intersections_are_ranked_by_dots_first() -> None:
    ranked = places.rank_intersections(VIEW, range(len(GRID.nodes)))
    dots = [VIEW.board.pips_at(n) for n in ranked]
    assert dots[0] >= 10
    assert dots[-1] <= 2


def test_edges_are_ranked_by_what_they_lead_to() -> None:
    mine = with_player(replace(VIEW, seat=0), 0, settlements=1 << GRID.node_names.index("C4"))
    ranked = places.rank_edges(mine, GRID.node_edges[GRID.node_names.index("C4")])
    assert [places.edge_worth(mine, e) for e in ranked] == sorted(
        (places.edge_worth(mine, e) for e in ranked), reverse=True
    )


def test_for_the_robber_opponents_hexes_are_ranked_before_the_players_own() -> None:
    good, own_hex = GRID.hex_names.index("2.2"), GRID.hex_names.index("4.1")
    table = with_player(replace(VIEW, seat=0), 0, settlements=1 << GRID.hex_nodes[own_hex][0])
    table = with_player(table, 1, settlements=1 << GRID.hex_nodes[good][3], hand_size=2)
    ranked = places.rank_hexes(table, range(len(GRID.hexes)))
    assert good in ranked[:3]
    assert ranked[-1] == own_hex

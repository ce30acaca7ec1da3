"""A page with a board's graphics and the pieces of a view, as a player of games puts them together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.geometry import bits
from engine.views import View
from render import svg


def page(view: View, palette: str = "standard", names: str = "") -> str:
    """A page that shows nothing but the board, as wide as its window."""
    style = f"body{{margin:0}}svg{{display:block;width:100%}}{svg.css()}"
    around = f'data-palette="{palette}" data-names="{names}"'
    return f"<!doctype html><meta charset=utf-8><style>{style}</style><body {around}>{graphics(view)}"


def graphics(view: View) -> str:
    """The board with the pieces of a view, and marks of what is new."""
    drawn = svg.drawing(view.board)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{drawn.view_box}">'
        f"{drawn.symbols}{drawn.land}{''.join(_pieces(view, drawn.places))}{drawn.names}</svg>"
    )


def ids(markup: str) -> set[str]:
    """The ids in a text."""
    return set(re.findall(r' id="([^"]+)"', markup))


def _pieces(view: View, places: dict[str, list[svg.Place]]) -> Iterator[str]:
    edges, nodes, hexes = places["edge"], places["node"], places["hex"]
    for e in bits(view.changes.edges):
        yield _use(f"new-road{edges[e][2]}", edges[e])
    for n in bits(view.changes.nodes):
        yield _use("new-building", nodes[n])
    if (before := view.changes.robber) >= 0:
        yield _use(f"new-robber-{hexes[view.robber][2]}", hexes[view.robber])
        yield _use(f"old-robber-{hexes[before][2]}", hexes[before])
    for player in view.players:
        for e in bits(player.roads):
            kind = "bridge" if view.board.bridge_mask >> e & 1 else "road"
            yield _use(f"{kind}{edges[e][2]}", edges[e], player.color)
    for player in view.players:
        for kind, mask in (("settlement", player.settlements), ("city", player.cities)):
            for n in bits(mask):
                yield _use(kind, nodes[n], player.color)
    if view.robber >= 0:
        yield _use(f"robber-{hexes[view.robber][2]}", hexes[view.robber])


def _use(id_: str, at: svg.Place, owner: str = "") -> str:
    return f'<use href="#{id_}" x="{at[0]}" y="{at[1]}" class="{owner}"/>'

"""Small tags with the names of places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from engine.geometry import bits
from render.fonts import drop, font, text
from render.ink import Ink, Point
from render.layout import Layout
from render.palette import INK, PAPER


@dataclass(frozen=True, slots=True)
class Labels:
    """Places to name, as masks of intersections, edges and hexes of the board's grid."""

    nodes: int = 0
    edges: int = 0
    hexes: int = 0

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges or self.hexes)


def size(radius: float) -> int:
    """Height of the letters' em, in pixels."""
    return round(max(18.0, min(32.0, 0.29 * radius)))


@lru_cache(maxsize=1024)
def tag(name: str, height: int) -> Image.Image:
    """A name on a light tag with a dark rim; all tags of one size are equally high."""
    word = text(name, height, INK)
    tall = round(height * 1.12)
    wide = max(round(font(height).getlength(name) + height * 0.42), tall)
    ink = Ink(wide, tall, origin=(0, 0))
    ink.box(0, 0, wide, tall, INK, height * 0.34)
    ink.box(2, 2, wide - 4, tall - 4, PAPER, height * 0.34 - 2)
    image = ink.image()
    figure = text("0", height, INK).height
    image.alpha_composite(word, ((wide - word.width) // 2, (tall - figure) // 2 + drop(name, height)))
    return image


def places(layout: Layout, labels: Labels) -> list[tuple[str, Point]]:
    """The names to write, and the middles of their tags."""
    grid = layout.board.grid
    out = [(grid.edge_names[e], layout.edge(e)) for e in bits(labels.edges)]
    out += [(grid.node_names[n], layout.node(n)) for n in bits(labels.nodes)]
    signs = {harbor.hex: layout.harbor(harbor) for harbor in layout.board.harbors}
    least = size(layout.radius)
    for h in bits(labels.hexes):
        x, y = signs.get(h) or layout.hex(h)
        if h in signs or layout.board.tokens[h]:
            y = max(y - 0.52 * layout.radius, least)
        out.append((grid.hex_names[h], (x, y)))
    return out

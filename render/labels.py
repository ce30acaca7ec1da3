"""Small tags with the names of places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from PIL import Image

from engine.geometry import bits
from render.fonts import drop, font, text
from render.ink import Ink
from render.layout import Layout
from render.palette import THEMES, USUAL, Look
from render.pen import Point


@dataclass(frozen=True, slots=True)
class Labels:
    """Places to name, as masks of intersections, edges and hexes of the board's grid."""

    nodes: int = 0
    edges: int = 0
    hexes: int = 0

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges or self.hexes)


LARGEST = 42
"""Largest em of the letters in the usual look, in pixels."""


def size(radius: float) -> int:
    """Em of the letters on a board with hexes of that radius, both in pixels."""
    return round(max(18.0, min(32.0, 0.29 * radius)))


@lru_cache(maxsize=1024)
def tag(name: str, height: int, dark: bool = False) -> Image.Image:
    """A name on a light tag with a dark rim; all tags with the same font size are equally high."""
    theme = THEMES[dark]
    word = text(name, height, theme.ink)
    tall = round(height * 1.12)
    wide = max(round(font(height).getlength(name) + height * 0.42), tall)
    ink = Ink(wide, tall, origin=(0, 0))
    ink.box(0, 0, wide, tall, theme.ink, height * 0.34)
    ink.box(2, 2, wide - 4, tall - 4, theme.paper, height * 0.34 - 2)
    image = ink.image()
    figure = text("0", height, theme.ink).height
    image.alpha_composite(word, ((wide - word.width) // 2, (tall - figure) // 2 + drop(name, height)))
    return image


def height(layout: Layout, labels: Labels, look: Look = USUAL) -> int:
    """Em of the letters for these labels, in pixels. It is larger if they are few enough to have room."""
    least = size(layout.radius)
    if labels.hexes:  # their tags are close to the number tokens
        return least
    named = places(layout, labels)
    larger = [min(round(factor * least), LARGEST) for factor in (1.6, 1.4, 1.2)]
    heights = sorted({*larger, *map(look.scaled, (*larger, least))}, reverse=True)
    return next((tall for tall in heights if _fits(layout, named, tall)), least)


def _fits(layout: Layout, named: list[tuple[str, Point]], tall: int) -> bool:
    """Whether tags of this height stay inside the picture, off each other and off the numbers."""
    boxes = []
    for name, (x, y) in named:
        width, depth = tag(name, tall).size
        boxes.append((x - width / 2, y - depth / 2, x + width / 2, y + depth / 2))
    inside = all(a >= 0 and b >= 0 and c <= layout.width and d <= layout.height for a, b, c, d in boxes)
    pairs = (*combinations(boxes, 2), *product(boxes, _numbers(layout)))
    return inside and not any(
        one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3] for one, two in pairs
    )


def _numbers(layout: Layout) -> list[tuple[float, float, float, float]]:
    """The boxes of the numbers on tokens."""
    found, tall = [], layout.sizes.digits
    for h, number in enumerate(layout.board.tokens):
        if number:
            (x, y), half = layout.hex(h), 0.78 if number > 9 else 0.42
            found.append((x - half * tall, y - 0.7 * tall, x + half * tall, y + 0.4 * tall))
    return found


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

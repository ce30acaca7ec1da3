"""The board as scalable vector graphics, with the geometry, colors and marks of the picture.

A page puts a `Drawing` into something of the class `board`: first its symbols, then the land, the pieces, and the
names, in one `<svg>` or in several that lie upon each other. A piece is a `<use>` of a symbol with its place as x and
y, in the class of its owner's color:

- on an edge `road90`, `road-30` or `road30`, by the edge's angle, and likewise `bridge90` ...
- on an intersection `settlement` or `city`
- on a hex `robber-8`, or what else the hex's key says

What has just changed has marks, which go under all pieces: `new-road90` ... (for bridges, too), `new-building`,
`new-robber-8` ... and, where the robber was, `old-robber-8` ...; `golden-8` on a hex that has just given cards. The
colors are those of `css`. No words are in the graphics: the page gives the `<svg>` its role and its label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import degrees, dist, sqrt

from engine.board import Board
from engine.resources import SEA, TERRAINS
from render import labels
from render.layout import Layout, layout
from render.palette import FOAM, MARKS, PLAYERS, SAND, SEAS, SHADE, THEMES, USUAL, Color, PaletteName, Theme
from render.pen import ANGLES, Point, hexagon
from render.sea import BEACH, REACHES, SHADOW, waves
from render.sizes import PICTURE
from render.symbols import DIGIT, OWNERS, RATES, land, livery, name, paints, symbols
from render.terrain import FOAMY, GROUND
from render.trace import Trace, decimal, markup

Place = Sequence[float | str]

_STYLE = (
    ".board{fill:currentColor;forced-color-adjust:none;text-anchor:middle;"
    "font-family:system-ui,sans-serif;font-weight:800}"
    ".line{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}"
    ".edge{stroke:currentColor;stroke-linejoin:round}"
    ".cut{stroke-linecap:butt}"
    "svg .names{display:none;color:var(--ink);paint-order:stroke;pointer-events:none;"
    "stroke:var(--paper);stroke-width:.3em;stroke-linejoin:round}"
    "[data-names~=nodes] .nodes,[data-names~=edges] .edges,[data-names~=hexes] .hexes{display:inline}"
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board's graphics. Places are by the ids of the board's grid, in units of the view box."""

    view_box: str
    symbols: str
    """Every piece that can stand on the board, and what the land is made of."""
    land: str
    """Sea, hexes, numbers and harbors, which never change."""
    names: str
    """The names of intersections, edges, and hexes with land or a harbor, in groups of the classes `nodes`, `edges` and
    `hexes`. A group is hidden until something around it has its class in `data-names`."""
    places: dict[str, list[Place]]
    """`node`: x and y. `edge`: x, y, and the angle in degrees, clockwise from the east. `hex`: x, y, and the key of
    what is in its middle: a number, the resource of a harbor, `any` for a 3:1 harbor, or `none`."""
    reach: float
    """No piece or mark reaches further from its place."""


@lru_cache(maxsize=64)
def drawing(board: Board) -> Drawing:
    """The graphics of a board without pieces."""
    place = layout(board, PICTURE)
    return Drawing(
        view_box=f"0 0 {place.width} {place.height}",
        symbols=f"<defs>{symbols(place.sizes)}</defs>",
        land=_sea(place) + _land(place),
        names=_names(place),
        places=_places(place),
        reach=round(place.radius, 1),
    )


def _places(place: Layout) -> dict[str, list[Place]]:
    grid = place.board.grid
    return {
        "node": [_short(place.node(n)) for n in range(len(grid.nodes))],
        "edge": [[*_short(place.edge(e)), round(degrees(ANGLES[place.slant(e)]))] for e in range(len(grid.edges))],
        "hex": [[*_short(place.hex(h)), _key(place.board, h)] for h in range(len(grid.hexes))],
    }


def _short(at: Point) -> list[float]:
    return [round(x, 1) for x in at]


def _key(board: Board, h: int) -> str:
    """What is in the middle of a hex, as in the ids of symbols."""
    kinds = {harbor.hex: harbor.kind for harbor in board.harbors}
    return list(RATES)[kinds[h]] if h in kinds else str(board.tokens[h] or "none")


def _sea(place: Layout) -> str:
    """The sea with waves, shallows and beach, and the foam on its edges if there are bridges."""
    radius = place.radius
    coast = [place.hex(h) for h, t in enumerate(place.board.terrain) if t != SEA]
    outline = Trace(radius)
    for outline.origin in coast:
        outline.fill(hexagon(1), SAND)
    parts = [f'<defs><path id="land" d="{"".join(shape.path for shape in outline.shapes)}"/></defs>']
    parts.append(f'<path class="{name(land(SEAS[0]))}" d="M0 0h{place.width}v{place.height}H0z"/>')
    parts += (_use("wave", at) for at in waves(place) if all(dist(at, middle) > 1.1 * radius for middle in coast))
    parts += (_grown(place, reach, color) for reach, color in zip(REACHES, SEAS[1:], strict=True))
    parts += (_grown(place, BEACH, SHADE, SHADOW * radius), _grown(place, BEACH, SAND), _foam(place))
    return "".join(parts)


def _grown(place: Layout, reach: float, color: Color, y: float = 0.0) -> str:
    """A line along the sides of all land hexes, which reaches that many hex radii to both sides of them."""
    width = decimal(2 * reach * place.radius)
    return f'<use href="#land" y="{decimal(y)}" class="{name(land(color))} line" stroke-width="{width}"/>'


def _foam(place: Layout) -> str:
    board, foam = place.board, Trace()
    for e, hexes in enumerate(board.grid.edge_hexes if board.whole else ()):
        if all(board.terrain[h] == SEA for h in hexes):
            foam.line(place.ends(e), FOAMY * place.radius, FOAM)
    return markup(foam, foam, lambda paint: name(land(paint[0])))


def _land(place: Layout) -> str:
    """Land with its paths, piers, harbor signs and tokens, from bottom to top."""
    board, kinds = place.board, list(RATES)
    parts = [_use(TERRAINS[t], place.hex(h)) for h, t in enumerate(board.terrain) if t != SEA]
    parts.append(_grown(place, (1 - GROUND) * sqrt(3) / 2, SAND))  # over drawings that reach beyond their hex
    parts += (_use("piers", place.harbor(h), 60 * h.side) for h in board.harbors if h.side is not None)
    for harbor in board.harbors:
        state = "shut" if harbor.side is None else "harbor"
        parts.append(_use(f"{state}-{kinds[harbor.kind]}", place.harbor(harbor)))
    parts += (_use(f"token-{number}", place.hex(h)) for h, number in enumerate(board.tokens) if number)
    return "".join(parts)


def _use(id_: str, at: Point, turn: int = 0) -> str:
    x, y = map(decimal, at)
    if turn:
        return f'<use href="#{id_}" transform="translate({x} {y})rotate({turn})"/>'
    return f'<use href="#{id_}" x="{x}" y="{y}"/>'


def _names(place: Layout) -> str:
    board, grid, size = place.board, place.board.grid, labels.size(place.radius)
    every = {
        "edges": labels.Labels(edges=(1 << len(grid.edges)) - 1),
        "nodes": labels.Labels(nodes=(1 << len(grid.nodes)) - 1),
        "hexes": labels.Labels(hexes=board.land_mask | board.harbor_mask),
    }
    found = ""
    for class_, named in every.items():
        words = (
            f'<text x="{round(x)}" y="{round(y + size * DIGIT / 2)}">{word}</text>'
            for word, (x, y) in labels.places(place, named)
        )
        found += f'<g class="names {class_}" font-size="{size}">{"".join(words)}</g>'
    return found


def css() -> str:
    """The style sheet for all boards: for light and dark by the reader's system, and for the palette of players that
    something around the board has as `data-palette`."""
    themes = zip(Theme._fields, THEMES[False], THEMES[True], strict=True)
    rules = {f":root{{--{field}:%s}}": (light, dark) for field, light, dark in themes}
    flat = {paint: class_ for paint, class_ in paints().items() if class_ and not class_.startswith("owner-")}
    rules |= {f".{class_}{{color:%s}}": paint for paint, class_ in flat.items()}
    light = "".join(rule % _hex(paint[0]) for rule, paint in rules.items())
    dark = "".join(rule % _hex(paint[1]) for rule, paint in rules.items() if paint[0] != paint[1])
    owners = "".join(f".owner-{shade}{{color:var(--{shade})}}" for shade in OWNERS)
    marks = "".join(f".mark-{color}{{display:var(--mark-{color},none)}}" for color in MARKS)
    players = "".join(map(_players, PLAYERS))
    return f"{_STYLE}{light}@media(prefers-color-scheme:dark){{{dark}}}{owners}{marks}{players}"


def _players(palette: PaletteName) -> str:
    """The custom properties of each color's class; its mark is shown, too."""
    around = f"[data-palette={palette}] " if palette != USUAL.palette else ""
    found = ""
    for color, body in PLAYERS[palette].items():
        shades = "".join(f"--{shade}:{_hex(value)};" for shade, value in zip(OWNERS, livery(body), strict=True))
        found += f"{around}.{color}{{{shades}--mark-{color}:inline}}"
    return found


def _hex(color: Color) -> str:
    return "#" + bytes(color).hex()

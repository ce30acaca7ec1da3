"""What the graphics of a board are made of: a symbol for each drawing, and the style sheet with all colors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import degrees

from engine.resources import GENERIC, RESOURCES, SEA, TERRAINS
from engine.terms import Piece
from render import harbors, pieces, robber, terrain, tokens
from render.fonts import em, font, tight
from render.layout import ALONE, SINK
from render.palette import (
    BLOCKED,
    FOAM,
    GOLD,
    INK,
    MARKS,
    SAND,
    SEAS,
    SHADE,
    WAVE,
    Color,
    dimmed,
    lit,
    on,
    shaded,
)
from render.pen import ANGLES, Pen
from render.sea import crest
from render.sizes import PICTURE, WIDE, Sizes, sizes
from render.trace import Name, Paint, Trace, decimal, markup

Symbol = tuple[str, str]
"""An id and its markup."""
NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
RATES = {"any" if kind == GENERIC else RESOURCES[kind]: kind for kind in range(GENERIC + 1)}
"""Kinds of harbors by their names in ids."""
DIGIT = 0.71
"""Height of a digit in most fonts, in ems."""
_MARK = 100
"""Height of the marks of the players' colors."""
_OWNER: Color = (255, 0, 255)
"""Stands for the color of a piece's owner."""
_AROUND: Color = (0, 255, 0)
"""Stands for the color around a drawing."""


OWNERS = ("body", "lit", "shaded", "on")
"""Custom properties of a player's color: as it is, lighter, darker, and what is easy to see on it."""


@lru_cache(maxsize=64)
def symbols(size: Sizes) -> str:
    """All symbols for a board with things of these sizes."""
    return "".join(f'<g id="{id_}">{content}</g>' for id_, content in _all(size, name))


def name(paint: Paint) -> str:
    """The class of a color in the style sheet."""
    return paints()[paint]


def land(color: Color) -> Paint:
    """A color of land or sea, which the dark look darkens."""
    return color, dimmed(color)


@lru_cache(maxsize=1)
def paints() -> dict[Paint, str]:
    """The classes of all colors. In those that begin with `owner-`, it is that of the piece's owner."""
    own = zip(livery(_OWNER), OWNERS, strict=True)
    same = {(color, color): f"owner-{shade}" for color, shade in own if shade != "on"} | {(_AROUND, _AROUND): ""}
    found = dict[Paint, str]()

    def named(paint: Paint) -> str:
        return same[paint] if paint in same else found.setdefault(paint, f"c{len(found)}")

    for color in (*SEAS, FOAM, SAND, SHADE):
        named(land(color))
    for _ in _all(sizes(WIDE, PICTURE, False), named):
        pass
    return same | found


def livery(color: Color) -> tuple[Color, Color, Color, Color]:
    """A player's color as `OWNERS` have it."""
    return color, lit(color), shaded(color), on(color)


def _all(size: Sizes, name: Name) -> Iterator[Symbol]:
    yield from _lands(size, name)
    yield from _tokens(size, name)
    yield from _harbors(size, name)
    yield from _robbers(size, name)
    yield from _pieces(size, name)


def _drawn(name: Name, unit: float, draw: Callable[[Pen], None], y: float = 0.0) -> str:
    """A drawing that is the same in both looks, that far below its place."""
    trace = Trace(unit, (0.0, y))
    draw(trace)
    return markup(trace, trace, name)


def _dimmed(name: Name, unit: float, draw: Callable[[Pen], None]) -> str:
    """A drawing of land or sea."""
    return _drawn(lambda paint: name(land(paint[0])), unit, draw)


def _themed(name: Name, unit: float, draw: Callable[..., None]) -> str:
    """A drawing that has other colors if it is `dark`."""
    light, dark = Trace(unit), Trace(unit)
    draw(light, dark=False)
    draw(dark, dark=True)
    return markup(light, dark, name)


def _text(words: str, y: float, height: float, width: float) -> str:
    """Digits of a height with their middle that far below their place. Several are as wide in all fonts."""
    fit = f' textLength="{decimal(width)}" lengthAdjust="spacingAndGlyphs"' if len(words) > 1 else ""
    return f'<text y="{decimal(y + height / 2)}" font-size="{decimal(height / DIGIT)}"{fit}>{words}</text>'


def _use(id_: str, class_: str = "", y: float = 0.0, more: str = "") -> str:
    below = f' y="{decimal(y)}"' if y else ""
    return f'<use href="#{id_}"{below}{more}' + (f' class="{class_}"/>' if class_ else "/>")


def _lands(size: Sizes, name: Name) -> Iterator[Symbol]:
    radius = size.radius
    ground = partial(terrain.land, radius=radius, token=size.token / radius)
    for code, id_ in enumerate(TERRAINS[:SEA]):
        yield id_, _dimmed(name, radius, partial(ground, terrain=code))
    yield "piers", _dimmed(name, radius, partial(harbors.pier, side=0, planks=radius >= WIDE))
    yield "wave", _dimmed(name, 1.0, partial(crest, x=0, y=0, radius=radius, fill=WAVE))


def _tokens(size: Sizes, name: Name) -> Iterator[Symbol]:
    """Tokens, those of hexes that have just given cards, and `n8`: what is on them, in the color around it."""
    unit = size.digits
    yield "token", _themed(name, unit, tokens.disc)
    yield "golden", _drawn(name, unit, partial(tokens.disc, golden=True))
    for number in NUMBERS:
        height = tokens.scale(number) * unit
        digits = _text(str(number), tokens.RAISED * unit, height, font(em(height)).getlength(str(number)))
        yield f"n{number}", _drawn(name, unit, partial(tokens.dots, number=number, color=_AROUND)) + digits
        light, dark = tokens.color(number), tokens.color(number, dark=True)
        yield f"token-{number}", _use("token") + _use(f"n{number}", name((light, dark)))
        yield f"golden-{number}", _use("golden") + _use(f"n{number}", name((light, light)))


def _harbors(size: Sizes, name: Name) -> Iterator[Symbol]:
    """Signs, those that can't be used, and `n-ore`: what is on them, in the color around it."""
    unit = size.rate
    shut, open_ = (name((harbors.color(used), harbors.color(used, dark=True))) for used in (False, True))
    yield "shut", _themed(name, unit, partial(harbors.board, kind=GENERIC, used=False))
    for id_, kind in RATES.items():
        words = "3:1" if kind == GENERIC else "2:1"
        rate = _text(words, harbors.LOWERED * unit, unit, tight(words, em(unit), INK).width)
        yield f"n-{id_}", _drawn(name, unit, partial(harbors.icon, kind=kind)) + rate
        sign = _themed(name, unit, partial(harbors.board, kind=kind))
        yield f"harbor-{id_}", sign + _use(f"n-{id_}", open_)
        yield f"shut-{id_}", _use("shut") + _use(f"n-{id_}", shut)


def _robbers(size: Sizes, name: Name) -> Iterator[Symbol]:
    """The robber on all that it can stand on, with that in gray, and its marks where it is and where it was."""
    radius, sink, blocked = size.radius, SINK * size.radius, name((BLOCKED, BLOCKED))
    bodies = {"none": min(size.token, ALONE * radius), "token": size.token, "harbor": size.sign}
    for id_, body in bodies.items():
        yield f"robber-{id_}", _drawn(name, radius, partial(robber.figure, body=body / radius), sink)
        yield f"new-robber-{id_}", _drawn(name, radius, partial(robber.shine, body=body / radius, fill=GOLD), sink)
        yield f"old-robber-{id_}", f'<g opacity="{robber.FAINT:g}">{_use(f"robber-{id_}")}</g>'
    under = {str(number): ("token", f"n{number}") for number in NUMBERS} | {
        id_: ("harbor", f"n-{id_}") for id_ in RATES
    }
    for key, (thing, figure) in under.items():
        yield f"robber-{key}", _use(f"robber-{thing}") + _use(figure, blocked, sink)
        yield f"new-robber-{key}", _use(f"new-robber-{thing}")
        yield f"old-robber-{key}", _use(f"old-robber-{thing}") + _use(f"{thing}-{key}")


def _pieces(size: Sizes, name: Name) -> Iterator[Symbol]:
    """Pieces in the color of their owner, and the marks of those that are new."""
    radius = size.radius
    marks = ""
    for color in MARKS:
        mark = _drawn(name, _MARK, partial(pieces.mark, color=color, x=0, y=0, s=1, fill=_AROUND))
        marks += f'<g class="mark-{color}">{mark}</g>'
    yield "mark", marks
    for kind in (Piece.SETTLEMENT, Piece.CITY):
        yield kind.value, _drawn(name, radius, partial(pieces.house, kind=kind, body=_OWNER)) + _marked(kind, radius)
    ways: dict[str, Callable[[Pen], None]] = {
        "road": partial(pieces.way, kind=Piece.ROAD, angle=0, body=_OWNER),
        "bridge": partial(pieces.way, kind=Piece.BRIDGE, angle=0, body=_OWNER),
        "new-road": partial(pieces.shine, angle=0, fill=GOLD),
    }
    for id_, draw in ways.items():
        yield id_, _drawn(name, radius, draw)
        mark = "" if id_.startswith("new") else _marked(Piece(id_), radius)
        for angle in ANGLES.values():
            turned = round(degrees(angle))
            yield f"{id_}{turned}", _use(id_, more=f' transform="rotate({turned})"') + mark
    rings = ""
    for width, fill in tokens.RING:
        class_, middle = name((fill or GOLD, fill or GOLD)), (tokens.AROUND + width / 2) * radius
        rings += f'<circle class="{class_} line" r="{decimal(middle)}" stroke-width="{decimal(width * radius)}"/>'
    yield "new-building", rings


def _marked(kind: Piece, radius: float) -> str:
    x, y, height = pieces.MARKED[kind]
    place = f"translate({decimal(x * radius)} {decimal(y * radius)})scale({height * radius / _MARK:.3g})"
    return _use("mark", "owner-on", more=f' transform="{place}"')

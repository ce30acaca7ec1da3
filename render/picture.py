"""The board picture: the scene that is kept, and on it everything that a view adds."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from engine.board import Board
from engine.events import Built, RobberMoved, Rolled
from engine.geometry import bits
from engine.terms import Piece
from engine.views import View
from render import strip
from render.dice import dice
from render.ink import Point
from render.labels import Labels, height, places, tag
from render.layout import Layout, layout
from render.palette import GOLD, PaletteName
from render.pieces import building, highlight, road, robber
from render.png import encode
from render.scene import scene
from render.tokens import RADIUS, ring, token

DICE = 64
"""Height of a die in pixels."""


def board(view: View, *, labels: Labels | None = None, width: int = 1200, palette: PaletteName = "standard") -> bytes:
    """The PNG of a board with its pieces, `width` pixels wide, the players' strip below.

    Uses only what everybody may see, so that all viewers get the same bytes. `labels` names places to choose from.
    """
    return encode(compose(view, labels=labels, width=width, palette=palette))


def compose(
    view: View, *, labels: Labels | None = None, width: int = 1200, palette: PaletteName = "standard"
) -> Image.Image:
    """The same as a P picture."""
    place = layout(view.board, width)
    ground = scene(view.board, width, palette)
    image = ground.picture(strip.height(view))
    for sprite, middle in _sprites(place, view, palette):
        ground.stamp(image, sprite, middle)
    if labels:
        tall = height(place, labels)
        for name, middle in places(place, labels):
            ground.stamp(image, tag(name, tall), middle)
    strip.draw(image, view, place.height, palette)
    return image


def _sprites(place: Layout, view: View, palette: PaletteName) -> Iterator[tuple[Image.Image, Point]]:
    """What lies on the board, from below to the top: sprites, and where their middles are."""
    r = place.radius
    yield from _changes(place, view)
    for player in view.players:
        for e in bits(player.roads):
            kind = Piece.BRIDGE if view.board.bridge_mask >> e & 1 else Piece.ROAD
            yield road(kind, player.color, slant(view.board, e), r, palette), place.edge(e)
    for player in view.players:
        for kind, mask in ((Piece.SETTLEMENT, player.settlements), (Piece.CITY, player.cities)):
            for n in bits(mask):
                yield building(kind, player.color, r, palette), place.node(n)
    if view.robber >= 0:
        yield from _robber(place, view)
    if view.dice and (corner := place.corner(*dice(view.dice, DICE).size)):
        yield dice(view.dice, DICE), corner


def slant(board: Board, e: int) -> int:
    """How an edge lies: 0 upright, 1 rising to the east, -1 falling."""
    a, b = (board.grid.nodes[n] for n in board.grid.edges[e])
    return 0 if a[0] == b[0] else 1 if (b[0] > a[0]) == (b[1] < a[1]) else -1


def _changes(place: Layout, view: View) -> Iterator[tuple[Image.Image, Point]]:
    """Marks under what the latest record built, and round the tokens that produced."""
    r = place.radius
    for event in view.last:
        if isinstance(event, Built):
            if event.piece.on_edge:
                yield highlight(slant(view.board, event.place), r, GOLD), place.edge(event.place)
            else:
                yield ring(r, 0.33, GOLD), place.node(event.place)
        elif isinstance(event, Rolled) and event.counted:
            for h, number in enumerate(view.board.tokens):
                if number == sum(event.dice) and h != view.robber:
                    yield ring(place.token, RADIUS + 0.015, GOLD), place.hex(h)


def _robber(place: Layout, view: View) -> Iterator[tuple[Image.Image, Point]]:
    r = place.radius
    if number := view.board.tokens[view.robber]:
        yield token(number, place.token, blocked=True), place.hex(view.robber)
    figure = robber(r)
    x, y = place.robber(view.robber)
    if any(isinstance(event, RobberMoved) for event in view.last):
        yield ring(r, 0.44, GOLD), (x, y - figure.height / 2)
    yield figure, (x, y - figure.height / 2)

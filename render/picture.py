"""The board picture: the scene that is kept, and on it everything that a view adds."""

from __future__ import annotations

from PIL import Image

from engine.board import Board
from engine.events import Built, RobberMoved, Rolled
from engine.geometry import bits
from engine.resources import SEA
from engine.view import View
from render import strip
from render.dice import dice
from render.labels import Labels, places, size, tag
from render.layout import Layout, layout
from render.palette import GOLD, PaletteName, fixed
from render.pieces import building, highlight, road, robber
from render.png import encode
from render.scene import put, scene
from render.tokens import RADIUS, ring, token


def board(
    view: View, *, labels: Labels | None = None, width: int = 1200, palette: PaletteName = "standard"
) -> bytes:
    """The PNG of a board with its pieces, `width` pixels wide, the players' strip below.

    Uses only what everybody may see, so that all viewers get the same bytes. `labels` names places to choose from.
    """
    image = compose(view, labels=labels, width=width, palette=palette)
    return encode(image.quantize(palette=fixed(palette), dither=Image.Dither.NONE))


def compose(
    view: View, *, labels: Labels | None = None, width: int = 1200, palette: PaletteName = "standard"
) -> Image.Image:
    """The same as an RGB picture, before it is reduced to the palette."""
    place = layout(view.board, width)
    image = Image.new("RGB", (width, place.height + strip.height(view)))
    image.paste(scene(view.board, width), (0, 0))
    _changes(image, place, view)
    for player in view.players:
        for e in bits(player.roads):
            kind = "bridge" if view.board.bridge_mask >> e & 1 else "road"
            put(image, road(kind, player.color, slant(view.board, e), place.radius, palette), place.edge(e))
    for player in view.players:
        for kind, mask in (("settlement", player.settlements), ("city", player.cities)):
            for n in bits(mask):
                put(image, building(kind, player.color, place.radius, palette), place.node(n))
    if view.robber >= 0:
        _robber(image, place, view)
    if view.dice:
        _dice(image, place, view.dice)
    if labels:
        height = size(place.radius)
        for name, middle in places(place, labels):
            put(image, tag(name, height), middle)
    strip.draw(image, view, place.height, palette)
    return image


def slant(board: Board, e: int) -> int:
    """How an edge lies: 0 upright, 1 rising to the east, -1 falling."""
    a, b = (board.grid.nodes[n] for n in board.grid.edges[e])
    return 0 if a[0] == b[0] else 1 if (b[0] > a[0]) == (b[1] < a[1]) else -1


def _changes(image: Image.Image, place: Layout, view: View) -> None:
    """Marks what the latest record built, and the tokens that produced."""
    for event in view.last:
        if isinstance(event, Built):
            if event.piece in ("road", "bridge"):
                put(
                    image,
                    highlight(slant(view.board, event.place), place.radius, GOLD),
                    place.edge(event.place),
                )
            else:
                put(image, ring(place.radius, 0.33, GOLD), place.node(event.place))
        elif isinstance(event, Rolled) and event.counted:
            for h, number in enumerate(view.board.tokens):
                if number == sum(event.dice) and h != view.robber:
                    put(image, ring(place.radius, RADIUS + 0.015, GOLD), place.hex(h))


def _robber(image: Image.Image, place: Layout, view: View) -> None:
    h, r = view.robber, place.radius
    if number := view.board.tokens[h]:
        put(image, token(number, r, blocked=True), place.hex(h))
    figure = robber(r)
    x, y = place.robber(h)
    if any(isinstance(event, RobberMoved) for event in view.last):
        put(image, ring(r, 0.44, GOLD), (x, y - figure.height / 2))
    put(image, figure, (x, y - figure.height / 2))


def _dice(image: Image.Image, place: Layout, thrown: tuple[int, int]) -> None:
    """The dice of the turn, in the first corner where there is open sea; in none if there is none."""
    sprite = dice(thrown, 64)
    margin = 18
    for right, low in ((0, 0), (1, 0), (0, 1), (1, 1)):
        x = place.width - margin - sprite.width / 2 if right else margin + sprite.width / 2
        y = place.height - margin - sprite.height / 2 if low else margin + sprite.height / 2
        free = all(
            abs(x - hx) > place.radius + sprite.width / 2 or abs(y - hy) > place.radius + sprite.height / 2
            for h, (hx, hy) in ((h, place.hex(h)) for h in range(len(view_hexes(place.board))))
            if place.board.whole or place.board.terrain[h] != SEA
        ) and all(
            abs(x - hx) > 0.45 * place.radius + sprite.width / 2
            or abs(y - hy) > 0.45 * place.radius + sprite.height / 2
            for hx, hy in map(place.harbor, place.board.harbors)
        )
        if free:
            put(image, sprite, (x, y))
            return


def view_hexes(board: Board) -> tuple[tuple[int, int], ...]:
    """The hexes of a board."""
    return board.grid.hexes

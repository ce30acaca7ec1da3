"""The board picture: the board, everything that a view adds to it, and the strip of players below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.board import Board
from engine.events import Rolled
from engine.geometry import bits
from engine.terms import Piece
from engine.views import View
from render import harbors
from render import strip as strips
from render.bands import Band
from render.dice import dice, roll
from render.fonts import called
from render.labels import Labels, height, places, tag
from render.layout import Layout, layout
from render.palette import BLOCKED, GOLD, USUAL, Look, fixed
from render.pieces import building, highlight, road
from render.png import assemble
from render.robber import ghost, glow, robber
from render.scene import Sprite, bands, put
from render.tokens import AROUND, figure, ring, token

DICE = 64
"""Height of a die in pixels."""


def board(
    view: View,
    *,
    names: Sequence[str] = (),
    labels: Labels | None = None,
    width: int = 1200,
    look: Look = USUAL,
    strip: bool = True,
) -> bytes:
    """The PNG of a board with its pieces, `width` pixels wide, with the strip of players below if `strip`.

    It shows only what everyone can see, and marks what is new to the viewer. `names` are the players' by seat; without
    them players are called by their colors. `labels` are the places to name, for someone to choose from.
    """
    below = strips.bands(view, names, width, look) if strip else []
    return assemble([*land(view, names, width, look, labels), *below], width, fixed(look.palette))


def land(view: View, names: Sequence[str], width: int, look: Look, labels: Labels | None = None) -> list[Band]:
    """The same without the strip, as the bands of a picture `width` pixels wide."""
    place = layout(view.board, width, look.large)
    pile = list(_pieces(place, view, names, look))
    if labels:
        tall = height(place, labels, look)
        pile += (put(middle, tag, name, tall, look.dark) for name, middle in places(place, labels))
    return bands(place, pile, look.board)


def _pieces(place: Layout, view: View, names: Sequence[str], look: Look) -> Iterator[Sprite]:
    """What the view adds to the board, from bottom to top."""
    r, palette = place.radius, look.palette
    yield from _marks(place, view)
    for player in view.players:
        for e in bits(player.roads):
            kind = Piece.BRIDGE if view.board.bridge_mask >> e & 1 else Piece.ROAD
            yield put(place.edge(e), road, kind, player.color, place.slant(e), r, palette)
    for player in view.players:
        for kind, mask in ((Piece.SETTLEMENT, player.settlements), (Piece.CITY, player.cities)):
            for n in bits(mask):
                yield put(place.node(n), building, kind, player.color, r, palette)
    if (before := view.changes.robber) >= 0 and before != view.robber:
        hollow = bool(view.board.tokens[before]) or view.board.harbor_mask >> before & 1 == 1
        yield put(place.robber(before), ghost, r, place.body(before), hollow)
    if view.robber >= 0:
        yield from _robber(place, view.board, view.robber)
    if view.dice and view.on_turn is not None:
        color = view.players[view.on_turn].color
        more = called(names, view.on_turn, color), color, palette, look.dark
        heights = dict.fromkeys((look.scaled(DICE), DICE))
        named = [(roll, (view.dice, size, *more)) for size in heights]
        for draw, given in (*named, *((dice, (view.dice, size, look.dark)) for size in heights)):
            if corner := place.corner(*draw(*given).size):
                yield put(corner, draw, *given)
                break


def _marks(place: Layout, view: View) -> Iterator[Sprite]:
    """Marks under what is new, and golden tokens on the hexes that just gave cards."""
    r = place.radius
    for e in bits(view.changes.edges):
        yield put(place.edge(e), highlight, place.slant(e), r, GOLD)
    for n in bits(view.changes.nodes):
        yield put(place.node(n), ring, r, AROUND, GOLD)
    if view.robber >= 0 and view.changes.robber >= 0:
        yield put(place.robber(view.robber), glow, r, place.body(view.robber), GOLD)
    for h in giving(view):
        yield put(place.hex(h), token, view.board.tokens[h], place.sizes.digits, True)


def giving(view: View) -> list[int]:
    """The hexes that just gave cards, if the latest action was a roll."""
    sums = [sum(event.dice) for event in view.last if isinstance(event, Rolled) and event.counted]
    return [h for h, number in enumerate(view.board.tokens) if number in sums and h != view.robber]


def _robber(place: Layout, board: Board, h: int) -> Iterator[Sprite]:
    """The robber on a hex, and on its body the number or the harbor that can't be used."""
    middle, body, (_, digits, rate) = place.robber(h), place.body(h), place.sizes
    size = 2 * round(body)
    yield put(middle, robber, place.radius, body)
    for harbor in board.harbors:
        if harbor.hex == h:
            yield put(middle, harbors.figure, harbor.kind, harbor.rate, rate, BLOCKED, size)
    if number := board.tokens[h]:
        yield put(middle, figure, number, digits, BLOCKED, size)

"""The board picture: the board, on it everything that a view adds, and the players' strip below."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import Built, RobberMoved, Rolled
from engine.geometry import bits
from engine.terms import Piece
from engine.views import View
from render import strip
from render.dice import dice
from render.labels import Labels, height, places, tag
from render.layout import Layout, layout
from render.palette import GOLD, PaletteName, fixed
from render.pieces import building, highlight, road, robber
from render.png import assemble
from render.scene import Sprite, bands, ground, put
from render.tokens import RADIUS, ring, token

DICE = 64
"""Height of a die in pixels."""


def board(view: View, *, labels: Labels | None = None, width: int = 1200, palette: PaletteName = "standard") -> bytes:
    """The PNG of a board with its pieces, `width` pixels wide, the players' strip below.

    Uses only what everybody may see, so that all viewers get the same bytes. `labels` names places to choose from.
    """
    place = layout(view.board, width)
    pile = [*ground(place), *_pieces(place, view, palette)]
    if labels:
        tall = height(place, labels)
        pile += (put(middle, tag, name, tall) for name, middle in places(place, labels))
    return assemble([*bands(place, pile, palette), *strip.bands(view, width, palette)], width, fixed(palette))


def _pieces(place: Layout, view: View, palette: PaletteName) -> Iterator[Sprite]:
    """What the view adds to the board, from below to the top."""
    r = place.radius
    yield from _changes(place, view)
    for player in view.players:
        for e in bits(player.roads):
            kind = Piece.BRIDGE if view.board.bridge_mask >> e & 1 else Piece.ROAD
            yield put(place.edge(e), road, kind, player.color, place.slant(e), r, palette)
    for player in view.players:
        for kind, mask in ((Piece.SETTLEMENT, player.settlements), (Piece.CITY, player.cities)):
            for n in bits(mask):
                yield put(place.node(n), building, kind, player.color, r, palette)
    if view.robber >= 0:
        yield from _robber(place, view)
    if view.dice and (corner := place.corner(*dice(view.dice, DICE).size)):
        yield put(corner, dice, view.dice, DICE)


def _changes(place: Layout, view: View) -> Iterator[Sprite]:
    """Marks under what the latest record built, and round the tokens that produced."""
    r = place.radius
    for event in view.last:
        if isinstance(event, Built):
            if event.piece.on_edge:
                yield put(place.edge(event.place), highlight, place.slant(event.place), r, GOLD)
            else:
                yield put(place.node(event.place), ring, r, 0.33, GOLD)
        elif isinstance(event, Rolled) and event.counted:
            for h, number in enumerate(view.board.tokens):
                if number == sum(event.dice) and h != view.robber:
                    yield put(place.hex(h), ring, place.token, RADIUS + 0.015, GOLD)


def _robber(place: Layout, view: View) -> Iterator[Sprite]:
    r = place.radius
    if number := view.board.tokens[view.robber]:
        yield put(place.hex(view.robber), token, number, place.token, True)
    x, y = place.robber(view.robber)
    middle = (x, y - robber(r).height / 2)
    if any(isinstance(event, RobberMoved) for event in view.last):
        yield put(middle, ring, r, 0.44, GOLD)
    yield put(middle, robber, r)

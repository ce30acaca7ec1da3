"""The board picture: the board, everything that a view adds to it, and the strip of players below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.events import Rolled
from engine.geometry import bits
from engine.terms import Piece
from engine.views import View
from render import strip as strips
from render.bands import Band
from render.dice import dice, roll
from render.harbors import sign
from render.labels import Labels, height, places, tag
from render.layout import Layout, layout
from render.palette import GOLD, USUAL, Look, PaletteName, fixed
from render.pieces import building, ghost, glow, highlight, road, robber
from render.png import assemble
from render.scene import Sprite, bands, put
from render.tokens import ring, token

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
    return assemble([*land(view, names, width, look.palette, labels), *below], width, fixed(look.palette))


def land(
    view: View, names: Sequence[str], width: int, palette: PaletteName, labels: Labels | None = None
) -> list[Band]:
    """The same without the strip, as the bands of a picture `width` pixels wide."""
    place = layout(view.board, width)
    pile = list(_pieces(place, view, names, palette))
    if labels:
        tall = height(place, labels)
        pile += (put(middle, tag, name, tall) for name, middle in places(place, labels))
    return bands(place, pile, palette)


def _pieces(place: Layout, view: View, names: Sequence[str], palette: PaletteName) -> Iterator[Sprite]:
    """What the view adds to the board, from bottom to top."""
    r = place.radius
    yield from _marks(place, view)
    for player in view.players:
        for e in bits(player.roads):
            kind = Piece.BRIDGE if view.board.bridge_mask >> e & 1 else Piece.ROAD
            yield put(place.edge(e), road, kind, player.color, place.slant(e), r, palette)
    for player in view.players:
        for kind, mask in ((Piece.SETTLEMENT, player.settlements), (Piece.CITY, player.cities)):
            for n in bits(mask):
                yield put(place.node(n), building, kind, player.color, r, palette)
    if 0 <= view.changes.robber != view.robber:
        yield put(_figure(place, view.changes.robber), ghost, r)
    if view.robber >= 0:
        yield from _robber(place, view)
    if view.dice and view.on_turn is not None:
        name = names[view.on_turn] if names else view.players[view.on_turn].color
        for draw, given in ((roll, (view.dice, DICE, name)), (dice, (view.dice, DICE))):
            if corner := place.corner(*draw(*given).size):
                yield put(corner, draw, *given)
                break


def _marks(place: Layout, view: View) -> Iterator[Sprite]:
    """Marks under what is new, and golden tokens on the hexes that just gave cards."""
    r = place.radius
    for e in bits(view.changes.edges):
        yield put(place.edge(e), highlight, place.slant(e), r, GOLD)
    for n in bits(view.changes.nodes):
        yield put(place.node(n), ring, r, 0.33, GOLD)
    if view.robber >= 0 and view.changes.robber >= 0:
        yield put(_figure(place, view.robber), glow, r, GOLD)
    for event in view.last:
        if isinstance(event, Rolled) and event.counted:
            for h, number in enumerate(view.board.tokens):
                if number == sum(event.dice) and h != view.robber:
                    yield put(place.hex(h), token, number, place.token, False, GOLD)


def _robber(place: Layout, view: View) -> Iterator[Sprite]:
    r = place.radius
    for harbor in view.board.harbors:
        if harbor.hex == view.robber:  # it can't be used while the robber is there
            yield put(place.harbor(harbor), sign, harbor.kind, harbor.rate, place.sign, False)
    if number := view.board.tokens[view.robber]:
        yield put(place.hex(view.robber), token, number, place.token, True)
    yield put(_figure(place, view.robber), robber, r)


def _figure(place: Layout, h: int) -> tuple[float, float]:
    """The middle of the robber's figure on a hex."""
    x, y = place.robber(h)
    return (x, y - robber(place.radius).height / 2)

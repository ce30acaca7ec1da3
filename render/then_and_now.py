"""A board as it was and as it is now, one above the other, with changes marked. Each is as wide as a phone's screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image

from engine.changes import BoardSnapshot, Changes
from engine.views import View
from render import strip
from render.bands import Band, cut, kept, key
from render.fonts import drop, fitted, least_size, text
from render.palette import INK, PAPER, USUAL, Look, fixed, reduce
from render.picture import land
from render.png import assemble

WIDTH = 1200
_CAPTION, _SIZE = 72, 44
"""Height of the caption above a board, and its font size, in pixels. At a third of the width, as on a phone, letters
have 15 pixels."""


def then_and_now(
    then: View, now: View, captions: tuple[str, str], names: Sequence[str] = (), look: Look = USUAL
) -> bytes:
    """The PNG of two boards, each below its caption, with the present strip of players at the bottom.

    It shows only what everyone can see, and marks what has changed between the two.
    """
    palette = look.palette
    before = replace(then, changes=Changes(), last=(), dice=None)
    after = replace(now, changes=changes(then, now), last=(), dice=None)
    bands = [
        *_caption(captions[0], look),
        *land(before, names, WIDTH, look),
        *_caption(captions[1], look),
        *land(after, names, WIDTH, look),
        *strip.bands(now, names, WIDTH, look),
    ]
    return assemble(bands, WIDTH, fixed(palette))


def changes(then: View, now: View) -> Changes:
    """What is new on the board since `then`."""
    return _snapshot(then).until(_snapshot(now))


def _snapshot(view: View) -> BoardSnapshot:
    buildings = cities = edges = 0
    for player in view.players:
        buildings |= player.settlements | player.cities
        cities |= player.cities
        edges |= player.roads
    return BoardSnapshot(buildings, cities, edges, view.robber)


def _caption(content: str, look: Look) -> list[Band]:
    """The caption of a board, on a dark ground."""
    name = key("caption", content, look)
    if (band := kept.get(name)) is None:
        tall = look.scaled(_CAPTION)
        image = Image.new("RGB", (WIDTH, tall), INK)
        line, size = fitted(content, look.scaled(_SIZE), WIDTH - 48, least_size(WIDTH))
        word = text(line, size, PAPER)
        image.paste(word, (24, (tall - text("0", size, PAPER).height) // 2 + drop(line, size)), word)
        (band,) = cut(reduce(image, look.palette, look.dark), tall)
        kept.put(name, band)
    return [band]

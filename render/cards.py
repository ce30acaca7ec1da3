"""A player's hand, as only that player sees it: fanned resource and development cards with their counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageOps

from engine.resources import CARDS, RESOURCES
from engine.views import View
from render.fonts import drop, fitted, fitting, least_size, length, text
from render.icons import CARD, RESOURCE
from render.ink import Ink
from render.palette import (
    CARD_BACK,
    GOLD,
    INK,
    TERRAIN,
    THEMES,
    USUAL,
    Look,
    dimmed,
    faced,
    reduce,
)
from render.png import encode
from render.words import HandWords

WIDTH, ROW = 1000, 268
"""Width of the picture, and height of a row of cards, in pixels."""
_CARD = (124, 168)
_MOST_FANNED = 7
"""Most cards drawn of a kind; the count says how many there are."""
_ROOM = WIDTH // 5 - 12
"""Most pixels that a name takes in a line."""
_SHRUNK = 0.85
"""A name that would be smaller than this share of its usual size is in two lines, if it has several words."""
_PIVOT = 190
"""Pixels from the middle of an upright card down to the point around which a fan turns."""


def hand(view: View, words: HandWords, look: Look = USUAL) -> bytes:
    """The PNG of the viewer's cards; raises `ValueError` for a view without a hand."""
    return encode(compose(view, words, look))


def compose(view: View, words: HandWords, look: Look = USUAL) -> Image.Image:
    """The same as an image of mode P."""
    player = None if view.seat is None else view.players[view.seat]
    if player is None or player.hand is None:
        raise ValueError("this view shows no hand")
    kinds = player.development_cards or (0,) * len(CARDS)
    size = 30 if look.large else 24
    resources, cards = ([_lines(name, size) for name in names] for names in (words.resources, words.cards))
    second = _height(resources)
    image = Image.new("RGB", (WIDTH, second + _height(cards) if any(kinds) else second), look.theme.panel)
    _row(image, 0, player.hand, resources, False, [""] * len(RESOURCES), look)
    if any(kinds):
        image.paste(look.theme.line, (24, second - 1, WIDTH - 24, second + 1))
        _row(image, second, kinds, cards, True, words.fresh, look)
    return reduce(image, look.palette, look.dark)


class _Name(NamedTuple):
    """A name as it is written below its cards: its lines, and their font size."""

    lines: Sequence[str]
    size: int


@lru_cache(maxsize=256)
def _lines(name: str, size: int) -> _Name:
    """A name in a line, or in two if it would be too small in one; `size`: its largest font size."""
    least, words = least_size(WIDTH), name.split(" ")
    line, fit = fitted(name, size, _ROOM, least)
    if len(words) == 1 or (fit >= _SHRUNK * size and length(name, fit) <= _ROOM):
        return _Name([line], fit)
    splits = ((" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words)))
    halves = min(splits, key=lambda both: max(length(half, size) for half in both))
    smaller = min(fitted(half, size, _ROOM, least)[1] for half in halves)
    return _Name([fitting(half, smaller, _ROOM) for half in halves], smaller)


def _height(names: Sequence[_Name]) -> int:
    """Height of a row of cards with these names."""
    return ROW + max(_below(name, len(name.lines) - 1) for name in names)


def _below(name: _Name, line: int) -> int:
    """Pixels from the first line of a name down to another one."""
    return round(1.1 * name.size * line)


def _row(
    image: Image.Image,
    top: int,
    counts: Sequence[int],
    names: Sequence[_Name],
    development: bool,
    fresh: Sequence[str],
    look: Look,
) -> None:
    column = WIDTH // len(names)
    middles = [kind * column + column // 2 for kind in range(len(names))]
    for kind, count in enumerate(counts):  # first, since a fan reaches below the count of the one before it
        fan = _fan(kind, development, min(count, _MOST_FANNED), look.dark)
        left = _inside(middles[kind], fan)
        for sprite, x, y in fan:
            image.paste(sprite, (left + x, top + 112 + y), sprite)
    for kind, count in enumerate(counts):
        middle = middles[kind]
        for k, line in enumerate(names[kind].lines):
            word = text(line, names[kind].size, look.theme.ink if count else look.theme.grey)
            y = top + ROW - 40 + _below(names[kind], k) + drop(line, names[kind].size)
            image.paste(word, (middle - word.width // 2, y), word)
        if count:
            badge = _badge(f"×{count}", False, 38 if look.large else 30, look.dark)
            image.paste(badge, (min(middle + 30, WIDTH - 6 - badge.width), top + 12), badge)
        if fresh[kind]:
            note, size = fitted(fresh[kind], 28 if look.large else 22, _ROOM - 24, least_size(WIDTH))
            ribbon = _badge(note, True, size, look.dark)
            image.paste(ribbon, (middle - ribbon.width // 2, top + 178), ribbon)


def _inside(middle: int, fan: Sequence[tuple[Image.Image, int, int]]) -> int:
    """The x nearest to `middle` at which a fan has its middle without being cut off at the picture's sides."""
    least = -min(x for _, x, _ in fan)
    most = WIDTH - max(x + sprite.width for sprite, x, _ in fan)
    return min(max(middle, least), most)


@lru_cache(maxsize=128)
def _fan(kind: int, development: bool, count: int, dark: bool) -> tuple[tuple[Image.Image, int, int], ...]:
    """Cards fanned out around a point below them, as sprites with offsets. Without cards, one pale empty card."""
    card = ImageOps.expand(_card(kind, development, count > 0, dark), 2, (0, 0, 0, 0))  # else a turned rim is jagged
    number = max(count, 1)
    step = min(7.0, 20 / max(1, number - 1))
    out = []
    for k in range(number):
        angle = step * ((number - 1) / 2 - k)
        sprite = card.rotate(angle, Image.Resampling.BICUBIC, expand=True)
        turn = math.radians(angle)
        x, y = -_PIVOT * math.sin(turn), _PIVOT * (1 - math.cos(turn))  # shift of its middle from upright
        out.append((sprite, round(x - sprite.width / 2), round(y - sprite.height / 2)))
    return tuple(out)


@lru_cache(maxsize=32)
def _card(kind: int, development: bool, held: bool, dark: bool) -> Image.Image:
    (width, height), theme = _CARD, THEMES[dark]
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK if held else theme.line, 16)
    ink.box(2, 2, width - 4, height - 4, theme.paper if held else theme.panel, 14)
    if not held:
        ink.box(9, 9, width - 18, height - 18, theme.panel, 9)
    else:
        ground = CARD_BACK if development else dimmed(TERRAIN[kind][0], dark)
        ink.box(9, 9, width - 18, height - 18, ground, 9)
        ink.circle(width / 2, height / 2, 47, theme.paper if development else faced(TERRAIN[kind][0], dark))
        (CARD if development else RESOURCE)[kind](ink, width / 2, height / 2, 70)
    return ink.image()


@lru_cache(maxsize=64)
def _badge(words: str, ribbon: bool, size: int, dark: bool) -> Image.Image:
    theme = THEMES[dark and not ribbon]
    word = text(words, size, theme.ink)
    width, height = word.width + (24 if ribbon else 26), size + (12 if ribbon else 16)
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, height / 2)
    ink.box(2, 2, width - 4, height - 4, GOLD if ribbon else theme.paper, height / 2 - 2)
    image = ink.image()
    image.alpha_composite(word, ((width - word.width) // 2, (height - word.height) // 2))
    return image

"""The card of building costs, for help: what each thing costs and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engine.data import Data
from engine.resources import Hand
from engine.terms import Piece
from render.fonts import drop, fitted, least_size, text
from render.icons import CARD, RESOURCE
from render.ink import Ink
from render.palette import CARD_BACK, INK, TERRAIN, THEMES, USUAL, Look, dimmed, faced, reduce
from render.pieces import building, road
from render.png import encode
from render.words import CostWords

WIDTH, ROW = 900, 104
_ICON = 62
_LEFT = 150
"""Where the words begin, in pixels."""
_COLOR = "red"


def costs(data: Data, bridges: bool, words: Sequence[CostWords], look: Look = USUAL) -> bytes:
    """The PNG of the card: a row each for road, bridge (if `bridges`), settlement, city and development card."""
    return encode(compose(data, bridges, words, look))


def compose(data: Data, bridges: bool, words: Sequence[CostWords], look: Look = USUAL) -> Image.Image:
    """The same as an image of mode P."""
    bridge = [(road(Piece.BRIDGE, _COLOR, 1, 84.0, look.palette), data.bridge_cost)] if bridges else []
    things: list[tuple[Image.Image, Hand]] = [
        (road(Piece.ROAD, _COLOR, 1, 84.0, look.palette), data.road_cost),
        *bridge,
        (building(Piece.SETTLEMENT, _COLOR, 110.0, look.palette), data.settlement_cost),
        (building(Piece.CITY, _COLOR, 110.0, look.palette), data.city_cost),
        (_card(look.dark), data.card_cost),
    ]
    large, small = look.scaled(34), look.scaled(25)
    image = Image.new("RGB", (WIDTH, ROW * len(things)), look.theme.panel)
    for k, ((sprite, cost), (name, worth)) in enumerate(zip(things, words, strict=True)):
        top = k * ROW
        if k:
            image.paste(look.theme.line, (24, top - 1, WIDTH - 24, top + 1))
        image.paste(sprite, (70 - sprite.width // 2, top + (ROW - sprite.height) // 2), sprite)
        room = WIDTH - 24 - sum(cost) * (_ICON + 8) - 16 - _LEFT
        title, size = fitted(name, large, room, least_size(WIDTH))
        word = text(title, size, look.theme.ink)
        image.paste(word, (_LEFT, top + ROW // 2 - round(0.94 * large) + drop(title, size)), word)
        note, size = fitted(worth, small, room, least_size(WIDTH), False)
        word = text(note, size, look.theme.grey, False)
        image.paste(word, (_LEFT, top + ROW // 2 + round(0.4 * small) + drop(note, size, False)), word)
        left = WIDTH - 24
        for kind in reversed(range(5)):
            for _ in range(cost[kind]):
                left -= _ICON + 8
                chip = _chip(kind, look.dark)
                image.paste(chip, (left, top + (ROW - chip.height) // 2), chip)
    return reduce(image, look.palette, look.dark)


@lru_cache(maxsize=16)
def _chip(kind: int, dark: bool) -> Image.Image:
    """A small resource card."""
    height = round(_ICON * 1.32)
    ink = Ink(_ICON, height, origin=(0, 0))
    ink.box(0, 0, _ICON, height, INK, 11)
    ink.box(2, 2, _ICON - 4, height - 4, THEMES[dark].paper, 9)
    ink.box(5, 5, _ICON - 10, height - 10, dimmed(TERRAIN[kind][0], dark), 6)
    ink.circle(_ICON / 2, height / 2, 24, faced(TERRAIN[kind][0], dark))
    RESOURCE[kind](ink, _ICON / 2, height / 2, 36)
    return ink.image()


@lru_cache(maxsize=2)
def _card(dark: bool) -> Image.Image:
    width, height = 58, 78
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, 9)
    ink.box(2, 2, width - 4, height - 4, THEMES[dark].paper, 7)
    ink.box(5, 5, width - 10, height - 10, CARD_BACK, 5)
    CARD[4](ink, width / 2, height / 2, 36)
    return ink.image()

"""The strip below the board: a cell per player with name, points, cards, knights and road, legible on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.resources import KNIGHT
from engine.terms import Piece
from engine.views import PlayerView, View
from render import icons
from render.bands import Band, cut, kept, key
from render.fonts import called, drop, fitting, length, text
from render.ink import Ink
from render.palette import (
    CARD_BACK,
    GOLD,
    INK,
    PAPER,
    PLAYERS,
    USUAL,
    Color,
    Look,
    fixed,
    mix,
    on,
    reduce,
)
from render.pieces import building

_HEAD, _ROW = 50, 68
"""Height of the row of icons, and of a row of players, in pixels."""
COLUMNS = 2
"""Players side by side."""
NAME, POINTS, FIGURE = 38, 50, 42
"""Font sizes in pixels. At a third of the width, as on a phone, they are 13, 17 and 14."""
NAMES = (NAME, 35, 32)
"""Font sizes of names: a long one is smaller before it is cut."""
SMALL = (38, 35, 32, 29, 25)
"""Smaller ones for the large look, where names have less room."""


class _Facts(NamedTuple):
    """What a player's cell shows, all of it public."""

    name: str
    color: str
    active: bool
    resigned: bool
    points: int
    cards: int
    development: int
    knights: int
    road: int
    army_award: bool
    road_award: bool


def bands(view: View, names: Sequence[str], width: int, look: Look) -> list[Band]:
    """The bands of the strip in a picture of that width. The players are in order of seats, column by column.

    Without `names` they are called by their colors.
    """
    facts = [_facts(view, player, names) for player in view.players]
    rows = -(-len(facts) // COLUMNS)
    return [_head(width, look), *(_row(facts[k::rows], width, look) for k in range(rows))]


def height(players: int, look: Look = USUAL) -> int:
    """Height of the strip for that many players, in pixels."""
    return look.scaled(_HEAD) + look.scaled(_ROW) * -(-players // COLUMNS)


def _facts(view: View, player: PlayerView, names: Sequence[str]) -> _Facts:
    active = bool(view.awaited >> player.seat & 1) if view.awaited else view.on_turn == player.seat
    return _Facts(
        name=called(names, player.seat, player.color),
        color=player.color,
        active=active and view.outcome is None,
        resigned=player.resigned,
        points=view.outcome.points[player.seat] if view.outcome else player.points,
        cards=player.hand_size,
        development=player.development_count,
        knights=player.played[KNIGHT],
        road=player.road_length,
        army_award=view.largest_army == player.seat,
        road_award=view.longest_road == player.seat,
    )


def _head(width: int, look: Look) -> Band:
    """The row of icons, which say what the figures count; it has them once for each column."""
    name = key("strip head", width, look)
    band = kept.get(name)
    if band is None:
        tall = look.scaled(_HEAD)
        image = Image.new("RGB", (width, tall), look.theme.panel)
        image.paste(look.theme.line, (0, 0, width, 2))
        for left, right in _columns(width):
            for icon, middle in zip(_ICONS, _figures(left, right, look), strict=True):
                sprite = _icon(icon, look.scaled(36))
                image.paste(sprite, (middle - sprite.width // 2, (tall - sprite.height) // 2 + 2), sprite)
        (band,) = cut(reduce(image, look.palette, look.dark), tall)
        kept.put(name, band)
    return band


def _row(players: Sequence[_Facts], width: int, look: Look) -> Band:
    name = key("strip", players, width, look)
    band = kept.get(name)
    if band is None:
        tall = look.scaled(_ROW)
        image = Image.new("P", (width, tall))
        image.putpalette(fixed(look.palette).getpalette() or ())
        columns = _columns(width)
        image.paste(_blank(width, look), (0, 0))
        for facts, (left, right) in zip(players, columns, strict=False):
            image.paste(_cell(facts, right - left, look), (left, 0))
        (band,) = cut(image, tall)
        kept.put(name, band)
    return band


def _columns(width: int) -> list[tuple[int, int]]:
    return [(k * width // COLUMNS, (k + 1) * width // COLUMNS) for k in range(COLUMNS)]


def _figures(left: int, right: int, look: Look) -> list[int]:
    """The middles (x) of the five figures of a column."""
    step = (right - left) * (0.117 if look.large else 0.109)
    return [round(right - 14 - step * (4.5 - k if k else 4.65)) for k in range(5)]


@lru_cache(maxsize=4)
def _blank(width: int, look: Look) -> Image.Image:
    return reduce(Image.new("RGB", (width, look.scaled(_ROW)), look.theme.panel), look.palette, look.dark)


@lru_cache(maxsize=64)
def _cell(facts: _Facts, width: int, look: Look) -> Image.Image:
    """A player's cell, filled with their color when they must act."""
    tall = look.scaled(_ROW)
    color = PLAYERS[look.palette][facts.color]
    ground = color if facts.active else look.theme.panel
    word = on(color) if facts.active else look.theme.grey if facts.resigned else look.theme.ink
    image = Image.new("RGB", (width, tall), look.theme.panel)
    if facts.active:
        image.paste(_filled(width, tall, color, look), (0, 0))
    else:
        image.paste(look.theme.line, (14, 0, width - 14, 2))
    house = building(Piece.CITY, facts.color, look.scaled(88), look.palette)
    if facts.active:
        plate = _chip(house.width + 6, house.height + 2)
        image.paste(plate, (12, (tall - plate.height) // 2), plate)
    image.paste(house, (15, (tall - house.height) // 2), house)
    middles = _figures(0, width, look)
    start = 26 + house.width
    room, sizes = middles[0] - look.scaled(34) - start, [*map(look.scaled, NAMES), *(SMALL if look.large else ())]
    size = next((size for size in sizes if length(facts.name, size) <= room), sizes[-1])
    label = fitting(facts.name, size, room)
    name = text(label, size, word)
    image.paste(name, (start, (tall - text("0", size, word).height) // 2 + drop(label, size)), name)
    usual = look.scaled(FIGURE)
    figures = (
        (facts.points, look.scaled(POINTS), False),
        (facts.cards, usual, False),
        (facts.development, usual, False),
        (facts.knights, usual, facts.army_award),
        (facts.road, usual, facts.road_award),
    )
    quiet = mix(ground, word, 0.45)
    for (count, large, award), middle in zip(figures, middles, strict=True):
        if award:
            pill = _pill(look.scaled(56), tall - 16)
            image.paste(pill, (middle - pill.width // 2, (tall - pill.height) // 2), pill)
        figure = text(str(count), large, INK if award else word if count else quiet)
        image.paste(figure, (middle - figure.width // 2, (tall - figure.height) // 2), figure)
    return reduce(image, look.palette, look.dark)


@lru_cache(maxsize=64)
def _filled(width: int, height: int, color: Color, look: Look) -> Image.Image:
    """The ground of the cell of a player who must act."""
    ink = Ink(width, height, origin=(0, 0), fine=2, ground=look.theme.panel)
    ink.box(4, 1, width - 8, height - 2, INK, 14)
    ink.box(7, 4, width - 14, height - 8, color, 11)
    return ink.image()


# --- icons


@lru_cache(maxsize=32)
def _icon(name: str, size: int) -> Image.Image:
    ink = Ink(size, size, 1)
    _DRAW[name](ink, 0, 0, size * 0.92)
    return ink.image()


def _card(ink: Ink, x: float, y: float, s: float) -> None:
    ink.box(x - 0.3 * s, y - 0.44 * s, 0.6 * s, 0.88 * s, INK, 0.1 * s)
    ink.box(x - 0.23 * s, y - 0.37 * s, 0.46 * s, 0.74 * s, CARD_BACK, 0.05 * s)
    icons.star(ink, x, y, 0.36 * s, PAPER, None)


_DRAW = {"star": icons.trophy, "cards": icons.cards, "card": _card, "knight": icons.shield, "road": icons.roads}
_ICONS = tuple(_DRAW)
"""Points, resource cards, development cards, knights, road."""


@lru_cache(maxsize=64)
def _pill(width: int, height: int, fill: Color = GOLD) -> Image.Image:
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, 13)
    ink.box(2, 2, width - 4, height - 4, fill, 11)
    return ink.image()


def _chip(width: int, height: int) -> Image.Image:
    """The ground of a piece that couldn't be seen on its own color."""
    return _pill(width, height, PAPER)

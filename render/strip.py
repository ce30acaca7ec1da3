"""The strip below the board: a cell per player with mark, points, cards, knights and road."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.resources import KNIGHT
from engine.terms import Piece
from engine.views import PlayerView, View
from render import icons
from render.bands import Band, cut, kept, key
from render.fonts import text
from render.ink import Ink
from render.palette import CARD_BACK, GOLD, GREY, INK, PANEL, PANEL_LINE, PAPER, PLAYERS, PaletteName, fixed, reduce
from render.pieces import building

ROW = 82
"""Height of a row of cells."""
MOST = 4
"""Cells in a row."""


@lru_cache(maxsize=32)
def _icon(name: str, size: int) -> Image.Image:
    ink = Ink(size, size, 1)
    draw = {
        "star": icons.trophy,
        "cards": icons.cards,
        "card": _card,
        "knight": icons.shield,
        "road": icons.roads,
    }
    draw[name](ink, 0, 0, size * 0.9)
    return ink.image()


def _card(ink: Ink, x: float, y: float, s: float) -> None:
    ink.box(x - 0.3 * s, y - 0.44 * s, 0.6 * s, 0.88 * s, INK, 0.1 * s)
    ink.box(x - 0.23 * s, y - 0.37 * s, 0.46 * s, 0.74 * s, CARD_BACK, 0.05 * s)
    icons.star(ink, x, y, 0.36 * s, PAPER, None)


@lru_cache(maxsize=64)
def _pill(width: int, height: int) -> Image.Image:
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, 13)
    ink.box(2, 2, width - 4, height - 4, GOLD, 11)
    return ink.image()


def bands(view: View, width: int, palette: PaletteName) -> list[Band]:
    """A band for each row of cells, in a picture of that width; the players in order of their seats."""
    facts = [_facts(view, player) for player in view.players]
    rows = -(-len(facts) // MOST)
    columns = -(-len(facts) // rows)
    return [_row(facts[k : k + columns], width, palette) for k in range(0, len(facts), columns)]


def _row(players: list[_Facts], width: int, palette: PaletteName) -> Band:
    name = key("strip", players, width, palette)
    band = kept.get(name)
    if band is None:
        image = Image.new("P", (width, ROW))
        image.putpalette(fixed(palette).getpalette() or ())
        for k, facts in enumerate(players):
            left, right = k * width // len(players), (k + 1) * width // len(players)
            image.paste(_cell(facts, right - left, palette), (left, 0))
        (band,) = cut(image, ROW)
        kept.put(name, band)
    return band


class _Facts(NamedTuple):
    """What a cell shows, all of it public."""

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


def _facts(view: View, player: PlayerView) -> _Facts:
    active = bool(view.awaited >> player.seat & 1) if view.awaited else view.on_turn == player.seat
    return _Facts(
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


@lru_cache(maxsize=256)
def _cell(facts: _Facts, width: int, palette: PaletteName) -> Image.Image:
    image = Image.new("RGB", (width, ROW), PAPER if facts.active else PANEL)
    image.paste(PANEL_LINE, (0, 0, width, 2))
    image.paste(PANEL_LINE, (width - 2, 0, width, ROW))
    if facts.active:
        image.paste(INK, (0, ROW - 13, width, ROW))  # a white player's bar must be seen as well
        image.paste(PLAYERS[palette][facts.color], (3, ROW - 10, width - 3, ROW - 3))
    y = ROW // 2 - 2
    house = building(Piece.CITY, facts.color, 84.0, palette)
    image.paste(house, (9, y - house.height // 2), house)
    start = 14 + house.width
    step = (width - start - 6) / 5
    items = (
        ("star", facts.points, False),
        ("cards", facts.cards, False),
        ("card", facts.development, False),
        ("knight", facts.knights, facts.army_award),
        ("road", facts.road, facts.road_award),
    )
    for k, (name, count, award) in enumerate(items):
        middle = round(start + (k + 0.5) * step)
        if award:
            pill = _pill(round(min(step, 64)), ROW - 10)
            image.paste(pill, (middle - pill.width // 2, y - pill.height // 2), pill)
        icon = _icon(name, 32)
        word = text(str(count), 29, GREY if facts.resigned else INK)
        image.paste(icon, (middle - icon.width // 2, y - 33), icon)
        image.paste(word, (middle - word.width // 2, y + 6), word)
    return reduce(image, palette)

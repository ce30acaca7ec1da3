"""The strip below the board: a cell per player with mark, points, cards, knights and road."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.resources import KNIGHT
from engine.view import PlayerView, View
from render import icons
from render.fonts import text
from render.ink import Ink
from render.palette import GOLD, GREY, INK, PANEL, PANEL_LINE, PAPER, RED, PaletteName
from render.pieces import building

ROW = 74
"""Height of a row of cells."""
MOST = 4
"""Cells in a row."""


def height(view: View) -> int:
    """Height of the strip in pixels."""
    return ROW * -(-len(view.players) // MOST)


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
    ink.box(x - 0.23 * s, y - 0.37 * s, 0.46 * s, 0.74 * s, (146, 38, 148), 0.05 * s)
    icons.star(ink, x, y, 0.36 * s, PAPER, None)


@lru_cache(maxsize=64)
def _pill(width: int, height: int) -> Image.Image:
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, height / 2)
    ink.box(2, 2, width - 4, height - 4, GOLD, height / 2 - 2)
    return ink.image()


@lru_cache(maxsize=16)
def _cell(width: int, active: bool) -> Image.Image:
    image = Image.new("RGB", (width, ROW), PAPER if active else PANEL)
    image.paste(PANEL_LINE, (0, 0, width, 2))
    image.paste(PANEL_LINE, (width - 2, 0, width, ROW))
    if active:
        image.paste(RED, (0, ROW - 7, width, ROW))
    return image


def draw(image: Image.Image, view: View, top: int, palette: PaletteName) -> None:
    """Draws the strip onto a picture, from `top` down; the players in order of their seats."""
    count = len(view.players)
    rows = -(-count // MOST)
    columns = -(-count // rows)
    for k, player in enumerate(view.players):
        left, right = k % columns * image.width // columns, (k % columns + 1) * image.width // columns
        if k == count - 1:
            right = image.width
        active = view.on_turn == player.seat or (
            view.on_turn is None and bool(view.awaited >> player.seat & 1)
        )
        upper = top + k // columns * ROW
        image.paste(_cell(right - left, active), (left, upper))
        _player(image, view, player, left + 8, upper + ROW // 2 - 2, (right - left - 12) / 290, palette)


def _player(
    image: Image.Image,
    view: View,
    player: PlayerView,
    left: int,
    y: int,
    stretch: float,
    palette: PaletteName,
) -> None:
    house = building("city", player.color, 78.0, palette)
    image.paste(house, (left, y - house.height // 2 - 2), house)
    ink = GREY if player.resigned else INK
    items = (
        ("star", player.points if player.all_points is None else player.all_points, 74, False),
        ("cards", player.cards, 132, False),
        ("card", player.development, 186, False),
        ("knight", player.played[KNIGHT], 0, view.largest_army == player.seat),
        ("road", player.road_length, 0, view.longest_road == player.seat),
    )
    step = min(stretch, 1.25)
    x0 = left + 64
    for n, (name, count, _, award) in enumerate(items):
        x = round(x0 + n * 46 * step)
        if award:
            pill = _pill(round(46 * step), 60)
            image.paste(pill, (x - 4, y - 31), pill)
        icon = _icon(name, 30)
        word = text(str(count), 28 if n else 30, ink)
        middle = x + round(46 * step) // 2 - 4
        image.paste(icon, (middle - icon.width // 2, y - 29), icon)
        image.paste(word, (middle - word.width // 2, y + 4), word)

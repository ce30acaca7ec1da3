"""The stats of a game, over or running: each player's points and their sources, the dice, and what became of the cards.

The sources of points are counted as they lie on the table. The holders of the awards are marked, as in the strip."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engine.log.chronicle import Story
from engine.resources import KNIGHT, VICTORY_POINT
from engine.rules import data_of
from engine.terms import Piece
from engine.views import PlayerView, View, ranked
from render import icons
from render.accounts import accounts, accounts_height, robberies, robberies_height
from render.chart import bars
from render.course import course
from render.fonts import called
from render.ink import Ink
from render.palette import GOLD, INK, PAPER, PLAYERS, SEAS, USUAL, Look, on, reduce
from render.panels import FIGURE, LABEL, Box, write
from render.pieces import building
from render.png import encode
from render.words import FigureWords

WIDTH = 1200
_EDGE, _GAP = 36, 34
"""Space around and between the parts, in pixels."""
_TITLE, _LEGEND, _ROW, _COURSE, _DICE = 150, 58, 76, 410, 370
"""Heights, in pixels."""
_BESIDE, _DICE_WIDE = 520, 590
"""Width of the dice chart in pixels: next to the cards, and next to the robberies."""
_FEW = 4
"""Most players whose cards have room next to the dice chart."""


def figures(view: View, story: Story, names: Sequence[str], words: FigureWords, look: Look = USUAL) -> bytes:
    """The PNG of a game's stats, as far as the view knows them, 1200 pixels wide."""
    return encode(compose(view, story, names, words, look))


def compose(view: View, story: Story, names: Sequence[str], words: FigureWords, look: Look = USUAL) -> Image.Image:
    """The same as an image of mode P."""
    order = ranked(view, story.points[-1])
    parts, height = boxes(below(len(order), look), len(order), story, look)
    image = Image.new("RGB", (WIDTH, height), look.theme.panel)
    _title(image, view, words, look)
    _legend(image, _TITLE, words, look)
    for k, player in enumerate(order):
        row = _TITLE + look.scaled(_LEGEND) + k * look.scaled(_ROW)
        name = called(names, player.seat, player.color)
        _player(image, row, view, story.points[-1][player.seat], player, name, look)
    course(image, parts[0], view, story, order, words, look)
    bars(image, parts[1], view, words, look)
    robberies(image, parts[2], story, order, words, look)
    accounts(image, parts[3], story, order, words, look)
    return reduce(image, look.palette, look.dark)


def below(players: int, look: Look) -> int:
    """Pixels from the top down to what is below the table of players."""
    return _TITLE + look.scaled(_LEGEND) + look.scaled(_ROW) * players + _GAP


def boxes(top: int, players: int, story: Story, look: Look) -> tuple[tuple[Box, Box, Box, Box], int]:
    """The boxes of points, dice, robberies and cards, from `top` down, and the height of the picture."""
    whole = WIDTH - 2 * _EDGE
    square, table = robberies_height(players, look), accounts_height(story, look)
    lines = Box(_EDGE, top, whole, look.scaled(_COURSE))
    top += lines.height + _GAP
    if look.large and players > _FEW:
        dice = Box(_EDGE, top, whole, look.scaled(_DICE))
        thefts = Box(_EDGE, dice.top + dice.height + _GAP, whole, square)
        cards = Box(_EDGE, thefts.top + thefts.height + _GAP, whole, table)
    elif look.large or players > _FEW:
        dice = Box(_EDGE, top, _DICE_WIDE, max(look.scaled(_DICE), square))
        thefts = Box(_EDGE + _DICE_WIDE + _GAP, top, whole - _DICE_WIDE - _GAP, square)
        cards = Box(_EDGE, top + dice.height + _GAP, whole, table)
    else:
        dice = Box(_EDGE, top, _BESIDE, max(_DICE, table - square - _GAP))
        thefts = Box(_EDGE, dice.top + dice.height + _GAP, _BESIDE, square)
        cards = Box(_EDGE + _BESIDE + _GAP, top, whole - _BESIDE - _GAP, table)
    bottom = max(box.top + box.height for box in (thefts, cards))
    return (lines, dice, thefts, cards), bottom + _GAP


# --- who has won


def _title(image: Image.Image, view: View, words: FigureWords, look: Look) -> None:
    winners = view.outcome.winners if view.outcome else ()
    ground = GOLD if winners else SEAS[0]
    if len(winners) == 1:
        ground = PLAYERS[look.palette][view.players[winners[0]].color]
    ink = Ink(WIDTH, _TITLE, origin=(0, 0), fine=2)
    ink.box(18, 14, WIDTH - 36, _TITLE - 28, INK, 24)
    ink.box(22, 18, WIDTH - 44, _TITLE - 36, ground, 20)
    ink.circle(96, _TITLE / 2, 46, PAPER)
    if winners:
        icons.crown(ink, 96, _TITLE / 2, 62)
    else:
        icons.columns(ink, 96, _TITLE / 2, 58)
    plate = ink.image()
    image.paste(plate, (0, 0), plate)
    room = WIDTH - 170 - 48
    write(image, words.title, (168, 56), 58, on(ground), width=room)
    write(image, words.detail, (170, 108), 34, on(ground), bold=False, width=room)


# --- the players

_SOURCES = ("settlements", "cities", "cards", "road", "army")
_STEP = 92


def columns() -> tuple[int, list[int]]:
    """The middles (x) of the column of points, and of the columns of their sources."""
    sources = [WIDTH - _EDGE - 40 - _STEP * (len(_SOURCES) - 1 - k) for k in range(len(_SOURCES))]
    return sources[0] - 118, sources


def _legend(image: Image.Image, top: int, words: FigureWords, look: Look) -> None:
    total, sources = columns()
    middle = top + look.scaled(_LEGEND) // 2
    sprites = (
        building(Piece.SETTLEMENT, "white", look.scaled(92)),
        building(Piece.CITY, "white", look.scaled(88)),
        *(_icon(name, look.scaled(46)) for name in ("star", "road", "knight")),
    )
    for sprite, x in zip(sprites, sources, strict=True):
        image.paste(sprite, (x - sprite.width // 2, middle - sprite.height // 2), sprite)
    room = 2 * (sources[0] - total - sprites[0].width // 2 - 8)
    size, grey = look.scaled(LABEL), look.theme.grey
    write(image, words.points, (total, middle), size, grey, bold=False, align="middle", width=room)


@lru_cache(maxsize=8)
def _icon(name: str, size: int) -> Image.Image:
    ink = Ink(size, size, 1)
    {"star": icons.trophy, "road": icons.roads, "knight": icons.shield}[name](ink, 0, 0, size * 0.9)
    return ink.image()


def _player(image: Image.Image, top: int, view: View, points: int, player: PlayerView, name: str, look: Look) -> None:
    tall, seat = look.scaled(_ROW), player.seat
    middle, (total, middles) = top + tall // 2, columns()
    image.paste(look.theme.line, (_EDGE, top - 1, WIDTH - _EDGE, top + 1))
    house = building(Piece.CITY, player.color, look.scaled(106), look.palette)
    image.paste(house, (_EDGE, middle - house.height // 2), house)
    ink = look.theme.grey if player.resigned else look.theme.ink
    left, size = _EDGE + house.width + 14, look.scaled(FIGURE)
    room = total - look.scaled(52) - left
    write(image, name, (left, middle), size, ink, width=room)
    won = view.outcome is not None and seat in view.outcome.winners
    if won:
        plate = _pill(look.scaled(88), tall - 12)
        image.paste(plate, (total - plate.width // 2, middle - plate.height // 2), plate)
    write(image, str(points), (total, middle), look.scaled(56), INK if won else ink, align="middle")
    counts = view.outcome and data_of(view.config).hidden_points  # else only cards that were played count (L1)
    hidden = player.development_cards[VICTORY_POINT] if counts and player.development_cards else 0
    sources = (
        (player.settlements.bit_count(), False),
        (player.cities.bit_count(), False),
        (hidden + player.played[VICTORY_POINT], False),
        (player.road_length, view.longest_road == seat),
        (player.played[KNIGHT], view.largest_army == seat),
    )
    for (count, award), x in zip(sources, middles, strict=True):
        if award:
            plate = _pill(look.scaled(68), tall - 16)
            image.paste(plate, (x - plate.width // 2, middle - plate.height // 2), plate)
        color = INK if award else ink if count else look.theme.grey
        write(image, str(count), (x, middle), size, color, align="middle")


@lru_cache(maxsize=4)
def _pill(width: int, height: int) -> Image.Image:
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, INK, 16)
    ink.box(2, 2, width - 4, height - 4, GOLD, 14)
    return ink.image()

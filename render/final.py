"""The end of a game in one picture: who has won and by what, how it went, and what was done with the cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engine.chronicle import Story
from engine.resources import VICTORY_POINT
from engine.terms import Piece
from engine.views import PlayerView, View
from render import icons
from render.chart import bars
from render.fonts import drop, fitting, text
from render.ink import Ink, Point
from render.palette import GOLD, INK, PAPER, PLAYERS, USUAL, Color, Look, reduce
from render.pieces import building
from render.png import encode
from render.words import EndWords

WIDTH = 1200
_HEAD, _LEGEND, _ROW, _CHART = 150, 54, 84, 430
_EDGE = 36


def final(view: View, story: Story, names: Sequence[str], words: EndWords, look: Look = USUAL) -> bytes:
    """The PNG of a game that is over; raises `ValueError` for one that isn't."""
    return encode(compose(view, story, names, words, look))


def compose(view: View, story: Story, names: Sequence[str], words: EndWords, look: Look = USUAL) -> Image.Image:
    """The same as a P picture."""
    if view.outcome is None:
        raise ValueError("the game isn't over")
    points = view.outcome.points
    ranked = sorted(view.players, key=lambda p: (-points[p.seat], p.seat))
    height = _HEAD + _LEGEND + _ROW * len(ranked) + _CHART
    image = Image.new("RGB", (WIDTH, height), look.theme.panel)
    _title(image, view, words, look)
    _legend(image, _HEAD, words, look)
    for k, player in enumerate(ranked):
        _player(image, _HEAD + _LEGEND + k * _ROW, view, story, player, names[player.seat], look)
    top = height - _CHART
    _course(image, (_EDGE, top + 24, 720, _CHART - 48), view, story, words, look)
    _dice(image, (800, top + 24, WIDTH - 800 - _EDGE, _CHART - 48), view, words, look)
    return reduce(image, look.palette, look.dark)


def _title(image: Image.Image, view: View, words: EndWords, look: Look) -> None:
    assert view.outcome is not None
    winners = view.outcome.winners
    ground = PLAYERS[look.palette][view.players[winners[0]].color] if len(winners) == 1 else GOLD
    ink = Ink(WIDTH, _HEAD, origin=(0, 0), fine=2)
    ink.box(18, 14, WIDTH - 36, _HEAD - 28, INK, 24)
    ink.box(22, 18, WIDTH - 44, _HEAD - 36, ground, 20)
    ink.circle(96, _HEAD / 2, 46, PAPER)
    icons.crown(ink, 96, _HEAD / 2, 62)
    plate = ink.image()
    image.paste(plate, (0, 0), plate)
    color = INK if sum(ground) > 380 else PAPER
    note = text(words.detail, 32, color, False)
    shown = fitting(words.title, 58, WIDTH - 170 - 60)
    title = text(shown, 58, color)
    image.paste(title, (168, 34 + drop(shown, 58)), title)
    image.paste(note, (170, 96 + drop(words.detail, 32, False)), note)


# --- the table

_SOURCES = ("settlements", "cities", "cards", "road", "army")
_TOTAL, _FIRST, _STEP, _SECOND, _WIDE = 410, 496, 74, 870, 82


def _legend(image: Image.Image, top: int, words: EndWords, look: Look) -> None:
    draw = {
        "settlements": lambda: building(Piece.SETTLEMENT, "white", 84.0),
        "cities": lambda: building(Piece.CITY, "white", 84.0),
        "cards": lambda: _icon("star"),
        "road": lambda: _icon("road"),
        "army": lambda: _icon("knight"),
    }
    for k, name in enumerate(_SOURCES):
        sprite = draw[name]()
        image.paste(sprite, (_FIRST + k * _STEP - sprite.width // 2, top + (_LEGEND - sprite.height) // 2), sprite)
    total = text(words.points, 26, look.theme.grey, False)
    image.paste(total, (_TOTAL - total.width // 2, top + 16 + drop(words.points, 26, False)), total)
    for k, name in enumerate(words.counts):
        word = text(name, 26, look.theme.grey, False)
        image.paste(word, (_SECOND + k * _WIDE - word.width // 2, top + 16 + drop(name, 26, False)), word)


@lru_cache(maxsize=8)
def _icon(name: str) -> Image.Image:
    ink = Ink(44, 44, 1)
    {"star": icons.trophy, "road": icons.roads, "knight": icons.shield}[name](ink, 0, 0, 40)
    return ink.image()


def _player(image: Image.Image, top: int, view: View, story: Story, player: PlayerView, name: str, look: Look) -> None:
    assert view.outcome is not None
    seat, middle = player.seat, top + _ROW // 2
    image.paste(look.theme.line, (_EDGE, top, WIDTH - _EDGE, top + 2))
    house = building(Piece.CITY, player.color, 104.0, look.palette)
    image.paste(house, (_EDGE, middle - house.height // 2), house)
    ink = look.theme.grey if player.resigned else look.theme.ink
    shown = fitting(name, 40, _TOTAL - 60 - _EDGE - house.width - 14) or player.color
    word = text(shown, 40, ink)
    image.paste(word, (_EDGE + house.width + 12, middle - 16 + drop(shown, 40)), word)
    won = seat in view.outcome.winners
    if won:
        pill = Ink(84, _ROW - 16, origin=(0, 0))
        pill.box(0, 0, 84, _ROW - 16, INK, 16)
        pill.box(2, 2, 80, _ROW - 20, GOLD, 14)
        plate = pill.image()
        image.paste(plate, (_TOTAL - 42, top + 9), plate)
    _figure(image, _TOTAL, middle, view.outcome.points[seat], 56, INK if won else ink, look)
    hidden = player.development_cards[VICTORY_POINT] if player.development_cards else 0
    sources = (
        player.settlements.bit_count(),
        2 * player.cities.bit_count(),
        hidden + player.played[VICTORY_POINT],
        2 * (view.longest_road == seat),
        2 * (view.largest_army == seat),
    )
    for k, count in enumerate(sources):
        _figure(image, _FIRST + k * _STEP, middle, count, 40, ink, look)
    for k, count in enumerate((story.made[seat], story.taken[seat], story.lost[seat], story.traded[seat])):
        _figure(image, _SECOND + k * _WIDE, middle, count, 36, ink, look)


def _figure(image: Image.Image, x: int, y: int, count: int, size: int, color: Color, look: Look) -> None:
    word = text(str(count), size, color if count else look.theme.grey)
    image.paste(word, (x - word.width // 2, y - word.height // 2), word)


# --- the charts


def _course(
    image: Image.Image, box: tuple[int, int, int, int], view: View, story: Story, words: EndWords, look: Look
) -> None:
    """Points by turn: a line for each player."""
    left, top, width, height = box
    title = text(words.course, 30, look.theme.ink)
    image.paste(title, (left, top), title)
    most = max(view.config.target, *(max(points) for points in story.points))
    ink = Ink(width, height - 50, origin=(0, 0), fine=2)
    floor, wide = height - 90, width - 60

    def at(turn: int, points: float) -> Point:
        return 44 + wide * turn / max(1, len(story.points) - 1), floor - (floor - 16) * points / most

    for mark in range(0, most + 1, 2 if most <= 14 else 5):
        ink.line([at(0, mark), at(len(story.points) - 1, mark)], 2, look.theme.line, caps=False)
    ink.line([at(0, view.config.target), at(len(story.points) - 1, view.config.target)], 3, GOLD, caps=False)
    for seat, player in enumerate(view.players):
        shift = (seat - (len(view.players) - 1) / 2) * 0.06  # lines that run together stay apart
        line = [at(turn, points[seat] + shift) for turn, points in enumerate(story.points)]
        line = [p for k, p in enumerate(line) for p in ((p[0], line[k - 1][1]) if k else p, p)]
        for thick, color in ((9, INK), (5.5, PLAYERS[look.palette][player.color])):
            ink.line(line, thick, color)
    sprite = ink.image()
    image.paste(sprite, (left, top + 46), sprite)
    for mark in range(0, most + 1, 2 if most <= 14 else 5):
        word = text(str(mark), 24, look.theme.grey, False)
        y = top + 46 + round(at(0, mark)[1])
        image.paste(word, (left + 30 - word.width, y - word.height // 2), word)


def _dice(image: Image.Image, box: tuple[int, int, int, int], view: View, words: EndWords, look: Look) -> None:
    """How often each sum was rolled, with what was to be expected."""
    left, top, width, height = box
    title = text(words.rolls, 30, look.theme.ink)
    image.paste(title, (left, top), title)
    bars(image, (left, top + 40, width, height - 40), view, look)

"""The points over a game: a line for each player, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engine.chronicle import Story
from engine.terms import Piece
from engine.views import PlayerView, View
from render.ink import Ink, Point
from render.palette import GOLD, INK, PAPER, PLAYERS, Look, PaletteName, on
from render.panels import LABEL, Box, title, write
from render.pieces import building, mark
from render.words import FigureWords

_LINE, _RIM = 6.0, 2.0
"""Width of a line, and of its outline on each side."""
_APART = 6.0
"""Pixels between lines that run together, as long as all of them take no more than `_BUNDLE`."""
_BUNDLE = 0.6
"""Of what a point measures."""
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Of the turns, and of the points, that are written at the axes."""
_BETWEEN = 150
"""Pixels from a mark on a line to the next one, or more where there are many lines."""


def course(
    image: Image.Image, box: Box, view: View, story: Story, ranked: Sequence[PlayerView], words: FigureWords, look: Look
) -> None:
    """Points by turn; `ranked`: the players in order, the first one's line uppermost."""
    head, size = title(image, box, words.course, look), look.scaled(LABEL)
    radius = look.scaled(108 if len(ranked) < 6 else 84)
    house = building(Piece.SETTLEMENT, "red", radius, look.palette)
    left, right = look.scaled(54), house.width + 10
    field = Box(box.left, box.top + head, box.width, box.height - head)
    ink = Ink(field.width, field.height, origin=(0, 0), fine=2)
    floor, ceiling, wide = field.height - look.scaled(46), 26, field.width - left - right
    turns, most = len(story.points) - 1, max(view.config.target, *map(max, story.points))

    def x(turn: float) -> float:
        return left + wide * turn / max(1, turns)

    def y(points: float) -> float:
        return floor - (floor - ceiling) * points / most

    levels, days = _ticks(most, 6), _ticks(turns, 8)
    for points in levels:
        ink.line([(x(0), y(points)), (left + wide, y(points))], 2, look.theme.line, caps=False)
    for turn in days:
        ink.line([(x(turn), floor), (x(turn), floor + 8)], 3, look.theme.line, caps=False)
    ink.line([(x(0), y(view.config.target)), (left + wide, y(view.config.target))], 4, GOLD, caps=False)
    shifts = _shifts(len(ranked), y(0) - y(1))
    for at, player in reversed(list(enumerate(ranked))):
        line = _stairs([(x(turn), y(points[player.seat]) + shifts[at]) for turn, points in enumerate(story.points)])
        for thick, color in ((_LINE + 2 * _RIM, _rim(look)), (_LINE, PLAYERS[look.palette][player.color])):
            ink.line(line, thick, color)
    lines = ink.image()
    image.paste(lines, (field.left, field.top), lines)
    for at, player in enumerate(ranked):
        chip = _chip(player.color, look.palette, look.scaled(26))
        between = max(_BETWEEN, (chip.width + 2) * len(ranked))
        for k in range(int(wide / between) + 1):
            along = (k + (at + 0.5) / len(ranked)) * between
            if along < wide - chip.width:
                points = story.points[int(along / wide * max(1, turns))][player.seat]
                place = (round(left + along), round(y(points) + shifts[at]))
                image.paste(
                    chip, (field.left + place[0] - chip.width // 2, field.top + place[1] - chip.height // 2), chip
                )
    ends = [y(story.points[-1][player.seat]) for player in ranked]
    low, high = house.height / 2, floor + 10 - house.height / 2
    for player, end in zip(ranked, _apart(ends, house.height - 2, low, high), strict=True):
        house = building(Piece.SETTLEMENT, player.color, radius, look.palette)
        image.paste(house, (field.left + field.width - house.width, field.top + round(end) - house.height // 2), house)
    for points in levels:
        where = (field.left + left - 14, field.top + round(y(points)))
        write(image, str(points), where, size, look.theme.grey, align="right")
    for turn in days:
        where = (field.left + round(x(turn)), field.top + floor + look.scaled(28))
        write(image, str(turn), where, size, look.theme.grey, align="middle")


def _ticks(most: int, count: int) -> list[int]:
    """Round numbers from 0 to the most, at about that many steps."""
    step = next(step for step in _STEPS if most <= step * count or step == _STEPS[-1])
    return list(range(0, most + 1, step))


def _shifts(players: int, point: float) -> list[float]:
    """By how many pixels each line is moved, so that those that run together stay apart; a point measures `point`."""
    apart = min(_APART, _BUNDLE * point / (players - 1))
    return [(k - (players - 1) / 2) * apart for k in range(players)]


def _stairs(points: Sequence[Point]) -> list[Point]:
    """A line that rises at a turn, not on the way to it."""
    line = [points[0]]
    for x, y in points[1:]:
        if y != line[-1][1]:
            line += [(x, line[-1][1]), (x, y)]
    return [*line, points[-1], points[-1]]


def _apart(wanted: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """The nearest places to those wanted, in the same order, at a distance from each other and within limits."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + distance if places else low))
    limit = high
    for k in range(len(places) - 1, -1, -1):
        places[k] = min(places[k], limit)
        limit = places[k] - distance
    return places


def _rim(look: Look) -> tuple[int, int, int]:
    return PAPER if look.dark else INK


@lru_cache(maxsize=64)
def _chip(color: str, palette: PaletteName, size: int) -> Image.Image:
    """A player's mark on a line."""
    ink = Ink(size, size)
    body = PLAYERS[palette][color]
    ink.circle(0, 0, size / 2, INK)
    ink.circle(0, 0, size / 2 - 2, body)
    mark(ink, color, 0, 0, size * 0.52, on(body))
    return ink.image()

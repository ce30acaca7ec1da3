"""The chart of points over a game: a line for each player, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from engine.log.chronicle import Story
from engine.terms import Piece
from engine.views import PlayerView, View
from render.ink import Ink
from render.palette import GOLD, INK, PAPER, PLAYERS, Look
from render.panels import LABEL, Box, title, write
from render.pen import Point
from render.pieces import building, chip
from render.words import FigureWords

_LINE, _RIM = 6.0, 2.0
"""Width of a line, and of its outline on each side, in pixels."""
_APART = 6.0
"""Pixels between lines at the same points, as long as all lines together take no more than `_BUNDLE`."""
_BUNDLE = 0.6
"""Largest height of all lines at the same points, as a share of the height of one point."""
_LEVELS, _DAYS = 6, 8
"""Most steps labeled on the axis of points, and on the axis of turns."""
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Possible sizes of a step."""
_BETWEEN = 150
"""Pixels from a mark on a line to the next one; more if there are many lines."""


@dataclass(frozen=True, slots=True)
class _Field:
    """The chart's area in pixels of the picture, and the turns and points that it covers."""

    left: int
    right: int
    top: int
    floor: int
    turns: int
    most: int
    """Points at its top."""

    def x(self, turn: float) -> float:
        return self.left + (self.right - self.left) * turn / max(1, self.turns)

    def y(self, points: float) -> float:
        return self.floor - (self.floor - self.top) * points / self.most


def course(
    image: Image.Image, box: Box, view: View, story: Story, ranked: Sequence[PlayerView], words: FigureWords, look: Look
) -> None:
    """Draw the points by turn. `ranked` has the players in order; the first one's line is on top."""
    head, bottom, target = title(image, box, words.course, look), box.top + box.height, view.config.target
    houses = [
        building(Piece.SETTLEMENT, p.color, look.scaled(108 if len(ranked) < 6 else 84), look.palette) for p in ranked
    ]
    field = _Field(
        left=box.left + look.scaled(54),
        right=box.left + box.width - houses[0].width - 10,
        top=box.top + head + 26,
        floor=bottom - look.scaled(46),
        turns=len(story.points) - 1,
        most=max(target, *map(max, story.points)),
    )
    courses = [[points[player.seat] for points in story.points] for player in ranked]
    offsets = shifts(len(ranked), field.y(0) - field.y(1))
    ink = Ink(box.width, box.height, origin=(-box.left, -box.top), fine=2)
    _grid(ink, field, target, look)
    for player, points, shift in reversed(list(zip(ranked, courses, offsets, strict=True))):
        line = stairs([(field.x(turn), field.y(n) + shift) for turn, n in enumerate(points)])
        for thick, color in ((_LINE + 2 * _RIM, _rim(look)), (_LINE, PLAYERS[look.palette][player.color])):
            ink.line(line, thick, color)
    lines = ink.image()
    image.paste(lines, (box.left, box.top), lines)
    _numbers(image, field, look)
    for at, (player, points, shift) in enumerate(zip(ranked, courses, offsets, strict=True)):
        sprite = chip(player.color, look.palette, look.scaled(26))
        for x in _places(field, at / len(ranked), max(_BETWEEN, (sprite.width + 2) * len(ranked)), sprite.width):
            turn = int((x - field.left) / (field.right - field.left) * field.turns)
            y = round(field.y(points[turn]) + shift)
            image.paste(sprite, (round(x) - sprite.width // 2, y - sprite.height // 2), sprite)
    tall = houses[0].height
    ends = spread(
        [field.y(points[-1]) for points in courses], tall - 2, field.top - 26 + tall / 2, field.floor + 10 - tall / 2
    )
    for house, end in zip(houses, ends, strict=True):
        image.paste(house, (box.left + box.width - house.width, round(end) - house.height // 2), house)


def _grid(ink: Ink, field: _Field, target: int, look: Look) -> None:
    """Draw lines for round numbers of points, ticks for turns, and the line of the target."""
    for points in ticks(field.most, _LEVELS):
        ink.line([(field.left, field.y(points)), (field.right, field.y(points))], 2, look.theme.line, caps=False)
    for turn in ticks(field.turns, _DAYS):
        ink.line([(field.x(turn), field.floor), (field.x(turn), field.floor + 8)], 3, look.theme.line, caps=False)
    ink.line([(field.left, field.y(target)), (field.right, field.y(target))], 4, GOLD, caps=False)


def _numbers(image: Image.Image, field: _Field, look: Look) -> None:
    """Write the numbers of the lines and ticks."""
    size = look.scaled(LABEL)
    for points in ticks(field.most, _LEVELS):
        write(image, str(points), (field.left - 14, round(field.y(points))), size, look.theme.grey, align="right")
    for turn in ticks(field.turns, _DAYS):
        where = (round(field.x(turn)), field.floor + look.scaled(28))
        write(image, str(turn), where, size, look.theme.grey, align="middle")


def _places(field: _Field, start: float, between: int, width: int) -> Iterator[float]:
    """The x of each mark on a line. `start` is where the first one is, as a share of the distance between two marks."""
    x = field.left + (start + 0.06) * between
    while x < field.right - width:
        yield x
        x += between


def ticks(most: int, count: int) -> list[int]:
    """Round numbers from 0 up to `most`, in at most `count` steps."""
    step = next(step for step in _STEPS if most <= step * count or step == _STEPS[-1])
    return list(range(0, most + 1, step))


def shifts(players: int, point: float) -> list[float]:
    """Pixels by which each line is moved to keep lines at the same points apart; a point is `point` pixels high."""
    distance = min(_APART, _BUNDLE * point / (players - 1))
    return [(k - (players - 1) / 2) * distance for k in range(players)]


def stairs(points: Sequence[Point]) -> list[Point]:
    """A stepped line: it rises at a turn, not on the way to it."""
    line = [points[0]]
    for x, y in points[1:]:
        if y != line[-1][1]:
            line += [(x, line[-1][1]), (x, y)]
    return [*line, points[-1], points[-1]]


def spread(wanted: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Places as near as possible to the `wanted` ones, one below the other like these, at least `distance` apart,
    within limits."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    places: dict[int, float] = {}
    least, most = low, high
    for k in order:
        places[k] = max(wanted[k], least)
        least = places[k] + distance
    for k in reversed(order):
        places[k] = min(places[k], most)
        most = places[k] - distance
    return [places[k] for k in range(len(wanted))]


def _rim(look: Look) -> tuple[int, int, int]:
    return PAPER if look.dark else INK

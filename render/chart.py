"""The chart of dice: how often each sum was rolled, and how often it was to be expected."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.board import pips
from engine.views import View
from render.fonts import text
from render.palette import GOLD, GREY, INK, RED, SEAS, Look
from render.panels import FIGURE, LABEL, Box, size_for, title, write
from render.robber import robber
from render.tokens import token
from render.words import FigureWords


def bars(image: Image.Image, box: Box, view: View, words: FigureWords, look: Look) -> None:
    """Draw a bar for each sum with its count, a mark across it at the expected count, and the tokens below."""
    left, top, width, height = box
    draw, total, step = ImageDraw.Draw(image), sum(view.rolls), width / 11
    label, middle = look.scaled(LABEL), top + look.scaled(17)
    wide = write(
        image,
        words.expected,
        (left + width, middle),
        label,
        look.theme.grey,
        bold=False,
        align="right",
        width=width // 2,
    )
    _expected(draw, left + width - wide - 66, middle, 52)
    head = title(image, box, words.rolls, look, beside=wide + 66 + 20)
    size = size_for(list(view.rolls), look.scaled(FIGURE), step - 4)
    ceiling, floor = top + head + size, top + height - round(1.3 * step)
    expected = {number: total * _ways(number) / 36 for number in range(2, 13)}
    scale = (floor - ceiling) / max(1, *view.rolls, *expected.values())
    half = round(step * 0.36)
    for number in range(2, 13):
        middle, count = round(left + (number - 1.5) * step), view.rolls[number]
        high, mark = round(floor - count * scale), round(floor - expected[number] * scale)
        if count:
            fill = RED if number in (6, 8) else GREY if number == 7 else SEAS[0]
            draw.rounded_rectangle((middle - half, high, middle + half, floor + 9), min(9, half // 2), fill)
            draw.rectangle((middle - half, floor, middle + half, floor + 9), look.theme.panel)
        if total:
            _expected(draw, middle - half - 4, mark, 2 * half + 8)
        word = text(str(count), size, look.theme.ink if count else look.theme.grey)
        image.paste(word, (middle - word.width // 2, min(high, mark - 4) - word.height - 8), word)
        sprite = robber(0.62 * step, 0.21 * step) if number == 7 else token(number, 0.42 * step, False, look.dark)
        image.paste(sprite, (middle - sprite.width // 2, (floor + top + height - sprite.height) // 2), sprite)
    draw.line((left, floor, left + width, floor), look.theme.line, 3)


def _expected(draw: ImageDraw.ImageDraw, left: int, y: int, width: int) -> None:
    """Draw the mark of an expected count."""
    draw.rounded_rectangle((left, y - 5, left + width, y + 5), 5, INK)
    draw.rounded_rectangle((left + 2, y - 3, left + width - 2, y + 3), 3, GOLD)


def _ways(number: int) -> int:
    """How many of the 36 possible throws give a sum."""
    return 6 if number == 7 else pips(number)

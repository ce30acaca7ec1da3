"""The dice so far against what was to be expected."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.board import pips
from engine.views import View
from render.fonts import text
from render.palette import GOLD, GREY, INK, RED, SEAS, USUAL, Look, reduce
from render.pieces import robber
from render.png import encode
from render.tokens import token
from render.words import DiceWords

WIDTH, HEIGHT = 1000, 520
_LEFT, _TOP = 40, 70


def dice_chart(view: View, words: DiceWords, look: Look = USUAL) -> bytes:
    """The PNG of a bar per sum, with the number expected so far as a mark across it."""
    return encode(compose(view, words, look))


def compose(view: View, words: DiceWords, look: Look = USUAL) -> Image.Image:
    """The same as a P picture."""
    image = Image.new("RGB", (WIDTH, HEIGHT), look.theme.panel)
    total = sum(view.rolls)
    title = text(words.title, 34, look.theme.ink)
    image.paste(title, (_LEFT, 26), title)
    if total:
        note = text(words.expected, 28, look.theme.grey, False)
        image.paste(note, (WIDTH - _LEFT - note.width, 30), note)
        _expected(ImageDraw.Draw(image), WIDTH - _LEFT - note.width - 78, 41, 62)
    bars(image, (_LEFT, _TOP, WIDTH - 2 * _LEFT, HEIGHT - _TOP), view, look)
    return reduce(image, look.palette, look.dark)


def bars(image: Image.Image, box: tuple[int, int, int, int], view: View, look: Look) -> None:
    """A bar for each sum with its count, what was to be expected across it, and the tokens below."""
    left, top, width, height = box
    draw, total, step = ImageDraw.Draw(image), sum(view.rolls), width / 11
    size = (40 if look.large else 30) if step > 60 else 22
    ceiling, floor = top + size + 14, top + height - round(1.2 * step)
    expected = {number: total * _ways(number) / 36 for number in range(2, 13)}
    scale = (floor - ceiling) / max(1, *view.rolls, *expected.values())
    half = round(step * (0.34 if step > 60 else 0.42))
    for number in range(2, 13):
        middle, count = round(left + (number - 1.5) * step), view.rolls[number]
        high, mark = round(floor - count * scale), round(floor - expected[number] * scale)
        if count:
            fill = RED if number in (6, 8) else GREY if number == 7 else SEAS[0]
            draw.rounded_rectangle((middle - half, high, middle + half, floor + 9), min(9, half // 2), fill)
            draw.rectangle((middle - half, floor, middle + half, floor + 9), look.theme.panel)
        if total:
            reach = half + (6 if step > 60 else 1)
            _expected(draw, middle - reach, mark, 2 * reach)
        word = text(str(count), size, look.theme.ink if count else look.theme.grey)
        image.paste(word, (middle - word.width // 2, min(high, mark - 4) - word.height - 6), word)
        sprite = robber(1.05 * step) if number == 7 else token(number, 1.2 * step)
        image.paste(sprite, (middle - sprite.width // 2, (floor + top + height - sprite.height) // 2), sprite)
    draw.line((left - 12, floor, left + width + 12, floor), look.theme.line, 3)


def _expected(draw: ImageDraw.ImageDraw, left: int, y: int, width: int) -> None:
    """The mark of what was to be expected."""
    draw.rounded_rectangle((left, y - 4, left + width, y + 4), 4, INK)
    draw.rounded_rectangle((left + 2, y - 2, left + width - 2, y + 2), 2, GOLD)


def _ways(number: int) -> int:
    """In how many of 36 throws a sum falls."""
    return 6 if number == 7 else pips(number)

"""The dice so far against what was to be expected."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.board import pips
from engine.views import View
from render.fonts import text
from render.palette import GOLD, GREY, INK, PANEL, PANEL_LINE, RED, SEAS, reduce
from render.pieces import robber
from render.png import encode
from render.tokens import token

WIDTH, HEIGHT = 1000, 520
_LEFT, _TOP, _FLOOR = 40, 96, 420


def dice_chart(view: View) -> bytes:
    """The PNG of a bar per sum, with the number expected so far as a mark across it."""
    return encode(compose(view))


def compose(view: View) -> Image.Image:
    """The same as a P picture."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PANEL)
    draw = ImageDraw.Draw(image)
    total = sum(view.rolls)
    expected = {number: total * _ways(number) / 36 for number in range(2, 13)}
    scale = (_FLOOR - _TOP) / max(1, *view.rolls, *expected.values())
    step = (WIDTH - 2 * _LEFT) / 11
    for number in range(2, 13):
        middle = round(_LEFT + (number - 1.5) * step)
        count = view.rolls[number]
        half = round(step * 0.34)
        top = round(_FLOOR - count * scale)
        if count:
            fill = RED if number in (6, 8) else GREY if number == 7 else SEAS[0]
            draw.rounded_rectangle((middle - half, top, middle + half, _FLOOR + 9), 9, fill)
        mark = round(_FLOOR - expected[number] * scale)
        if total:
            draw.rounded_rectangle((middle - half - 7, mark - 4, middle + half + 7, mark + 4), 4, INK)
            draw.rounded_rectangle((middle - half - 5, mark - 2, middle + half + 5, mark + 2), 2, GOLD)
        word = text(str(count), 30, INK if count else GREY)
        image.paste(word, (middle - word.width // 2, min(top, mark - 4) - word.height - 8), word)
    draw.rectangle((0, _FLOOR, WIDTH, HEIGHT), PANEL)
    draw.line((_LEFT - 12, _FLOOR, WIDTH - _LEFT + 12, _FLOOR), PANEL_LINE, 3)
    for number in range(2, 13):
        middle = round(_LEFT + (number - 1.5) * step)
        sprite = robber(88.0) if number == 7 else token(number, 100.0)
        image.paste(sprite, (middle - sprite.width // 2, (_FLOOR + HEIGHT - sprite.height) // 2), sprite)
    title = text(f"{total} roll{'' if total == 1 else 's'} so far", 34, INK)
    image.paste(title, (_LEFT, 26), title)
    if total:
        note = text("expected", 28, GREY, False)
        image.paste(note, (WIDTH - _LEFT - note.width, 30), note)
        x = WIDTH - _LEFT - note.width - 16
        draw.rounded_rectangle((x - 62, 37, x, 45), 4, INK)
        draw.rounded_rectangle((x - 60, 39, x - 2, 43), 2, GOLD)
    return reduce(image, "standard")


def _ways(number: int) -> int:
    """In how many of 36 throws a sum falls."""
    return 6 if number == 7 else pips(number)

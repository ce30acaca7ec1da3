"""Words in pictures have room in every language: they are whole, legible, in the picture, and nothing covers them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import pytest
from PIL import Image

import render
from bot.languages import codes, language
from bot.screens.history import caption
from bot.words import pictures
from bot.words.language import speaking
from bot.words.marks import color_title
from engine.config import COLORS, Config
from engine.log.chronicle import Account, Story
from engine.outcome import Outcome
from engine.rules import data_of
from engine.terms import EndReason
from engine.views import View
from render import bands, cards, dice, fonts, strip
from render.costs import WIDTH as COSTS_WIDTH
from render.costs import compose as compose_costs
from render.figures import WIDTH as FIGURES_WIDTH
from render.figures import compose as compose_figures
from render.film import WIDTH as FILM_WIDTH
from render.film import _captioned
from render.fonts import least_size
from render.picture import DICE
from render.then_and_now import WIDTH, _caption
from tests.bot.words.pseudo import Long
from tests.render.build import game, player, view

USUAL, LARGE = render.USUAL, render.Look(large=True)
LANGUAGES: dict[str, Any] = {code: language(code) for code in ("en", *codes())} | {"long": Long()}
Rectangle = tuple[int, int, int, int]


@dataclass(frozen=True)
class Sprite:
    """What was put on an image: where it has ink, and its words and their font size if it has any."""

    box: Rectangle
    words: str
    size: int


@dataclass(frozen=True)
class Canvas:
    """An image, and what was put on it, in order."""

    image: Image.Image
    sprites: list[Sprite]


@pytest.fixture
def canvases(monkeypatch: pytest.MonkeyPatch) -> dict[int, Canvas]:
    """All images on which something is put."""
    found: dict[int, Canvas] = {}
    mask, alpha, paste, composite = fonts._mask, Image.Image.putalpha, Image.Image.paste, Image.Image.alpha_composite

    def written(content: str, size: int, bold: bool) -> Image.Image:
        image = mask(content, size, bold)
        image.info["words"] = content, size
        return image

    def transparent(self: Image.Image, channel: Image.Image) -> None:
        alpha(self, channel)
        self.info |= channel.info

    def note(target: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
        if sprite.mode == "RGBA" and (ink := sprite.getchannel("A").getbbox()):
            box = (x + ink[0], y + ink[1], x + ink[2], y + ink[3])
            canvas = found.setdefault(id(target), Canvas(target, []))
            canvas.sprites.append(Sprite(box, *sprite.info.get("words", ("", 0))))

    def pasted(self: Image.Image, im: Image.Image, box: Any = None, sprite: Image.Image | None = None) -> None:
        if sprite is not None:
            note(self, sprite, *box[:2])
        paste(self, im, box, sprite)

    def composed(self: Image.Image, im: Image.Image, dest: tuple[int, int] = (0, 0)) -> None:
        note(self, im, *dest)
        composite(self, im, dest)

    for cached in (fonts.text, cards._badge, strip._cell, dice.roll, bands.kept):
        cached.cache_clear()
    for part in ("cards", "costs", "figures"):
        # the final colors don't matter here
        monkeypatch.setattr(import_module(f"render.{part}"), "reduce", lambda image, *_: image)
    monkeypatch.setattr(fonts, "_mask", written)
    monkeypatch.setattr(Image.Image, "putalpha", transparent)
    monkeypatch.setattr(Image.Image, "paste", pasted)
    monkeypatch.setattr(Image.Image, "alpha_composite", composed)
    return found


def problems(canvas: Canvas, least: int, names: Sequence[str]) -> Iterator[str]:
    """What is wrong with the words on an image. `least`: their least font size; `names` can be cut, as each stands next
    to its player's mark."""
    width, height = canvas.image.size
    for at, one in enumerate(canvas.sprites):
        if not one.words:
            continue
        if "…" in one.words and not any(name.startswith(one.words.removesuffix("…")) for name in names):
            yield f"{one.words!r} is cut"
        if one.size < least and any(map(str.isalpha, one.words)):
            yield f"{one.words!r} is too small: {one.size} pixels instead of {least}"
        left, top, right, bottom = one.box
        if left < 0 or top < 0 or right > width or bottom > height:
            yield f"{one.words!r} leaves the picture: {one.box}"
        for other in canvas.sprites[at + 1 :]:
            x0, y0, x1, y1 = other.box
            if left < x1 and x0 < right and top < y1 and y0 < bottom:
                yield f"{one.words!r} is covered by {other.words or 'a drawing'!r}"


def drawn(look: render.Look) -> Iterator[int]:
    """Draw pictures with all kinds of words, in the present language, and give the width of each. Players are called by
    their colors."""
    data = data_of(Config(COLORS[:2]))
    compose_costs(data, True, pictures.cost_words(data, True), look)
    yield COSTS_WIDTH
    for fresh in ((1, 2, 3, 1, 2), (0, 1, 1, 1, 1)):
        mine = player(0, "red", hand=(0, 1, 9, 19, 19), development=(3, 2, 14, 1, 2), fresh=fresh)
        shown = view(players=[mine], seat=0)
        cards.compose(shown, pictures.hand_words(shown), look)
        yield cards.WIDTH
    for shown, story in games():
        names = pictures.names_beside_marks(shown, [""] * len(shown.players))
        compose_figures(shown, story, names, pictures.figure_words(shown, [""] * len(names)), look)
        yield FIGURES_WIDTH
        for own in (True, False):
            for title in pictures.then_and_now_titles(shown, shown, own):
                _caption(title, look)
        strip.bands(shown, names, WIDTH, look)
        for one in shown.players:
            dice.roll((6, 6), look.scaled(DICE), names[one.seat], one.color, look.palette, look.dark)
        yield WIDTH
        _captioned(Image.new("RGB", (FILM_WIDTH, 8)), caption(shown, names))
        yield FILM_WIDTH


def games() -> Iterator[tuple[View, Story]]:
    """A game under way and games that are over, with cards that came and went in all ways."""
    running, _story = game(4, turns=90, over=False)
    over, story = game(4, turns=90)
    counted = (Account(*[118] * len(Account._fields)),) * 8
    full = story._replace(accounts=counted)
    yield replace(running, dice=(6, 6)), full
    for winners in ((), (0, 1)):
        yield replace(over, outcome=Outcome(EndReason.ROUNDS, winners, (10,) * 4)), story
    many, story = game(8, turns=90)
    yield many, story._replace(accounts=counted)


@pytest.mark.parametrize("look", [USUAL, LARGE], ids=["usual", "large"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_words_have_room(
    code: str, look: render.Look, canvases: dict[int, Canvas], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    found = set()
    with speaking(LANGUAGES[code]):
        names = [color_title(color) for color in COLORS]
        for width in drawn(look):
            for canvas in canvases.values():
                found |= set(problems(canvas, least_size(width), names))
            canvases.clear()
    assert found == set()

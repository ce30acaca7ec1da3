"""Eight colors that all eyes tell apart, and one palette with every flat color."""

from __future__ import annotations

import pytest
from PIL import Image

from engine.config import COLORS
from engine.terms import Piece
from render.palette import MARKS, PLAYERS, PaletteName, fixed, on
from render.pieces import building
from tests.render.colors import EYES, closest, pixels

LEAST = {"standard": 27.0, "colorblind": 32.0}
"""The least distance in CIE Lab; 2.3 is just noticeable."""


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("palette", PLAYERS)
def test_any_two_players_colours_can_be_told_apart_with_any_colour_vision(palette: PaletteName, eyes: str) -> None:
    distance, pair = closest(PLAYERS[palette], eyes)
    assert distance >= LEAST[palette], pair


@pytest.mark.parametrize("palette", PLAYERS)
def test_every_colour_has_its_own_mark_that_stands_out(palette: PaletteName) -> None:
    assert set(PLAYERS[palette]) == set(MARKS) == set(COLORS)
    assert len(set(MARKS.values())) == len(COLORS)
    for color in PLAYERS[palette].values():
        assert closest({"body": color, "mark": on(color)}, "normal")[0] > 45


def test_marks_differ_in_shape_and_not_only_in_colour() -> None:
    shapes = set()
    for color in COLORS:
        piece = building(Piece.SETTLEMENT, color, 111.0)
        mark = on(PLAYERS["standard"][color])
        shapes.add(bytes(pixel[:3] == mark for pixel in pixels(piece)))
    assert len(shapes) == len(COLORS)


@pytest.mark.parametrize("palette", PLAYERS)
def test_the_palette_keeps_the_players_colours(palette: PaletteName) -> None:
    for color in PLAYERS[palette].values():
        seen = Image.new("RGB", (1, 1), color).quantize(palette=fixed(palette), dither=Image.Dither.NONE)
        shown = seen.convert("RGB").getpixel((0, 0))
        assert isinstance(shown, tuple)
        assert max(abs(a - b) for a, b in zip(shown, color, strict=True)) <= 4

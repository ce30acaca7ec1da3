"""Signs for texts."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

import render
from engine.resources import RESOURCES

EMOJI = 256 * 2**10
"""The most bytes of a picture that Discord takes as an emoji."""


def test_each_sign_is_a_different_small_square() -> None:
    signs = render.signs()
    assert {*RESOURCES, *render.MARKS, "die_one", "die_six"} < set(signs)
    assert len(set(signs.values())) == len(signs)
    for data in signs.values():
        image = Image.open(BytesIO(data))
        assert image.width == image.height
        assert image.getpixel((0, 0)) == (0, 0, 0, 0), "its ground is transparent"
        assert len(data) < EMOJI

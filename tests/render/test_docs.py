"""The pictures in docs show what the renderer draws."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from docs.draw import FOLDER, PICTURES


@pytest.mark.parametrize("name", PICTURES)
def test_a_stored_picture_is_up_to_date(name: str) -> None:
    stored = Image.open(FOLDER / f"{name}.png").convert("RGB")
    drawn = Image.open(BytesIO(PICTURES[name]())).convert("RGB")
    assert stored.size == drawn.size, "stale: run `make docs`"
    difference = ImageStat.Stat(ImageChops.difference(stored, drawn))
    assert max(difference.mean) < 0.5, "stale: run `make docs`"

"""A whole game as an animated WebP: one frame per turn, with a caption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO

from PIL import Image

from engine.views import View
from render.fonts import drop, fitted, least_size, text
from render.palette import INK, PAPER, USUAL, Look
from render.picture import board

WIDTH = 640
LONGEST = 60_000
"""Longest film, in milliseconds."""
LARGEST = 8 << 20
"""Largest file, in bytes: Discord accepts at least this much."""
_FRAME, _FIRST, _LAST = 700, 1500, 5000
"""Milliseconds that a frame of a short film is shown; then those of the first frame, and of the last one."""
_CAPTION, _SIZE = 48, 26
"""Height of the caption above a frame, and its font size, in pixels."""
_QUALITIES = (72, 55, 35)


def film(views: Sequence[View], captions: Sequence[str], names: Sequence[str], look: Look = USUAL) -> bytes:
    """The film's file, with a caption for each view. Making it takes about 30 ms per frame."""
    times = _times(len(views))
    for quality in _QUALITIES:
        out = BytesIO()
        frames = _frames(views, captions, names, look)
        next(frames).save(
            out,
            "WEBP",
            save_all=True,
            append_images=frames,
            duration=times,
            loop=0,
            quality=quality,
            method=1,
            minimize_size=False,
        )
        if out.tell() <= LARGEST:
            break
    return out.getvalue()


def _times(frames: int) -> list[int]:
    """Milliseconds that each frame is shown, at most `LONGEST` in total."""
    each = min(_FRAME, (LONGEST - _FIRST - _LAST) // max(1, frames - 2))
    return [_FIRST, *[each] * (frames - 2), _LAST][:frames]


def _frames(views: Sequence[View], captions: Sequence[str], names: Sequence[str], look: Look) -> Iterator[Image.Image]:
    for view, caption in zip(views, captions, strict=True):
        yield _frame(view, caption, names, look)


def _frame(view: View, caption: str, names: Sequence[str], look: Look) -> Image.Image:
    whole = Image.open(BytesIO(board(view, names=names, look=look))).convert("RGB")
    small = whole.resize((WIDTH, round(whole.height * WIDTH / whole.width)), Image.Resampling.BOX)
    return _captioned(small, caption)


def _captioned(frame: Image.Image, caption: str) -> Image.Image:
    """A frame below its caption."""
    image = Image.new("RGB", (WIDTH, frame.height + _CAPTION), INK)
    line, size = fitted(caption, _SIZE, WIDTH - 32, least_size(WIDTH))
    word = text(line, size, PAPER)
    image.paste(word, (16, 12 + drop(line, size)), word)
    image.paste(frame, (0, _CAPTION))
    return image

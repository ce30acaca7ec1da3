"""Anti-aliased drawing: an enlarged canvas, in units of any size, that is reduced to a sprite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PIL import Image, ImageChops, ImageDraw

from render.palette import Color
from render.pen import Fill, Pen, Point

FINE = 4
"""How many times larger than in the picture a sprite is drawn."""


class Ink(Pen):
    """A canvas of `width` x `height` pixels; coordinates are in units of `unit` pixels from `origin`.

    `origin` is in pixels, by default the middle. The canvas is transparent, or opaque with a `ground`: a color, or a
    level of gray (mode L), which takes less than half the time to draw.
    """

    def __init__(
        self,
        width: int,
        height: int,
        unit: float = 1.0,
        origin: Point | None = None,
        fine: int = FINE,
        ground: Fill | None = None,
    ) -> None:
        self.fine = fine
        self.unit = unit * fine
        self.origin = (width / 2, height / 2) if origin is None else origin
        mode = "RGBA" if ground is None else "L" if isinstance(ground, int) else "RGB"
        self.canvas = Image.new(mode, (width * fine, height * fine), (0, 0, 0, 0) if ground is None else ground)
        self._draw = ImageDraw.Draw(self.canvas)

    def _px(self, points: Iterable[Point]) -> list[Point]:
        x, y = self.origin[0] * self.fine, self.origin[1] * self.fine
        return [(x + px * self.unit, y + py * self.unit) for px, py in points]

    def fill(self, points: Sequence[Point], fill: Fill) -> None:
        """Draw a filled polygon."""
        self._draw.polygon(self._px(points), fill=fill)

    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: Fill) -> None:
        """Draw a filled ellipse around (x, y)."""
        (left, top), (right, bottom) = self._px([(x - rx, y - ry), (x + rx, y + ry)])
        self._draw.ellipse((left, top, right, bottom), fill=fill)

    def line(self, points: Sequence[Point], width: float, fill: Fill, caps: bool = True) -> None:
        """Draw a line through points, with round joints and, with `caps`, round ends."""
        self._draw.line(self._px(points), fill=fill, width=max(1, round(width * self.unit)), joint="curve")
        if caps:
            for x, y in (points[0], points[-1]):
                self.circle(x, y, width / 2, fill)

    def box(self, x: float, y: float, width: float, height: float, fill: Color, round_: float = 0) -> None:
        """Draw a filled rectangle with rounded corners; (x, y) is its upper left corner."""
        (left, top), (right, bottom) = self._px([(x, y), (x + width, y + height)])
        self._draw.rounded_rectangle((left, top, right - 1, bottom - 1), round_ * self.unit, fill=fill)

    def clip(self, points: Sequence[Point]) -> None:
        """Erase everything outside a polygon."""
        mask = Image.new("L", self.canvas.size)
        ImageDraw.Draw(mask).polygon(self._px(points), fill=255)
        self.canvas.putalpha(ImageChops.multiply(self.canvas.getchannel("A"), mask))

    def image(self) -> Image.Image:
        """The drawing, reduced to its size in the picture."""
        return self.canvas.reduce(self.fine)


def trim(image: Image.Image) -> Image.Image:
    """Crop a sprite's empty margins as far as its middle stays the middle, so that there is less to paste."""
    box = image.getbbox() or (0, 0, 1, 1)
    x, y = min(box[0], image.width - box[2]), min(box[1], image.height - box[3])
    return image.crop((x, y, image.width - x, image.height - y))

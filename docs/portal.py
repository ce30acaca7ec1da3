"""Draws how to fill in Discord's developer portal, page by page: `python -m docs.portal`. Sketches, not screenshots."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from render.fonts import font
from render.palette import INK, PAPER, Color

FOLDER = Path(__file__).parent / "pictures"
WIDTH, MARGIN, LEFT = 800, 24, 300
GRAY: Color = (120, 128, 140)
LINE: Color = (196, 200, 206)
FIELD: Color = (255, 255, 255)
GOOD: Color = (42, 130, 90)
BAD: Color = (178, 60, 50)


@dataclass(frozen=True)
class Text:
    """A field and what to enter; `note` says why. If `empty`, it must stay empty."""

    label: str
    value: str
    note: str = ""
    empty: bool = False


@dataclass(frozen=True)
class Switch:
    """A switch that is on or off, or a `box` that is ticked or not."""

    label: str
    on: bool
    note: str = ""
    box: bool = False


@dataclass(frozen=True)
class Chips:
    """A list, and the entries that are chosen in it."""

    label: str
    chosen: tuple[str, ...]
    note: str = ""


Row = Text | Switch | Chips
PAGES: dict[str, tuple[str, tuple[Row, ...]]] = {
    "portal-general": (
        "General Information",
        (
            Text("Name", "Harbor games", "A name of your own, without anybody's trademark"),
            Text("Description", "Referees a trading game on hex islands.", "Shown in the bot's profile"),
            Text("Interactions Endpoint URL", "", "Leave it EMPTY, or no click reaches the bot", empty=True),
            Text("Terms of Service URL", "", "As you like"),
            Text("Privacy Policy URL", "https://your.site/privacy", "PRIVACY.md is a template"),
        ),
    ),
    "portal-bot": (
        "Bot",
        (
            Text("Token", "••••••••••••   Reset Token, Copy", "Into DISCORD_TOKEN; nobody else may see it"),
            Switch("Public Bot", True, "Off, only you could add it to servers"),
            Switch("Requires OAuth2 Code Grant", False, "On, nobody could add it"),
            Switch("Presence Intent", False, "Leave all three off"),
            Switch("Server Members Intent", False),
            Switch("Message Content Intent", False),
        ),
    ),
    "portal-installation": (
        "Installation",
        (
            Switch("User Install", False, "Ticked, it would be used where it can't post", box=True),
            Switch("Guild Install", True, box=True),
            Text("Install Link", "Discord Provided Link", "Open it to add the bot to your server"),
            Chips("Scopes", ("applications.commands", "bot"), "Under Guild Install"),
            Chips(
                "Permissions",
                (
                    "View Channels",
                    "Send Messages",
                    "Send Messages in Threads",
                    "Create Public Threads",
                    "Attach Files",
                    "Read Message History",
                ),
                "Create Public Threads is for games in threads of their own",
            ),
        ),
    ),
}
"""By name of the picture: the page's heading, and its rows from the top."""


class Sheet:
    """A page that grows downward."""

    def __init__(self, title: str) -> None:
        self.image = Image.new("RGB", (WIDTH, 1000), PAPER)
        self.draw = ImageDraw.Draw(self.image)
        self.draw.rectangle((0, 0, WIDTH, 56), fill=INK)
        self.write((MARGIN, 12), title, 24, PAPER)
        self.y = 80

    def write(self, at: tuple[int, int], words: str, size: int, color: Color, bold: bool = True) -> None:
        self.draw.text(at, words, font=font(size, bold), fill=color)

    def add(self, row: Row) -> None:
        """Draw a row below the others."""
        self.write((MARGIN, self.y + 4), row.label, 16, INK)
        match row:
            case Text():
                self._field(row)
                height = 34
            case Switch():
                self._switch(row)
                height = 28
            case Chips():
                height = self._chips(row.chosen)
        if row.note:
            warns = isinstance(row, Text) and row.empty
            self.write((LEFT, self.y + height + 2), row.note, 14, BAD if warns else GRAY, bold=False)
            height += 22
        self.y += height + 14

    def _field(self, row: Text) -> None:
        edge = BAD if row.empty else LINE
        box = (LEFT, self.y, WIDTH - MARGIN, self.y + 32)
        self.draw.rounded_rectangle(box, 5, fill=FIELD, outline=edge, width=2 if row.empty else 1)
        self.write((LEFT + 10, self.y + 5), row.value, 16, INK, bold=False)

    def _switch(self, row: Switch) -> None:
        on = row.on
        if row.box:
            self.draw.rounded_rectangle(
                (LEFT, self.y, LEFT + 26, self.y + 26), 5, fill=GOOD if on else FIELD, outline=GRAY
            )
            if on:
                self.draw.line([(LEFT + x, self.y + y) for x, y in ((6, 13), (11, 19), (20, 7))], fill=FIELD, width=3)
            words = "ticked" if on else "not ticked"
            self.write((LEFT + 38, self.y + 1), words, 16, GOOD if on else GRAY)
            return
        self.draw.rounded_rectangle((LEFT, self.y, LEFT + 50, self.y + 26), 13, fill=GOOD if on else LINE)
        knob = LEFT + (26 if on else 2)
        self.draw.ellipse((knob, self.y + 2, knob + 22, self.y + 24), fill=FIELD)
        self.write((LEFT + 62, self.y + 1), "on" if on else "off", 16, GOOD if on else GRAY)

    def _chips(self, words: tuple[str, ...]) -> int:
        x, y = LEFT, self.y
        for word in words:
            wide = int(font(15, False).getlength(word)) + 24
            if x + wide > WIDTH - MARGIN:
                x, y = LEFT, y + 38
            self.draw.rounded_rectangle((x, y, x + wide, y + 30), 15, fill=FIELD, outline=GOOD, width=2)
            self.write((x + 12, y + 5), word, 15, INK, bold=False)
            x += wide + 8
        return y - self.y + 32

    def png(self) -> bytes:
        """The picture as PNG, cut off below the last row."""
        out = BytesIO()
        cut = self.image.crop((0, 0, WIDTH, self.y + 6))
        cut.quantize(64, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        return out.getvalue()


def page(name: str) -> bytes:
    """The picture of one of `PAGES`."""
    title, rows = PAGES[name]
    sheet = Sheet(title)
    for row in rows:
        sheet.add(row)
    return sheet.png()


def main() -> None:
    """Draw all pages."""
    for name in PAGES:
        data = page(name)
        (FOLDER / f"{name}.png").write_bytes(data)
        print(f"{name}: {len(data) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()

"""The pieces that messages are made of: buttons and selects, pictures, and whole V2 layouts."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from discord import ui

from bot.frontends.discord.ids import BUTTON, SELECT, Address

Style = discord.ButtonStyle
MAX_TEXT = 4000
"""Characters of text in one message."""


class Press(ui.Button):
    """A button; what it does stands in its id, so that discord.py need not keep it in memory."""

    def is_dispatchable(self) -> bool:
        return False


class Choose(ui.Select):
    """A select, like `Press`."""

    def is_dispatchable(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Picture:
    """An image to send, with its alternative text."""

    data: bytes
    alt: str
    name: str = "board.png"

    def file(self) -> discord.File:
        """A fresh file object; a file can be sent only once."""
        return discord.File(io.BytesIO(self.data), self.name, description=self.alt[:1024])

    def gallery(self) -> ui.MediaGallery:
        """The component that shows the file."""
        return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{self.name}", description=self.alt[:1024]))


@dataclass(frozen=True, slots=True)
class Download:
    """A file to download."""

    data: bytes
    name: str

    def file(self) -> discord.File:
        """A fresh file object; a file can be sent only once."""
        return discord.File(io.BytesIO(self.data), self.name)


@dataclass(slots=True)
class Reply:
    """What to answer to one person: a text, perhaps a picture, rows of controls and a file to download."""

    text: str
    picture: Picture | None = None
    rows: Sequence[ui.ActionRow] = ()
    download: Download | None = None

    def layout(self) -> ui.LayoutView:
        """The V2 layout."""
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(shorten(self.text, MAX_TEXT - 10) or "…"))
        if self.picture is not None:
            view.add_item(self.picture.gallery())
        if self.download is not None:
            view.add_item(ui.File(f"attachment://{self.download.name}"))
        for row in self.rows:
            view.add_item(row)
        return view

    def files(self) -> list[discord.File]:
        """Fresh file objects of the layout."""
        return [part.file() for part in (self.picture, self.download) if part is not None]


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select."""

    value: str
    label: str
    description: str | None = None
    default: bool = False
    emoji: str | None = field(default=None)

    def build(self) -> discord.SelectOption:
        """The discord object, cut to the limits."""
        return discord.SelectOption(
            value=self.value,
            label=shorten(self.label, 100),
            description=shorten(self.description, 100) if self.description else None,
            default=self.default,
            emoji=self.emoji,
        )


def button(label: str, address: Address, style: Style = Style.secondary, emoji: str | None = None) -> Press:
    """A button for a row."""
    return Press(label=shorten(label, 80), style=style, emoji=emoji, custom_id=address.custom_id(BUTTON))


def select(
    placeholder: str, address: Address, options: Iterable[Option], *, least: int = 1, most: int = 1
) -> ui.ActionRow:
    """A select of at most 25 options, in a row of its own."""
    item: Choose = Choose(
        custom_id=address.custom_id(SELECT),
        placeholder=shorten(placeholder, 150),
        options=[option.build() for option in options],
        min_values=least,
        max_values=most,
    )
    return ui.ActionRow(item)


def rows(buttons: Sequence[Any]) -> list[ui.ActionRow]:
    """Buttons in rows of five."""
    return [ui.ActionRow(*buttons[i : i + 5]) for i in range(0, len(buttons), 5)]


def shorten(text: str, limit: int) -> str:
    """The text, cut with an ellipsis where it is too long."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"

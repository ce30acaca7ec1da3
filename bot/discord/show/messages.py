"""Turns plain data into what Discord shows: rows of buttons and lists, pictures, files, V2 layouts."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import discord
from discord import ui

from bot.discord.ids import BUTTON, SELECT, Address
from bot.discord.show.signs import MAX_TEXT
from bot.plaintext import cut
from bot.screens.controls import (
    FORUM,
    ROLE,
    Button,
    Do,
    Download,
    Link,
    ListOption,
    Open,
    Pick,
    Picture,
    Reply,
    Row,
    Section,
    Select,
    Style,
    Text,
)
from engine.actions import Action

ACCENT = discord.Colour(0x2A9D94)
"""Color of the program's own messages; a turn's panel has its player's color."""

STYLES = {
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SECONDARY: discord.ButtonStyle.secondary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}


class Press(ui.Button[Any]):
    """A button whose id says what it does, so that discord.py needn't keep it in memory."""

    def is_dispatchable(self) -> bool:
        return False


class Choose(ui.Select[Any]):
    """A list whose id says what it does, as with `Press`."""

    def is_dispatchable(self) -> bool:
        return False


class ChooseRole(ui.RoleSelect[Any]):
    """A list of roles, like `Press`."""

    def is_dispatchable(self) -> bool:
        return False


class ChooseChannel(ui.ChannelSelect[Any]):
    """A list of channels, like `Press`."""

    def is_dispatchable(self) -> bool:
        return False


PLACES = [discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice, discord.ChannelType.forum]
"""Channels in which games, or threads with games, can be."""


def encode(action: Action) -> tuple[str, ...]:
    """An action without cards as parts of a custom id."""
    return tuple(str(value).lower() for value in action.to_json())


def address(target: Do | Open, number: int, decision: str) -> Address:
    """The address of a control in a game, with the decision if the control is bound to one."""
    if target.bound and not decision:
        raise ValueError("a bound control needs its decision, or an old one would work for ever")
    bound = decision if target.bound else ""
    if isinstance(target, Do):
        return Address("do", number, bound, encode(target.action))
    return Address(target.verb, number, bound, target.args, target.shown)


def controls(rows: Iterable[Row], number: int, decision: str) -> Iterator[ui.Item[Any]]:
    """Rows of controls as Discord takes them: none is empty or too long."""
    for row in rows:
        if isinstance(row, Section):
            yield ui.Section(row.text, accessory=_button(row.button, number, decision))
        elif isinstance(row, Text):
            yield ui.TextDisplay(row.text)
        elif isinstance(row, Pick):
            yield ui.ActionRow(_pick(row, number, decision))
        elif isinstance(row, Select):
            if row.options:
                yield ui.ActionRow(_select(row, number, decision))
        else:
            for i in range(0, len(row), 5):
                yield ui.ActionRow(*(_button(button, number, decision) for button in row[i : i + 5]))


def _button(button: Button, number: int, decision: str) -> ui.Button[Any]:
    label = cut(button.label, 80)
    if isinstance(button.target, Link):
        return ui.Button(label=label, url=button.target.url, emoji=button.emoji)
    custom_id = address(button.target, number, decision).custom_id(BUTTON)
    return Press(label=label, style=STYLES[button.style], emoji=button.emoji, custom_id=custom_id)


def _select(select: Select, number: int, decision: str) -> Choose:
    return Choose(
        custom_id=address(select.target, number, decision).custom_id(SELECT),
        placeholder=cut(select.placeholder, 150),
        options=options_of(select.options),
        min_values=min(select.least, len(select.options)),
        required=select.least > 0,
        max_values=min(select.most, len(select.options)),
    )


def _pick(pick: Pick, number: int, decision: str) -> ChooseRole | ChooseChannel:
    kind = discord.SelectDefaultValueType.role if pick.of == ROLE else discord.SelectDefaultValueType.channel
    values: dict[str, Any] = {
        "custom_id": address(pick.target, number, decision).custom_id(SELECT),
        "placeholder": cut(pick.placeholder, 150),
        "min_values": pick.least,
        "max_values": pick.most,
        "required": pick.least > 0,
        "default_values": [discord.SelectDefaultValue(id=chosen, type=kind) for chosen in pick.chosen],
    }
    if pick.of == ROLE:
        return ChooseRole(**values)
    return ChooseChannel(**values, channel_types=[discord.ChannelType.forum] if pick.of == FORUM else PLACES)


def options_of(options: Iterable[ListOption]) -> list[discord.SelectOption]:
    """The options of a list, cut to Discord's limits."""
    return [
        discord.SelectOption(
            value=option.value,
            label=cut(option.label, 100),
            description=cut(option.description, 100) if option.description else None,
            default=option.default,
            emoji=option.emoji,
        )
        for option in options
    ]


def file_of(part: Picture | Download) -> discord.File:
    """A new file object: each can be sent only once."""
    alt = part.alt[:1024] if isinstance(part, Picture) else None
    return discord.File(io.BytesIO(part.data), part.name, description=alt)


def gallery_of(picture: Picture) -> ui.MediaGallery[Any]:
    """The component that shows a picture."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt[:1024]))


def plain(text: str, rows: Sequence[Row] = (), number: int = 0) -> ui.LayoutView:
    """The V2 layout of a text and controls, if any."""
    return layout_of(Reply(text, rows=rows), number)


def below(buttons: Sequence[Button], number: int) -> ui.View:
    """Buttons below a plain message, whose text can be edited without them."""
    view = ui.View(timeout=None)
    for button in buttons:
        view.add_item(_button(button, number, ""))
    return view


def layout_of(reply: Reply, number: int) -> ui.LayoutView:
    """The V2 layout of a reply about a game."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(cut(reply.text, MAX_TEXT - 10).strip() or "…"))
    if reply.picture is not None:
        view.add_item(gallery_of(reply.picture))
    if reply.download is not None:
        view.add_item(ui.File(f"attachment://{reply.download.name}"))
    for row in controls(reply.rows, number, reply.decision):
        view.add_item(row)
    return view


def without_pictures(view: ui.LayoutView) -> ui.LayoutView:
    """The same layout object, from which all pictures and files are removed."""
    for item in [*view.walk_children()]:
        if isinstance(item, ui.MediaGallery | ui.File):
            above: Any = item.parent or view
            above.remove_item(item)
    return view


def parts_of(reply: Reply) -> list[Picture | Download]:
    """The files of a reply's layout."""
    return [part for part in (reply.picture, reply.download) if part is not None]


def files_of(reply: Reply) -> list[discord.File]:
    """New file objects for a reply's layout."""
    return [file_of(part) for part in parts_of(reply)]

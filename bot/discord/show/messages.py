"""Turns plain data into what Discord shows: rows of buttons and lists, pictures, files, V2 layouts, with the program's
own emoji for resources, colors and dice, which look alike everywhere, and commands to click on.

All texts are written with Unicode's emoji, and with commands like `/game join`. In a layout that is sent, the program's
own emoji and Discord's mentions of commands replace them, if there are any.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import ui

from bot.discord.interaction import BUTTON, SELECT, Address
from bot.plaintext import clip, cut, length
from bot.screens.controls import (
    FORUM,
    ROLE,
    USER,
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
from bot.words.marks import COLOR_SIGNS, DIE_SIGNS, RESOURCE_SIGNS
from engine.actions import Action
from engine.resources import RESOURCES
from render import FACES

MAX_TEXT = 4000
"""Most characters of text in one message."""
SIGNS = {
    **dict(zip(RESOURCES, RESOURCE_SIGNS, strict=True)),
    **COLOR_SIGNS,
    **{f"die_{name}": sign for name, sign in zip(FACES, DIE_SIGNS, strict=True)},
}
"""Unicode's emoji, by the names of the program's own (`render.signs`)."""
_PLAIN = re.compile("|".join(SIGNS.values()))
_COMMAND = re.compile(r"`/([a-z][a-z -]*)((?: [a-z-]+:[^`]*)?)`")


class OwnSigns:
    """A client's own emoji and commands; none until `use` and `know`."""

    def __init__(self) -> None:
        self._own: dict[str, discord.PartialEmoji] = {}
        self._commands: dict[str, int] = {}
        self.doubted: Callable[[], None] = lambda: None
        """Called when Discord has refused the emoji, which aren't used anymore."""

    def know(self, commands: Mapping[str, int]) -> None:
        """Mention these commands from now on: ids by typed name, such as "game join"."""
        self._commands = dict(commands)

    def use(self, ids: Mapping[str, int]) -> None:
        """Use these emoji from now on: ids by name, for all names in `SIGNS`."""
        self._own = {sign: discord.PartialEmoji(name=name, id=ids[name]) for name, sign in SIGNS.items()}

    def doubt(self) -> bool:
        """Use no emoji from now on. Returns whether any were used."""
        used, self._own = bool(self._own), {}
        if used:
            self.doubted()
        return used

    def put_in(self, view: ui.LayoutView) -> None:
        """Put the emoji on a layout's controls, and emoji and commands into its texts, if all texts still fit."""
        texts = list[tuple[ui.TextDisplay[ui.LayoutView], str]]()
        for item in view.walk_children():
            if isinstance(item, ui.TextDisplay):
                texts.append((item, self.write(item.content)))
            elif isinstance(item, ui.Button) and item.emoji is not None:
                item.emoji = self._own.get(item.emoji.name, item.emoji)
            elif isinstance(item, ui.Select):
                for option in item.options:
                    if isinstance(option.emoji, discord.PartialEmoji):
                        option.emoji = self._own.get(option.emoji.name, option.emoji)
        if sum(length(drawn) for _, drawn in texts) <= MAX_TEXT:
            for item, drawn in texts:
                item.content = drawn

    def write(self, text: str) -> str:
        """A text with the client's own emoji, and with commands to click on."""
        text = _PLAIN.sub(lambda found: str(self._own.get(found[0], found[0])), text)
        return _COMMAND.sub(self._mention, text)

    def _mention(self, found: re.Match[str]) -> str:
        """A command to click on, followed by what to type into its options."""
        name, options = found[1], found[2].strip()
        if name not in self._commands:
            return found[0]
        return f"</{name}:{self._commands[name]}>" + (f" `{options}`" if options else "")


def put_in_signs(client: discord.Client, view: ui.LayoutView) -> None:
    """Make a layout ready to be sent: cut its texts to what Discord takes, and put a client's own emoji into it, if it
    has any (`Harbormaster.signs`)."""
    cut_to_fit(view)
    if isinstance(signs := getattr(client, "signs", None), OwnSigns):
        signs.put_in(view)


def cut_to_fit(view: ui.LayoutView) -> None:
    """Cut a layout's longest texts until all of them fit into a message."""
    texts = [item for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
    while (excess := sum(length(item.content) for item in texts) - MAX_TEXT) > 0:
        longest = max(texts, key=lambda item: length(item.content))
        longest.content = clip(longest.content, max(length(longest.content) - excess, 1))


def doubt_emoji(client: discord.Client) -> bool:
    """Have a client's own emoji looked up again, since Discord has refused one. Returns whether any were used."""
    known = getattr(client, "signs", None)
    return isinstance(known, OwnSigns) and known.doubt()


def with_signs(client: discord.Client, text: str | None) -> str | None:
    """A text without a layout, with a client's own emoji and commands."""
    signs = getattr(client, "signs", None)
    return signs.write(text) if isinstance(signs, OwnSigns) and text else text


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


class ChooseUser(ui.UserSelect[Any]):
    """A list of people, like `Press`."""

    def is_dispatchable(self) -> bool:
        return False


class ChooseChannel(ui.ChannelSelect[Any]):
    """A list of channels, like `Press`."""

    def is_dispatchable(self) -> bool:
        return False


GAME_CHANNELS = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.forum,
]
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


_PICKED = {ROLE: discord.SelectDefaultValueType.role, USER: discord.SelectDefaultValueType.user}


def _pick(pick: Pick, number: int, decision: str) -> ChooseRole | ChooseUser | ChooseChannel:
    kind = _PICKED.get(pick.of, discord.SelectDefaultValueType.channel)
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
    if pick.of == USER:
        return ChooseUser(**values)
    return ChooseChannel(**values, channel_types=[discord.ChannelType.forum] if pick.of == FORUM else GAME_CHANNELS)


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


def layout() -> ui.LayoutView:
    """An empty layout, of which discord.py keeps nothing once it is sent: a click is read when it comes, even after a
    restart."""
    view = ui.LayoutView(timeout=None)
    view.stop()
    return view


def below(buttons: Sequence[Button], number: int) -> ui.View:
    """Buttons below a plain message, whose text can be edited without them."""
    view = ui.View(timeout=None)
    view.stop()  # as of a layout
    for button in buttons:
        view.add_item(_button(button, number, ""))
    return view


def layout_of(reply: Reply, number: int) -> ui.LayoutView:
    """The V2 layout of a reply about a game."""
    view = layout()
    view.add_item(ui.TextDisplay(cut(reply.text, MAX_TEXT - 10).strip() or "…"))
    if reply.picture is not None:
        view.add_item(gallery_of(reply.picture))
    for download in reply.downloads:
        view.add_item(ui.File(f"attachment://{download.name}"))
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
    return [*([] if reply.picture is None else [reply.picture]), *reply.downloads]


def files_of(reply: Reply) -> list[discord.File]:
    """New file objects for a reply's layout."""
    return [file_of(part) for part in parts_of(reply)]

"""The program's own emoji for resources, colors and dice, which look alike everywhere, and commands to click on.

All texts are written with Unicode's emoji, and with commands like `/game join`. In a layout that is sent, the program's
own emoji and Discord's mentions of commands replace them, if there are any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import discord
from discord import ui

from bot.plaintext import clip, length
from bot.words.marks import COLOR_SIGNS, DIE_SIGNS, RESOURCE_SIGNS
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
_OWN = re.compile(rf"<:({'|'.join(SIGNS)}):[0-9]+>")
_PLAIN = re.compile("|".join(SIGNS.values()))
_COMMAND = re.compile(r"`/([a-z][a-z -]*)((?: [a-z-]+:[^`]*)?)`")
_MENTION = re.compile(r"</([a-z -]+):[0-9]+>(?: `([^`]*)`)?")


class Signs:
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


def put_in(client: discord.Client, view: ui.LayoutView) -> None:
    """Make a layout ready to be sent: cut its texts to what Discord takes, and put a client's own emoji into it, if it
    has any (`Harbormaster.signs`)."""
    fit(view)
    if isinstance(signs := getattr(client, "signs", None), Signs):
        signs.put_in(view)


def fit(view: ui.LayoutView) -> None:
    """Cut a layout's longest texts until all of them fit into a message."""
    texts = [item for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
    while (excess := sum(length(item.content) for item in texts) - MAX_TEXT) > 0:
        longest = max(texts, key=lambda item: length(item.content))
        longest.content = clip(longest.content, max(length(longest.content) - excess, 1))


def doubt(client: discord.Client) -> bool:
    """Have a client's own emoji looked up again, since Discord has refused one. Returns whether any were used."""
    known = getattr(client, "signs", None)
    return isinstance(known, Signs) and known.doubt()


def written(client: discord.Client, text: str | None) -> str | None:
    """A text without a layout, with a client's own emoji and commands."""
    signs = getattr(client, "signs", None)
    return signs.write(text) if isinstance(signs, Signs) and text else text


def plain(text: str) -> str:
    """A text as it was before `Signs.write`."""
    text = _MENTION.sub(lambda found: f"`/{found[1]} {found[2]}`" if found[2] else f"`/{found[1]}`", text)
    return _OWN.sub(lambda found: SIGNS[found[1]], text)

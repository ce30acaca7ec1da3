"""The messages that a game wants to have, as data: what each says, and whom it calls; and the files that this process
has put into messages: an edit uploads none that is there already."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from cachetools import LRUCache
from discord import ui

from bot.discord.show.messages import file_of
from bot.projections import Name, Projection
from bot.screens.controls import Download, Picture
from bot.screens.viewer import mention
from bot.table.preferences import UserSettings

MOST_MESSAGES = 5000
"""Messages whose files are remembered."""
Part = Picture | Download


class KeptFile:
    """A file that a message already has, in the form that `discord.Message.edit` takes."""

    def __init__(self, id: int, filename: str) -> None:
        self.id, self.filename = id, filename

    def to_dict(self) -> dict[str, Any]:
        """Id and name. The id alone would keep the file, but the component that shows it refers to it by file name."""
        return {"id": self.id, "filename": self.filename}


class Uploads:
    """Files by message and content."""

    def __init__(self) -> None:
        self._known: LRUCache[int, dict[int, KeptFile]] = LRUCache(MOST_MESSAGES)

    def files(self, message: int, parts: Sequence[Part]) -> list[Any]:
        """Attachments for an edit after which a message has exactly these files."""
        kept = self._known.get(message, {})
        return [kept.get(hash(part.data)) or file_of(part) for part in parts]

    def taken(self, message: int, parts: Sequence[Part]) -> list[Any]:
        """The same where several edits can be under way, as answers to quick clicks are: until this one is noted, the
        others don't count on any file, because it can take the files off."""
        files = self.files(message, parts)
        self.forget(message)
        return files

    def note(self, sent: discord.Message, parts: Sequence[Part]) -> None:
        """Remember that a message has these files, and no others."""
        ids = dict(_files_in(sent))
        kept = {hash(part.data): KeptFile(ids[part.name], part.name) for part in parts if part.name in ids}
        self._known.pop(sent.id, None)
        if kept:
            self._known[sent.id] = kept

    def forget(self, message: int) -> bool:
        """Forget a message's files, which might have changed. Returns whether any were known."""
        return self._known.pop(message, None) is not None

    def forget_everything(self) -> None:
        """Forget the files of all messages."""
        self._known.clear()


def _files_in(sent: discord.Message) -> list[tuple[str, int]]:
    """Names and ids of the files that a message's layout shows."""
    found = []
    for child in discord.ui.LayoutView.from_message(sent).walk_children():
        items = child.items if isinstance(child, discord.ui.MediaGallery) else [child]
        for media in (getattr(item, "media", None) for item in items):
            if media is not None and media.attachment_id:
                found.append((media.url.partition("?")[0].rpartition("/")[2], media.attachment_id))
    return found


@dataclass(frozen=True, slots=True)
class Content:
    """A message's content: a layout; or a text, which phones show in their notification, with buttons below."""

    view: ui.LayoutView | None = None
    text: str | None = None
    buttons: ui.View | None = None
    parts: Sequence[Part] = ()
    role: int = 0
    """The role that it mentions, and notifies when it is posted; 0: none."""

    @property
    def digest(self) -> int:
        """Changes with the layout, the text or the files; buttons below a text don't count."""
        components: Any = None if self.view is None else self.view.to_components()  # type: ignore[no-untyped-call]
        return hash((*(part.data for part in self.parts), str(components), self.text))


Say = Callable[[Collection[int]], Content]
"""The content of a message that notifies these users, or names them by mentions."""


def always(content: Content) -> Callable[[], Awaitable[Say]]:
    """A `draw` for content that is the same for all users, and that needs no drawing."""

    async def draw() -> Say:
        return lambda notified: content

    return draw


def calling(text: str, role: int = 0) -> Say:
    """A text after the names of those whom it notifies: users, and a server's role if it isn't 0."""

    def say(notified: Collection[int]) -> Content:
        who = " ".join([f"<@&{role}>"] * bool(role) + [mention(user) for user in notified])
        return Content(text=" · ".join(filter(None, (who, text))), role=role)

    return say


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Something that a game wants to have shown."""

    name: Name
    """Of its projection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(Wanted):
    """A message that a game wants to have."""

    draw: Callable[[], Awaitable[Say | None]]
    """Called only if something must be sent. Returns None if the message stays as it is."""
    key: int | None = None
    """A digest of its content that is known before it is drawn."""
    once: bool = False
    """Whether it is never edited."""
    then: Callable[[], Awaitable[None]] | None = None
    """Called once it is sent, or can't be sent to its user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notifying(Drawn):
    """A message in the game's channel, and whom it notifies."""

    users: tuple[int, ...] = ()
    """Users whom it can notify."""
    wants: Callable[[UserSettings], bool] = field(default=lambda settings: True)
    """Whether it notifies a user with these settings."""
    topic: str = ""
    """What users are called about: no one is notified of it twice in a few minutes, but later (`show/round.py`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMessage(Notifying):
    """What all see of a game, or a part of it: it stays in the channel, and is posted again if it can't be edited."""

    due: int = 0
    """Version that it must show: a message that shows that version isn't checked. 0: it is always checked."""
    final: bool = False
    """Whether it is no longer wanted, but stays in a final form, without controls."""
    returns: bool = False
    """Whether a final message can be wanted again, and is remembered for that."""
    owes: Name | None = None
    """The call that notifies users later whom this message can't notify yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelCall(Notifying):
    """A message that only serves to call people. It is posted again to notify users later, but not if it is gone."""

    silent: bool = True
    """Whether it is sent even if it notifies no one."""
    named: bool = False
    """Whether an edit still mentions the users whom it has notified."""
    covered_by: Name | None = None
    """A message that says the same if it is posted when the call is due."""
    delay: float = 0.0
    """Seconds until it can be sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter(Drawn):
    """A message to one person, the user in its name: by direct message, or in their private thread."""

    room: bool = False
    """Whether it is sent to the user's private thread at the table."""
    occasion: str | None = None
    """Name of what the user must learn immediately, and once; empty: nothing now; None: never anything."""
    notify_again: bool = False
    """Whether that needs a new message in place of the one before, as an edit notifies no one."""
    again: bool = False
    """Whether the user has been told of that, but it was undone, and is asked again."""
    told: bool = False
    """Whether the user counts as told of the occasion once the message is shown."""
    instead: tuple[tuple[int, Projection], ...] = ()
    """Messages of other games, by game number, that are deleted first: this one is about those games, too."""
    delay: float = 0.0
    """Seconds until it can be sent."""
    refused: Callable[[], Awaitable[None]] | None = None
    """Called if Discord takes no direct message to the user. None: then the channel calls them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered(Wanted):
    """What needs no message: another one says the same, or nothing is due."""

    delay: float = 0.0
    """Seconds until that is so."""
    then: Callable[[], Awaitable[None]] | None = None
    """Called then."""

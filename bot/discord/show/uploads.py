"""Files that this process has put into messages: an edit uploads none that is there already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from cachetools import LRUCache

from bot.discord.show.messages import file_of
from bot.screens.controls import Download, Picture

MOST = 5000
"""Messages whose files are remembered."""
Part = Picture | Download


class Kept:
    """A file that a message already has, in the form that `discord.Message.edit` takes."""

    def __init__(self, id: int, filename: str) -> None:
        self.id, self.filename = id, filename

    def to_dict(self) -> dict[str, Any]:
        """Id and name. The id alone would keep the file, but the component that shows it refers to it by file name."""
        return {"id": self.id, "filename": self.filename}


class Uploads:
    """Files by message and content."""

    def __init__(self) -> None:
        self._known: LRUCache[int, dict[int, Kept]] = LRUCache(MOST)

    def files(self, message: int, parts: Sequence[Part]) -> list[Any]:
        """Attachments for an edit after which a message has exactly these files."""
        kept = self._known.get(message, {})
        return [kept.get(hash(part.data)) or file_of(part) for part in parts]

    def note(self, sent: discord.Message, parts: Sequence[Part]) -> None:
        """Remember that a message has these files, and no others."""
        ids = dict(_files_in(sent))
        kept = {hash(part.data): Kept(ids[part.name], part.name) for part in parts if part.name in ids}
        self._known.pop(sent.id, None)
        if kept:
            self._known[sent.id] = kept

    def forget(self, message: int) -> bool:
        """Forget a message's files, which might have changed. Returns whether any were known."""
        return self._known.pop(message, None) is not None


def _files_in(sent: discord.Message) -> list[tuple[str, int]]:
    """Names and ids of the files that a message's layout shows."""
    found = []
    for child in discord.ui.LayoutView.from_message(sent).walk_children():
        items = child.items if isinstance(child, discord.ui.MediaGallery) else [child]
        for media in (getattr(item, "media", None) for item in items):
            if media is not None and media.attachment_id:
                found.append((media.url.partition("?")[0].rpartition("/")[2], media.attachment_id))
    return found

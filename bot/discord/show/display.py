"""What messages show and who is there, as far as this process knows: the memory behind all that is published."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import discord
from cachetools import LRUCache, TTLCache

from bot.discord.show import channels
from bot.discord.show.messages import without_pictures
from bot.discord.show.pictures import Pictures
from bot.discord.show.recent import recent
from bot.discord.show.uploads import Uploads
from bot.discord.show.wanted import Content
from bot.projections import PANEL
from bot.screens.controls import Picture
from bot.screens.history import TurnMemory
from bot.service import Services
from bot.table.table import Table

log = logging.getLogger(__name__)

Click = discord.Interaction[Any]
TOKEN = 14.5 * 60
"""Seconds for which an interaction's token is used; Discord takes it for 15 minutes."""


DRAWN = 3600.0
"""Seconds for which a film is kept that can't be sent."""
ASKED = 600.0
"""Seconds for which nobody is notified again of the same, however often others ask it and take it back."""
MOST = 5000
"""Games of which something is known."""


@dataclass(slots=True)
class _Known:
    """What is known of one game's messages."""

    posted: int = 0
    """The message that has the buttons now."""
    doubted: bool = False
    guild: int | None = -1
    """Its server; -1: not asked yet."""
    digests: dict[str, int] = field(default_factory=dict)
    """What each message shows, by its name."""


@contextmanager
def suppress_malformed() -> Iterator[None]:
    """Let go on what Discord finds wrong in itself."""
    try:
        yield
    except discord.HTTPException as error:
        if error.code != channels.MALFORMED:
            raise


class Display:
    """The client to send with, the services to ask, and what was sent; nothing here must outlive the process."""

    def __init__(self, client: discord.Client, services: Services, pictures: Pictures, films: bool) -> None:
        self.client = client
        self.services = services
        self.pictures = pictures
        self.films = films
        self.metrics = services.metrics
        self.turns = TurnMemory()
        services.repository.watch(self.turns.remember)
        self.uploads = Uploads()
        self.drawn: TTLCache[int, Picture] = recent(DRAWN)
        """Films that could not be sent yet, by game: to draw one takes seconds."""
        self._clicks: TTLCache[int, Click] = recent(TOKEN)
        self._asked: TTLCache[tuple[int, int, str], bool] = recent(ASKED)
        self._known: LRUCache[int, _Known] = LRUCache(MOST)

    def _of(self, number: int) -> _Known:
        """What is known of a game; of those that were looked at longest ago nothing is, which costs an edit."""
        if (known := self._known.get(number)) is None:
            known = self._known[number] = _Known()
        return known

    def unasked(self, where: int, about: str, users: Iterable[int]) -> list[int]:
        """Whom of users to notify that they are asked about something in a game, or a channel: those who haven't been
        lately."""
        return [user for user in users if self._asked.get((where, user, about)) is None]

    def asked(self, where: int, about: str, users: Iterable[int]) -> None:
        """They have been notified of it, by a message that was sent."""
        for user in users:
            self._asked[where, user, about] = True

    # --- edits, which are free by the token of a click: it isn't counted among the bot's 50 requests a second

    def clicked(self, message: int, click: Click) -> None:
        """Remember the latest click on a public message, acknowledged so that its token can edit that message."""
        self._clicks[message] = click

    async def edit(
        self, channel: int, message: int, said: Content, *, named: Collection[int] = (), closing: bool = False
    ) -> bool:
        """Edit a message; False when it is gone or can't be edited any more. It has only these files then.

        Where Discord takes no new file in an edit (discord-api-docs #7529) it is deleted, so that it is posted anew;
        one that is put away (`closing`) stays, without pictures.
        """
        if said.view is not None:
            channels.ready(self.client, said.view)
        try:
            return await self._edit(channel, message, said, named)
        except discord.HTTPException as error:
            if error.code != channels.MALFORMED or not said.parts or said.view is None:
                raise
        if self.uploads.forget(message):
            with suppress_malformed():  # somebody may have taken away what was there
                return await self._edit(channel, message, said, named)
        log.warning("Discord takes no new file in an edit of a message")
        if closing:
            return await self._edit(channel, message, Content(without_pictures(said.view)), named)
        await channels.delete(self.client, channel, message)
        return False

    async def _edit(self, channel: int, message: int, said: Content, named: Collection[int]) -> bool:
        edited: discord.Message | None = None
        if said.view is not None and (click := self._clicks.get(message)):
            there = self.uploads.files(message, said.parts)
            try:
                edited = await click.edit_original_response(
                    view=said.view, attachments=there, allowed_mentions=channels.mentions(named)
                )
            except channels.FAILED as error:
                if getattr(error, "code", None) == channels.MALFORMED:  # by itself the bot would be refused as well
                    raise
                log.info("a message could not be edited by a click on it: %s", str(error) or type(error).__name__)
                self._clicks.pop(message, None)
        if edited is None:
            files = partial(self.uploads.files, message, said.parts)
            edited = await channels.edit(self.client, channel, message, said, files, named)
        if edited is not None:
            self.uploads.note(edited, said.parts)
        return edited is not None

    # --- whose a game is

    async def guild_of(self, number: int) -> int | None:
        """The server of a game; None: it is in direct messages. Code: "no-table"."""
        known = self._of(number)
        if known.guild == -1:
            known.guild = (await self.services.repository.table(number)).guild
        return known.guild

    def is_ours(self, number: int) -> bool:
        """Whether this process looks after a game, as far as is known."""
        known = self._known.get(number)
        return known is None or known.guild == -1 or self.services.ownership.owns(known.guild)

    # --- what a message shows: the same is not sent twice

    def shows(self, number: int, name: str, digest: int) -> bool:
        """Whether a message shows just that."""
        return self._of(number).digests.get(name) == digest

    def note(self, number: int, name: str, digest: int) -> None:
        """A message shows that now."""
        self._of(number).digests[name] = digest

    def forget(self, number: int, name: str) -> None:
        """A message is gone, or shows what nobody knows."""
        self._of(number).digests.pop(name, None)

    def forget_everything(self) -> None:
        """Another process may have changed what all messages show."""
        for known in self._known.values():
            known.digests.clear()

    # --- the public message with buttons

    def posted(self, number: int, message: int) -> None:
        """That is the present one of a game."""
        self._of(number).posted = message

    def is_posted(self, number: int, message: int) -> bool:
        """Whether it is the present one."""
        return self._of(number).posted == message

    def doubt(self, number: int) -> None:
        """The panel may be gone or garbled: it is to be sent once more, due or not."""
        known = self._of(number)
        known.doubted = True
        known.digests.clear()

    def is_doubted(self, number: int) -> bool:
        """Whether it is still to be sent once more."""
        return self._of(number).doubted

    def trust(self, number: int) -> None:
        """It has been sent."""
        self._of(number).doubted = False

    # --- where things are

    async def link(self, table: Table) -> str | None:
        """Where the current panel of a game is; None where it has none."""
        panel = (await self.services.projections.visible(table.number)).get(PANEL)
        if panel is None or panel.message is None:
            return None
        return f"https://discord.com/channels/{table.guild or '@me'}/{panel.channel or table.channel}/{panel.message}"

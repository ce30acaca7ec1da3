"""What the messages of all games show, as far as this process knows: the memory behind everything that is published."""

from __future__ import annotations

from typing import Any

import discord

from bot.frontends.discord.publish.pictures import Pictures
from bot.models import PANEL, Table
from bot.presentation.history import TurnMemory
from bot.service import Services

Click = discord.Interaction[Any]


class Display:
    """The client to send with, the services to ask, and what was sent; nothing here must outlive the process."""

    def __init__(self, client: discord.Client, services: Services, pictures: Pictures) -> None:
        self.client = client
        self.services = services
        self.pictures = pictures
        self.metrics = services.metrics
        self.turns = TurnMemory()
        self._clicks: dict[int, Click] = {}
        self._posted: dict[int, int] = {}
        self._doubted: set[int] = set()
        self._digests: dict[tuple[int, str], int] = {}

    # --- clicks whose token can edit the panel, which spares the channel's limit of edits

    def clicked(self, number: int, click: Click) -> None:
        """Remember the latest click on a game's panel, already acknowledged."""
        self._clicks[number] = click

    def take_click(self, number: int) -> Click | None:
        """That click, once."""
        return self._clicks.pop(number, None)

    # --- what a message shows: the same is not sent twice

    def shows(self, number: int, name: str, digest: int) -> bool:
        """Whether a message shows just that."""
        return self._digests.get((number, name)) == digest

    def note(self, number: int, name: str, digest: int) -> None:
        """A message shows that now."""
        self._digests[number, name] = digest

    def forget(self, number: int, name: str) -> None:
        """A message is gone, or shows what nobody knows."""
        self._digests.pop((number, name), None)

    def forget_all(self, number: int) -> None:
        """Another process may have changed what the messages of a game show."""
        for known in [known for known in self._digests if known[0] == number]:
            del self._digests[known]

    # --- the public message with buttons

    def posted(self, number: int, message: int) -> None:
        """That is the present one of a game."""
        self._posted[number] = message

    def is_posted(self, number: int, message: int) -> bool:
        """Whether it is the present one."""
        return self._posted.get(number) == message

    def doubt(self, number: int) -> None:
        """The panel may be gone or garbled: it is to be sent once more, due or not."""
        self._doubted.add(number)
        self.forget_all(number)

    def is_doubted(self, number: int) -> bool:
        """Whether it is still to be sent once more."""
        return number in self._doubted

    def trust(self, number: int) -> None:
        """It has been sent."""
        self._doubted.discard(number)

    # --- where things are

    async def link(self, table: Table) -> str | None:
        """Where the current panel of a game is; None where it has none."""
        panel = (await self.services.projections.visible(table.number)).get(PANEL)
        if panel is None or panel.message is None:
            return None
        return f"https://discord.com/channels/{table.guild or '@me'}/{panel.channel or table.channel}/{panel.message}"

"""What all features share: the services, what is published, and who is being answered."""

from __future__ import annotations

import discord

from bot.frontends.discord.ephemeral import EphemeralMessages
from bot.frontends.discord.in_flight import InFlight
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.pictures import Pictures
from bot.frontends.discord.publish.publisher import Publisher
from bot.service import Services
from bot.workers import Worker


class AppContext:
    """The bot's parts, put together."""

    def __init__(self, client: discord.Client, services: Services, worker: Worker) -> None:
        """`worker` draws."""
        self.client = client
        self.services = services
        self.metrics = services.metrics
        self.pictures = Pictures(services.metrics, worker)
        self.display = Display(client, services, self.pictures)
        self.publisher = Publisher(self.display)
        self.ephemeral = EphemeralMessages()
        self.in_flight = InFlight()

    async def panel_link(self, number: int) -> str | None:
        """Where the current panel of a game is; None without such a game or panel."""
        if not number:
            return None
        return await self.display.link(await self.services.repository.table(number))

"""In which language someone who does something reads what only they see, and what they show to everyone."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import discord
from cachetools import TTLCache

from bot import languages
from bot.discord.interaction import now
from bot.languages import AUTO, Language
from bot.service.people import PeopleService
from bot.service.servers import ServerService
from bot.store import Unavailable

log = logging.getLogger(__name__)

KEPT = 60.0
"""Seconds for which a choice is remembered: another process could change it."""
MOST_PEOPLE = 10_000
LONGEST_LOOK = 0.5
"""Seconds that the settings can take: the click must be acknowledged within three."""


class Languages:
    """The languages of people, and of servers."""

    def __init__(self, people: PeopleService, servers: ServerService) -> None:
        self._people, self._servers = people, servers
        self._known: TTLCache[int, tuple[str, str]] = TTLCache(MOST_PEOPLE, KEPT, timer=now)
        """By user, the language that they chose, and their Discord's as it is stored."""

    async def of(self, interaction: discord.Interaction[Any]) -> Language:
        """What the person who sent an interaction has chosen, else the language of their Discord."""
        user, locale = interaction.user.id, interaction.locale.value
        if user not in self._known:
            try:
                async with asyncio.timeout(LONGEST_LOOK):
                    choices = (await self._people.settings(user)).choices
            except (TimeoutError, Unavailable):
                return languages.resolve(locale)
            self._known[user] = choices.language, choices.locale
        return languages.resolve(self._known[user][0], locale)

    async def public(self, interaction: discord.Interaction[Any]) -> Language:
        """The language of what the person shows to everyone apart from a table, and of a table that they open: as the
        server has chosen it for new tables, else the server's own if it is a community, else theirs."""
        guild, locale = interaction.guild_id, interaction.guild_locale
        begins = (await self._servers.settings(guild)).begins.options.language if guild else AUTO
        return languages.resolve(begins, locale and locale.value, (await self.of(interaction)).code)

    async def note(self, interaction: discord.Interaction[Any]) -> None:
        """Store the language of a person's Discord if it has changed: direct messages are written in it."""
        user, present = interaction.user.id, languages.resolve(interaction.locale.value)
        chosen, stored = self._known.get(user, ("", present.code))
        if languages.resolve(stored) == present:
            return
        self._known[user] = chosen, present.code
        try:
            await self._people.change_settings(user, choices={"locale": present.code})
        except Unavailable as error:
            self.forget(user)
            log.warning("The language of someone's Discord could not be stored: %s", error)

    def forget(self, user: int) -> None:
        """Read a person's choice again, as it has changed."""
        self._known.pop(user, None)

"""In which language each person reads what only they see: their own choice, or that of their Discord."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import discord
from cachetools import TTLCache

from bot import languages
from bot.discord.interaction import now
from bot.languages import Language
from bot.service.people import PeopleService
from bot.store import Unavailable

log = logging.getLogger(__name__)

KEPT = 60.0
"""Seconds for which a choice is remembered: another process could change it."""
MOST_PEOPLE = 10_000
LONGEST_LOOK = 0.5
"""Seconds that the settings can take: the click must be acknowledged within three."""


class PersonalLanguages:
    """The languages of people who do something."""

    def __init__(self, people: PeopleService) -> None:
        self._people = people
        self._known: TTLCache[int, tuple[str, str]] = TTLCache(MOST_PEOPLE, KEPT, timer=now)
        """By user, the language that they chose, and their Discord's as it is stored."""

    async def of(self, interaction: discord.Interaction[Any]) -> Language:
        """The language of whoever sent an interaction."""
        user, locale = interaction.user.id, interaction.locale.value
        if user not in self._known:
            try:
                async with asyncio.timeout(LONGEST_LOOK):
                    choices = (await self._people.settings(user)).choices
            except (TimeoutError, Unavailable):
                return languages.resolve(locale)
            self._known[user] = choices.language, choices.locale
        return languages.resolve(self._known[user][0], locale)

    async def note(self, interaction: discord.Interaction[Any]) -> None:
        """Store the language of a person's Discord if it has changed: direct messages are written in it."""
        user, locale = interaction.user.id, interaction.locale.value
        chosen, stored = self._known.get(user, ("", locale))
        if languages.resolve(stored) == languages.resolve(locale):
            return
        self._known[user] = chosen, locale
        try:
            await self._people.change_settings(user, choices={"locale": locale})
        except Unavailable as error:
            self.forget(user)
            log.warning("The language of someone's Discord could not be stored: %s", error)

    def forget(self, user: int) -> None:
        """Read a person's choice again, as it has changed."""
        self._known.pop(user, None)

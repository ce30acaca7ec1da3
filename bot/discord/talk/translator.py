"""Descriptions and choices of the commands, in every language. Their names stay English, as all texts call them so."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation

from bot import languages
from bot.languages import ENGLISH
from engine.terms import CONTEXT

TRANSLATED = {
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
    TranslationContextLocation.choice_name,
}
LONGEST_TEXT = 100
"""Most characters of each."""


class CommandTexts(app_commands.Translator):
    """Translates what Discord's client shows of the commands."""

    def __init__(self) -> None:
        self._languages = {locale: languages.resolve(locale.value) for locale in discord.Locale}

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """A text in a language of Discord's; None: it stays English."""
        language = self._languages[locale]
        if language is ENGLISH or context.location not in TRANSLATED:
            return None
        about, _context, message = string.message.rpartition(CONTEXT)
        text = language.pgettext(about, message) if about else language.gettext(message)
        return None if text == message or len(text) > LONGEST_TEXT else text

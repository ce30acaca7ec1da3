"""The group /game, to which the lobby and the table bring their commands."""

from __future__ import annotations

from discord import app_commands

from bot.presentation.texts.language import N_

GAME = app_commands.Group(name="game", description=N_("A table of the island game in this channel"), guild_only=True)

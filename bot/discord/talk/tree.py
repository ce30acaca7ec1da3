"""The slash commands as discord.py runs them: checking what was sent, giving suggestions, answering errors."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import Any

import discord
from discord import app_commands

from bot.discord.show import channels
from bot.discord.talk import commands, dispatch
from bot.discord.talk.call import IN_TIME, Call
from bot.discord.talk.commands import answer_command
from bot.screens.controls import Reply
from bot.store import Unavailable
from bot.words.language import N_, _, speaking
from engine.errors import RefereeError

log = logging.getLogger(__name__)

UNKNOWN = N_("That command has changed. Type `/` and pick it again.")


class Tree(app_commands.CommandTree):
    """All commands. What Discord's client would not send never reaches them. Their errors are answered.

    They exist on servers that the bot was added to, and in its direct messages. Commands that people install for
    themselves would follow them to servers where the bot can't show a board.
    """

    def __init__(self, client: discord.Client) -> None:
        super().__init__(
            client,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
        )

    @cached_property
    def registered(self) -> list[dict[str, Any]]:
        """The commands as they are registered with Discord, without translations."""
        return [command.to_dict(self) for command in self.get_commands()]

    async def payload(self) -> list[dict[str, Any]]:
        """The commands as they are sent to Discord, in every language that they have."""
        if (translator := self.translator) is None:
            return self.registered
        return [await command.get_translated_payload(self, translator) for command in self.get_commands()]

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:  # goes to `on_error`
            raise
        except Exception:
            log.exception("interaction %s failed", interaction.id)
            await dispatch.apologize(interaction)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let through what fits. Suggestions are answered here, because discord.py logs a traceback if one is late."""
        typing = interaction.type is discord.InteractionType.autocomplete
        data: Any = interaction.data
        if commands.fits_command(self.registered, data, typing=typing):
            if typing:
                async with interaction.client.app.turns.turn(interaction.user.id) as mine:
                    if mine and interaction.client.app.age(interaction) < IN_TIME:
                        await self._suggest(interaction, *commands.focused_option(data))
            return not typing
        name = data.get("name") if isinstance(data, dict) else data
        log.warning("interaction %s: no command of mine: %.80r", interaction.id, name)
        await (_complete(interaction, []) if typing else _say(interaction, UNKNOWN))
        return False

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Answer an error. Only one in a command itself is logged with a traceback."""
        if isinstance(error, app_commands.CommandInvokeError):
            log.error("command failed", exc_info=error)
            await _say(interaction, dispatch.BROKEN)
        else:
            log.warning("interaction %s: discord.py refuses it: %s", interaction.id, type(error).__name__)
            await _say(interaction, UNKNOWN)

    async def _suggest(self, interaction: discord.Interaction[Any], name: str, typed: Any) -> None:
        command: Any = interaction.command
        parameter = next(p for p in command._params.values() if p.display_name == name)
        try:
            with speaking(await interaction.client.app.languages.of(interaction)):
                choices = await parameter.autocomplete(interaction, str(typed))
        except RefereeError:  # the command itself will say so
            choices = []
        except Unavailable as error:
            log.warning("interaction %s: no suggestions: the store is unavailable: %s", interaction.id, error)
            choices = []
        except Exception:
            log.exception("no suggestions")
            choices = []
        await _complete(interaction, choices)


async def _complete(interaction: discord.Interaction[Any], choices: list[app_commands.Choice[str]]) -> None:
    try:
        await interaction.response.autocomplete(choices)
    except channels.FAILED as error:
        log.warning("interaction %s: suggestions could not be shown: %s", interaction.id, error)
    else:
        interaction.client.app.metrics.acknowledged("suggestions", interaction.created_at)


async def _say(interaction: discord.Interaction[Any], text: str) -> None:
    """Answer with a sentence, unless the command has answered already."""

    async def reply(call: Call) -> Reply:
        return Reply(_(text))

    if not interaction.response.is_done():
        await answer_command(interaction, reply)

"""Tokens of interactions that were answered. For some time they can still send, edit and delete messages."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import discord


class _Original:
    """Where Discord expects a message's id: the first answer, or the message that was clicked. discord.py would quote a
    string."""

    def __str__(self) -> str:
        return "@original"


_ORIGINAL: Any = _Original()


class Token(NamedTuple):
    """What is needed of an interaction later. The rest is large: it has the server, the people and the messages that
    Discord sent with it."""

    webhook: discord.Webhook
    expires: datetime
    clicked: int | None
    """Id of the message that was clicked."""

    @staticmethod
    def of(interaction: discord.Interaction[Any]) -> Token:
        """The token of an interaction that was acknowledged."""
        message = interaction.message
        return Token(interaction.followup, interaction.expires_at, None if message is None else message.id)

    @property
    def expired(self) -> bool:
        """Whether Discord no longer takes it."""
        return discord.utils.utcnow() >= self.expires

    async def edit(self, **content: Any) -> discord.Message:
        """Edit the first answer, or the message that was clicked; see `discord.Webhook.edit_message`."""
        return await self.webhook.edit_message(_ORIGINAL, **content)

    async def delete(self, followup: int | None) -> None:
        """Delete a message that followed the first answer; None: the first answer, or the message that was clicked."""
        await self.webhook.delete_message(_ORIGINAL if followup is None else followup)

"""What each person has open for their eyes only: a new private message takes the place of the one before."""

from __future__ import annotations

import logging
from typing import Any

import discord

from bot.frontends.discord.publish import channels

log = logging.getLogger(__name__)

Owner = tuple[int, int]
"""A user and a table."""
MOST = 1000
"""Private messages that are remembered; an older one just stays."""


class EphemeralMessages:
    """The latest private message of each person at a table, as far as a button led to it.

    Kept in memory only: what is forgotten stays until its owner dismisses it.
    """

    def __init__(self) -> None:
        self._open: dict[Owner, tuple[discord.Interaction[Any], int | None]] = {}

    async def opened(
        self, owner: Owner, interaction: discord.Interaction[Any], message: int | None, same: bool
    ) -> None:
        """There is a new private message; the one before goes. `same`: it is that one, changed.

        `message` is its id, or None for the one that the interaction answers or was a click on.
        """
        before = self._open.pop(owner, None)
        self._open[owner] = interaction, message
        if len(self._open) > MOST:
            del self._open[next(iter(self._open))]
        if before is not None and not same:
            await _delete(*before)

    async def done(self, owner: Owner, clicked: discord.Interaction[Any] | None) -> None:
        """What was open has been answered. `clicked`: the click on it."""
        before = self._open.pop(owner, None)
        if clicked is not None:
            await _delete(clicked, None)
        elif before is not None:
            await _delete(*before)


async def _delete(interaction: discord.Interaction[Any], message: int | None) -> None:
    """Take a private message away, while Discord allows it; nothing depends on it."""
    if interaction.is_expired():
        return
    try:
        if message is None:
            await interaction.delete_original_response()
        else:
            await interaction.followup.delete_message(message)
    except channels.FAILED as error:
        log.debug("a private message stays: %s", error)

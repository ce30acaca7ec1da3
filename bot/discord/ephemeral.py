"""What each person has open for their eyes only: a new private message takes the place of the one before.

What is being put together, an offer say, is open beside it, until it is done or another of its kind is begun.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import discord
from cachetools import LRUCache

from bot.discord.show import channels

log = logging.getLogger(__name__)

Owner = tuple[int, int]
"""A user and a table."""
MOST = 1000
"""People at tables whose private messages are remembered; an older one just stays."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A private message, and what deletes it."""

    interaction: discord.Interaction[Any]
    followup: int | None
    """Its id, where it isn't the answer to the interaction itself, or was a click on it."""
    id: int | None
    """None: nobody knows."""


class EphemeralMessages:
    """The latest private messages of each person at a table, as far as a button led to them; one of a kind.

    Kept in memory only: what is forgotten stays until its owner dismisses it.
    """

    def __init__(self) -> None:
        self._open: LRUCache[Owner, dict[str, _Message]] = LRUCache(MOST)
        """By kind."""

    async def opened(
        self, owner: Owner, interaction: discord.Interaction[Any], message: int | None, same: bool, kind: str = ""
    ) -> None:
        """There is a new private message; the one before of its kind goes. `same`: it is the clicked one, changed.

        `message` is its id, or None for the one that the interaction answers or was a click on. `kind`: of what is put
        together in it.
        """
        clicked = _clicked(interaction) if same else None
        mine = self._forget(owner, clicked)
        before = mine.get(kind)
        self._open[owner] = {**mine, kind: _Message(interaction, message, clicked if same else message)}
        if before is not None and not (same and before.id is None):
            await _delete(before)

    async def done(self, owner: Owner, clicked: discord.Interaction[Any] | None, kind: str = "") -> None:
        """What was open of a kind has been answered. `clicked`: the click on it, whatever it is."""
        if clicked is not None:
            self._forget(owner, _clicked(clicked))
            await _delete(_Message(clicked, None, None))
        elif (before := self._open.get(owner, {}).pop(kind, None)) is not None:
            await _delete(before)

    def _forget(self, owner: Owner, message: int | None) -> dict[str, _Message]:
        """What is open, without a message that is something else now, or gone."""
        mine = self._open.get(owner, {})
        for kind in [kind for kind, found in mine.items() if message is not None and found.id == message]:
            del mine[kind]
        return mine


def _clicked(interaction: discord.Interaction[Any]) -> int | None:
    """The private message that was clicked."""
    return None if interaction.message is None else interaction.message.id


async def _delete(message: _Message) -> None:
    """Take a private message away, while Discord allows it; nothing depends on it."""
    if message.interaction.is_expired():
        return
    try:
        if message.followup is None:
            await message.interaction.delete_original_response()
        else:
            await message.interaction.followup.delete_message(message.followup)
    except channels.FAILED as error:
        log.debug("a private message stays: %s", error)

"""Messages that Harbormaster has sent, as Discord has them: what they say, and their controls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import discord

from bot.discord.interaction import parse_id
from bot.discord.show import channels
from bot.discord.show.messages import MAX_TEXT, plain
from bot.plaintext import cut

MOST_SEARCHED = 100
"""Number of a channel's latest messages that are searched: as many as one request gives."""


async def own_latest(client: discord.Client, channel: int) -> list[discord.Message]:
    """Harbormaster's own among a channel's latest messages, latest first. Raises Discord's errors."""
    history = channels.channel_of(client, channel).history(limit=MOST_SEARCHED)
    return [message async for message in history if message.author == client.user]


def without_buttons(message: discord.Message) -> dict[str, Any]:
    """Arguments for an edit that takes the buttons off a message and keeps its text."""
    if not message.flags.components_v2:
        return {"view": None}
    return {"view": plain(cut(text_of(message), MAX_TEXT - 10)), "attachments": []}


def text_of(message: discord.Message) -> str:
    """A message's text, with or without a layout."""
    texts = (found.content for found in _components(message.components) if isinstance(found, discord.TextDisplay))
    return "\n".join(texts) if message.flags.components_v2 else message.content


def games_named(message: discord.Message) -> set[int]:
    """The numbers of the games that a message's buttons are about."""
    addresses = map(parse_id, custom_ids(message))
    return {address.game for address in addresses if address is not None}


def custom_ids(message: discord.Message) -> set[str]:
    """The ids of a message's buttons and lists."""
    return {found.custom_id for found in _components(message.components) if getattr(found, "custom_id", None)}


def _components(components: Iterable[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _components(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            yield accessory

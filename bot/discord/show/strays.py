"""Puts away stray messages: public ones that still have buttons, but that no projection knows.

There are strays if the process was killed between posting a message and noting it, if Discord refused an edit, or if
the host has restored an older file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import discord

from bot.discord.ids import parse
from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.discord.show.messages import plain
from bot.discord.show.pings import is_call
from bot.discord.show.signs import MAX_TEXT
from bot.plaintext import cut
from bot.projections import SEARCH, Kind, Name, Projections, of_kind
from bot.table.table import Table
from engine.errors import RefereeError

log = logging.getLogger(__name__)

BACK = 100
"""Number of a channel's latest messages that are searched: as many as one request gives."""


def unnoted(projections: Projections) -> list[Name]:
    """Names of messages that might have been posted but not noted."""
    found = [one.name for one in of_kind(projections, Kind.TURN, Kind.PING) if one.doubtful]
    return [*found, *(SEARCH for _ in range(SEARCH in projections))]


async def search(display: Display, table: Table, known: Projections) -> None:
    """Put away messages that were posted but not noted, if there can be any.

    `known`: the projections from before the present messages were sent. Some of the lost messages might be among
    those, and known now; the others belong to a turn, or a call, that has ended since. After a backup was restored
    (`SEARCH`), strays can be about any game, even one that the store no longer knows.
    """
    if not (names := unnoted(known)):
        return
    projections = display.services.projections
    present = await projections.visible(table.number)
    messages = {found.posted.message for found in present.values() if found.posted is not None}
    alone = table.open or (SEARCH in known and await display.services.repository.in_channel(table.channel) is None)
    try:
        async for message in channels.place(display.client, table.channel).history(limit=BACK):
            if message.id in messages or message.author != display.client.user:
                continue
            games = _games(message)
            if table.number in games or (SEARCH in known and await _are_strays(display, table, games, message.id)):
                await message.edit(**without_buttons(message), allowed_mentions=channels.kept_mentions(message))
                log.info("Game %d: a message that was posted but not noted lost its buttons", table.number)
            elif alone and is_call(message.content):  # an open game has its channel to itself
                await message.delete()
                log.info("Game %d: a ping that was posted but not noted was deleted", table.number)
    except channels.FAILED as error:
        if channels.is_outage(error):
            raise
        log.info("Game %d: what was posted but not noted can't be found: %s", table.number, error)
    if lost := [name for name in names if name in present and present[name].posted is None]:
        await projections.note(table.number, gone=lost)


async def _are_strays(display: Display, table: Table, games: Iterable[int], message: int) -> bool:
    """Whether a message in a table's channel is about other games, and is a projection of none of them."""
    stray = False
    for number in games:
        with suppress(RefereeError):  # the store no longer knows the game
            other = await display.services.repository.table(number)
            if other.open and other.channel == table.channel:  # that game searches for itself
                return False
        projections = await display.services.projections.visible(number)
        if any(one.posted is not None and one.posted.message == message for one in projections.values()):
            return False
        stray = True
    return stray


def without_buttons(message: discord.Message) -> dict[str, Any]:
    """Arguments for an edit that takes the buttons off a message and keeps its text."""
    if not message.flags.components_v2:
        return {"view": None}
    texts = (found.content for found in _walk(message.components) if isinstance(found, discord.TextDisplay))
    return {"view": plain(cut("\n".join(texts), MAX_TEXT - 10)), "attachments": []}


def _games(message: discord.Message) -> set[int]:
    """The numbers of the games that a message's buttons are about."""
    ids = (getattr(found, "custom_id", None) for found in _walk(message.components))
    addresses = (parse(found) for found in ids if found)
    return {address.game for address in addresses if address is not None}


def _walk(components: Iterable[Any]) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _walk(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            yield accessory

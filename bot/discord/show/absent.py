"""People at a table who leave its server before the start. They are taken off the table, as if they had left it
themselves: else no one could start or cancel it in place of its host, and a game would be dealt to who isn't there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import discord

from bot.discord.show.display import Display
from bot.discord.show.permissions import has_left, managed_channel
from bot.table.table import LOBBY, Table
from engine.errors import RefereeError
from engine.refusals import Listed

T = TypeVar("T")


async def as_host(
    display: Display, interaction: discord.Interaction[Any], number: int, do: Callable[..., Awaitable[T]], *details: Any
) -> T:
    """Do something at a table that can be for its host alone: `do` takes the table's number, the user, `details`, and
    which channel the user `manages`. A host who has left the server is replaced first, if someone else at the table
    asks."""
    user, manages = interaction.user.id, managed_channel(interaction)
    try:
        return await do(number, user, *details, manages=manages)
    except RefereeError as error:
        if error.code != "not-host" or not await replaced_host(display, number, user):
            raise
    return await do(number, user, *details, manages=manages)


async def replaced_host(display: Display, number: int, user: int) -> bool:
    """Take the host of a lobby off the table if they have left the server. Returns whether they had; Discord is asked
    only for another person at the table."""
    table = await display.services.repository.table(number)
    asks = table.status == LOBBY and user in table.people and user != table.host
    return asks and bool(await _taken_off(display, table, [table.host]))


async def check_start(display: Display, interaction: discord.Interaction[Any], number: int) -> None:
    """Refuse to start a game that a person can't start, or in which others have left the server. They are taken off the
    table: those who are there decide again. Codes: "absent", and those of `LobbyService.may_start`."""
    services, user, refused = display.services, interaction.user.id, None
    try:
        await services.lobby.may_start(number, user, manages=managed_channel(interaction))
    except RefereeError as error:
        if error.code != "not-host":
            raise
        refused = error
    table = await services.repository.table(number)
    others = [other for other in table.people if other != user]
    if absent := await _taken_off(display, table, [table.host] if refused else others):
        raise RefereeError("absent", names=Listed([table.member(other).name for other in absent]))
    if refused:
        raise refused


async def _taken_off(display: Display, table: Table, users: list[int]) -> list[int]:
    """Take those of the users off a lobby who have left its server, and return them."""
    guild = table.guild
    if guild is None:
        return []
    left = await asyncio.gather(*(has_left(display.client, guild, user) for user in users))
    absent = [user for user, gone in zip(users, left, strict=True) if gone]
    for user in absent:
        await display.services.absence.left_server(table.number, user)
    return absent

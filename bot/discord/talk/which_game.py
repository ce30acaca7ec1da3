"""Which game a command is about: the channel's latest that fits, or the one with a given number."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from discord import app_commands

from bot.discord.ids import Address
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, table_here
from bot.plaintext import cut, searchable
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.words.language import N_, _, enumeration
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS

Suggest = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[int]]]]
Number = app_commands.Range[int, 1, 2**53 - 1]
"""The number of a game, in the range that Discord lets people type."""
WHICH = N_("Game number (default: the latest here)")
SUGGESTED = 100
"""How many of a channel's games are searched for suggestions."""

BEGUN, PUT_AWAY = (RUNNING, ARCHIVED, OVER), (ARCHIVED,)
"""Statuses of the games that a command can be about."""


async def game_here(call: Call, number: int | None, statuses: tuple[str, ...]) -> Table:
    """The game with that number, or else the channel's latest in one of these statuses.

    Only its players can ask for a game of another channel. Codes: "no-table", "not-started", "not-archived".
    """
    channel = call.interaction.channel_id or 0
    if number is not None:
        table = await _named(call, number, channel)
    elif found := await call.app.services.repository.games_in(channel, *statuses):
        table = found[0]
    else:
        table = await table_here(call, finished=True)
    if table.status not in statuses:
        if statuses == PUT_AWAY:
            raise RefereeError("not-archived", number=table.number)
        raise RefereeError("not-started", number=table.number)
    call.address = Address("", table.number)
    return table


async def _named(call: Call, number: int, channel: int) -> Table:
    """The game with that number. If it is none of the person's business, they are refused as if it didn't exist."""
    refusal = RefereeError("no-table/yours", number=number)
    try:
        table = await call.app.services.repository.table(number)
    except RefereeError:
        raise refusal from None
    if table.channel != channel and table.place_of(call.user.id) is None:
        raise refusal
    return table


def numbers(statuses: tuple[str, ...]) -> Suggest:
    """An autocomplete of the channel's games in one of these statuses, the newest first."""

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        repository = interaction.client.app.services.repository
        tables = await repository.games_in(interaction.channel_id or 0, *statuses, most=SUGGESTED)
        typed = searchable(current.strip())
        found = [(describe(table), table.number) for table in tables]
        fitting = [app_commands.Choice(name=text, value=number) for text, number in found if typed in searchable(text)]
        return fitting[:25]

    return complete


async def mine(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """An autocomplete of the person's running and archived games of this server."""
    repository = interaction.client.app.services.repository
    tables = await repository.games_of(interaction.user.id, RUNNING, ARCHIVED)
    found = [(describe(table), table.number) for table in tables if table.guild == interaction.guild_id]
    typed = searchable(current.strip())
    return [app_commands.Choice(name=text, value=n) for text, n in found if typed in searchable(text)][:25]


def describe(table: Table) -> str:
    """ "7 · The base game · Ann, Ben, Cleo · over", at most 100 characters."""
    end = f" · {_(table.status)}"
    scenario = _(SCENARIOS[table.config.scenario].title)
    head = f"{table.number} · {scenario} · {enumeration(member.name for member in table.members)}"
    return cut(head, 100 - len(end)) + end

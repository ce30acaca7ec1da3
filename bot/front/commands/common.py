"""What all commands share: finding the table of the channel, playing, answering, suggesting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

import discord
from discord import app_commands

from bot.front import pickers, play
from bot.front.call import Call
from bot.front.dispatch import handle
from bot.front.ids import Address
from bot.front.parts import Reply, shorten
from bot.front.sight import Sight
from bot.front.verbs import Opens
from bot.service.playing import ARCHIVED_GAME
from bot.tables import ARCHIVED, Table
from engine.actions import Action
from engine.errors import RefereeError

Interaction = discord.Interaction[Any]
Choices = list[app_commands.Choice[str]]
Complete = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]
"""An autocomplete."""


async def answer(interaction: Interaction, run: Callable[[Call], Awaitable[Reply | None]]) -> None:
    """Acknowledge a command, run it, answer for the person's eyes only."""
    call = Call(interaction.client.front, interaction)
    await handle(call, lambda: run(call), Opens.PRIVATE)


async def table_here(call: Call, *, finished: bool = False) -> Table:
    """The table of the channel; `finished`: the latest one will do."""
    service, channel = call.front.service, call.interaction.channel_id or 0
    table = await service.in_channel(channel)
    latest = await service.latest(channel) if table is None else None
    if table is None and finished:
        table = latest
    if table is None and latest is not None and latest.status == ARCHIVED:
        raise RefereeError("archived", ARCHIVED_GAME)
    if table is None:
        raise RefereeError("no-table", "There is no game in this channel; open a table with `/game new`.")
    call.address = Address("", table.number)
    return table


async def sight_here(call: Call, *, finished: bool = False) -> Sight:
    """The game of the channel as the person sees it."""
    await table_here(call, finished=finished)
    return await call.sight()


async def act(interaction: Interaction, decide: Callable[[Sight], Action]) -> None:
    """Play what a command says; where something must follow at once, the answer asks for it."""

    async def run(call: Call) -> Reply | None:
        sight = await sight_here(call)
        action = decide(sight)
        try:
            played = await play.do(call, action)
        except RefereeError as error:
            if hasattr(action, "at"):
                raise RefereeError(error.code, pickers.why(sight, action, error)) from error
            raise
        return await pickers.onward(call, played, play.told(played))

    await answer(interaction, run)


async def peek(interaction: Interaction) -> Sight | None:
    """The game of the channel for suggestions: from memory, without waiting for anybody; None: nothing to say."""
    front = interaction.client.front
    table = await front.service.in_channel(interaction.channel_id or 0)
    if table is None or not table.entropy:
        return None
    game = front.service.peek(table.number) or await front.service.game(table.number)
    return Sight.of(table, game, interaction.user.id)


def suggest(found: Iterable[tuple[str, str]], typed: str) -> Choices:
    """At most 25 suggestions out of (shown, value) that fit what has been typed, or chosen, in their order."""
    wanted = typed.strip().casefold()
    fitting = [(name, value) for name, value in found if wanted in name.casefold() or wanted == value.casefold()]
    return [app_commands.Choice(name=shorten(name, 100), value=value) for name, value in fitting[:25]]


def suggestions(
    find: Callable[[Sight], Iterable[tuple[str, str]]],
) -> Complete:
    """An autocomplete from what the person may do now."""

    async def complete(interaction: Interaction, current: str) -> Choices:
        sight = await peek(interaction)
        return [] if sight is None or sight.seat is None else suggest(find(sight), current)

    return complete


def places(group: str) -> Complete:
    """An autocomplete of the legal places of a group, best first."""

    def find(sight: Sight) -> Iterable[tuple[str, str]]:
        for action in pickers.legal(sight, group):
            names = pickers.names_of(sight.view, pickers.kind_of(type(action)))
            yield pickers.describe(sight, action), names[action.at]  # type: ignore[attr-defined]

    return suggestions(find)

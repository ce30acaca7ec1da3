"""What all commands share: finding the channel's table, playing, answering, suggesting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Any, cast

import discord
from discord import app_commands

from bot.discord.ids import Address
from bot.discord.talk import payload
from bot.discord.talk.acting import confirmation_for, reply_after, submit
from bot.discord.talk.call import Call
from bot.discord.talk.dispatch import handle
from bot.plaintext import cut, searchable
from bot.screens.controls import Reply
from bot.screens.pickers import PICKERS, describe, legal
from bot.screens.play import describe_result
from bot.screens.viewer import Viewer
from bot.table.table import ARCHIVED, Table
from bot.words.language import N_
from bot.words.places import names_of
from engine.actions import Action
from engine.errors import RefereeError

Interaction = discord.Interaction[Any]
Choices = list[app_commands.Choice[str]]
Complete = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]
"""An autocomplete callback."""
LONG = 200
"""How many characters of a typed text are looked at."""
GAME = app_commands.Group(name="game", description=N_("Tables and games in this channel"), guild_only=True)
"""The group /game, to which several features add commands."""


async def answer(interaction: Interaction, run: Callable[[Call], Awaitable[Reply | None]]) -> None:
    """Acknowledge a command, run it, and answer so that only the person sees it."""
    call = Call(interaction.client.app, interaction)
    await handle(call, lambda: run(call))


async def table_here(call: Call, *, finished: bool = False) -> Table:
    """The channel's lobby or running game. `finished`: if there is none, the channel's latest table."""
    repository, channel = call.app.services.repository, call.interaction.channel_id or 0
    table = await repository.in_channel(channel)
    latest = await repository.latest(channel) if table is None else None
    if table is None and finished:
        table = latest
    if table is None and latest is not None and latest.status == ARCHIVED:
        raise RefereeError("archived")
    if table is None:
        raise RefereeError("no-table/here")
    call.address = Address("", table.number)
    return table


async def viewer_here(call: Call, *, finished: bool = False) -> Viewer:
    """The channel's game as the person sees it."""
    await table_here(call, finished=finished)
    return await call.viewer()


async def act(interaction: Interaction, decide: Callable[[Viewer], Action]) -> None:
    """Play a command's action. If the player owes the next decision, too, the answer asks for it."""

    async def run(call: Call) -> Reply | None:
        played = await submit(call, decide(await viewer_here(call)))
        return await reply_after(call, played, describe_result(played))

    await answer(interaction, run)


async def act_if_sure(interaction: Interaction, action: Action) -> None:
    """Play a command's action. One that could be a slip is asked about first, as by its button (`confirmation_for`)."""

    async def run(call: Call) -> Reply | None:
        await table_here(call)
        if (question := await confirmation_for(call, action)) is not None:
            return question
        played = await submit(call, action)
        return await reply_after(call, played, describe_result(played))

    await answer(interaction, run)


async def as_button(
    interaction: Interaction, handler: Callable[[Call], Awaitable[Reply | None]], *, finished: bool = False
) -> None:
    """Run a button's handler for the channel's table; `finished` as in `table_here`."""

    async def run(call: Call) -> Reply | None:
        await table_here(call, finished=finished)
        return await handler(call)

    await answer(interaction, run)


async def peek(interaction: Interaction) -> Viewer | None:
    """The channel's game for suggestions, read without waiting for the game's lock. None: no game has started."""
    repository = interaction.client.app.services.repository
    table = await repository.in_channel(interaction.channel_id or 0)
    if table is None or not table.entropy:
        return None
    return Viewer.of(table, await repository.game(table.number), interaction.user.id)


def suggest(pairs: Iterable[tuple[str, str]], typed: str) -> Choices:
    """At most 25 suggestions from (name, value) pairs, in order: those that fit the typed text or the chosen value."""
    text = searchable(typed.strip())
    fitting = [(name, value) for name, value in pairs if text in searchable(name) or text == searchable(value)]
    return [app_commands.Choice(name=cut(name, 100), value=value) for name, value in fitting[:25]]


def suggestions(
    find: Callable[[Viewer], Iterable[tuple[str, str]]],
) -> Complete:
    """An autocomplete of what the person can do now."""

    async def complete(interaction: Interaction, current: str) -> Choices:
        viewer = await peek(interaction)
        return [] if viewer is None or viewer.seat is None else suggest(find(viewer), current)

    return complete


def typing(find: Callable[..., Iterable[tuple[str, str]]], *others: str) -> Complete:
    """An autocomplete for freely typed text: `find(viewer, text, *texts)`; `texts` are the values of other options."""

    async def complete(interaction: Interaction, current: str) -> Choices:
        viewer = await peek(interaction)
        if viewer is None or viewer.seat is None:
            return []
        options = payload.values(cast(Mapping[str, Any], interaction.data))
        texts = [str(options.get(name) or "") for name in others]
        found: dict[str, str] = {}
        for name, value in find(viewer, current[:LONG], *(text[:LONG] for text in texts)):
            found.setdefault(value, name)
        return [app_commands.Choice(name=cut(name, 100), value=value) for value, name in [*found.items()][:25]]

    return complete


def places(*groups: str) -> Complete:
    """An autocomplete of the legal places of some groups, best first."""

    def find(viewer: Viewer) -> Iterable[tuple[str, str]]:
        for group in groups:
            for action in legal(viewer, PICKERS[group]):
                yield describe(viewer, action), names_of(viewer.view, action.place)[action.at]

    return suggestions(find)

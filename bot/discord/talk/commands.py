"""What all commands share: checking what was sent against the registered commands, as it can be forged, or from an
earlier version; finding the game that a command is about; playing, answering, suggesting."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Any, cast

import discord
from discord import app_commands

from bot.discord.interaction import Address
from bot.discord.show import permissions
from bot.discord.talk.acting import confirmation_for, reply_after, submit
from bot.discord.talk.call import Call
from bot.discord.talk.dispatch import handle
from bot.plaintext import cut, searchable
from bot.screens.controls import Reply
from bot.screens.pickers import PICKERS, describe, legal
from bot.screens.play import describe_result
from bot.screens.viewer import Viewer
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.words.language import N_, _, enumeration
from bot.words.places import names_of
from engine.actions import Action
from engine.errors import RefereeError
from engine.scenarios import SCENARIOS

TYPED, ON_USER = 1, 2
"""Types of commands: typed ones, and those in a person's menu."""
SUB, GROUP, STRING, INTEGER, BOOLEAN, USER = range(1, 7)
"""Types of options."""
TYPES: dict[int, type[Any]] = {STRING: str, INTEGER: int, BOOLEAN: bool, USER: str}
LONGEST_TYPED = 6000
"""Most characters that Discord lets people type into an option."""
BIGGEST_NUMBER = 2**53
"""The largest whole number that Discord lets people type."""

Registered = Mapping[str, Any]
"""A command or option as it was registered."""


def fits_command(registered: Iterable[Registered], data: object, *, typing: bool) -> bool:
    """Whether an interaction's data names a registered command, with options that the command takes.

    `typing`: one option is being typed and needs suggestions; the others can be missing or incomplete.
    """
    if not isinstance(data, dict) or "guild_id" in data:  # a command of one server only
        return False
    kind, name = data.get("type", TYPED), data.get("name")
    node = next((c for c in registered if (c.get("type", TYPED), c["name"]) == (kind, name)), None)
    if node is not None and kind == ON_USER:
        return not typing and _is_resolved(data.get("target_id"), data.get("resolved"))
    given = data.get("options", [])
    while node is not None and any(option["type"] in (SUB, GROUP) for option in node.get("options", [])):
        if not isinstance(given, list) or len(given) != 1 or not isinstance(given[0], dict):
            return False
        [inner] = given
        matches = (o for o in node["options"] if (o["name"], o["type"]) == (inner.get("name"), inner.get("type")))
        node, given = next(matches, None), inner.get("options", [])
    if node is None or not isinstance(given, list):
        return False
    return _options_fit({o["name"]: o for o in node.get("options", [])}, given, data.get("resolved"), typing)


def focused_option(data: Mapping[str, Any]) -> tuple[str, Any]:
    """Name and value of the option that is being typed, in data that `fits_command`."""
    option = next(option for option in _options(data) if option.get("focused") is True)
    return option["name"], option["value"]


def option_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options' values by name, in data that `fits_command`. They are unconverted, since discord.py fails on an
    incomplete value that is no id."""
    return {option["name"]: option["value"] for option in _options(data)}


def _options(data: Mapping[str, Any]) -> list[Any]:
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return options


def _options_fit(registered: Mapping[str, Registered], given: list[Any], resolved: object, typing: bool) -> bool:
    if not all(isinstance(o, dict) and isinstance(o.get("name"), str) and "value" in o for o in given):
        return False
    names = [option["name"] for option in given]
    if len(set(names)) < len(names) or not set(names) <= set(registered):
        return False
    if any(option.get("type") != registered[option["name"]]["type"] for option in given):
        return False
    if typing:
        typed = [option for option in given if option.get("focused") is True]
        is_completable = len(typed) == 1 and registered[typed[0]["name"]].get("autocomplete")
        return bool(is_completable) and all(_may_be_half_done(option["value"]) for option in given)
    missing = {name for name, option in registered.items() if option.get("required")} - set(names)
    return not missing and all(_value_fits(registered[o["name"]], o["value"], resolved) for o in given)


def _may_be_half_done(value: object) -> bool:
    """Whether Discord could send this while the person is typing; it doesn't check values then."""
    return (
        len(value) <= LONGEST_TYPED
        if isinstance(value, str)
        else isinstance(value, int) and abs(value) <= BIGGEST_NUMBER
    )


def _value_fits(option: Registered, value: Any, resolved: object) -> bool:
    """Whether this value could be chosen or typed for an option."""
    kind = option["type"]
    if not isinstance(value, TYPES[kind]) or (kind == INTEGER and isinstance(value, bool)):
        return False
    if choices := option.get("choices"):
        return value in [choice["value"] for choice in choices]
    if kind == STRING:
        if option.get("required") and not value.strip():
            return False
        return bool(option.get("min_length", 0) <= len(value) <= option.get("max_length", LONGEST_TYPED))
    if kind == INTEGER:
        return bool(option.get("min_value", -BIGGEST_NUMBER) <= value <= option.get("max_value", BIGGEST_NUMBER))
    return kind != USER or _is_resolved(value, resolved)


def _is_resolved(user: object, resolved: object) -> bool:
    """Whether Discord sent the data of this user, too."""
    users = resolved.get("users") if isinstance(resolved, dict) else None
    if not isinstance(user, str) or not isinstance(users, dict) or re.fullmatch("[0-9]{1,20}", user) is None:
        return False
    data = users.get(user)
    return isinstance(data, dict) and data.get("id") == user


Interaction = discord.Interaction[Any]
Suggestions = list[app_commands.Choice[str]]
Complete = Callable[[Interaction, str], Coroutine[Any, Any, Suggestions]]
"""An autocomplete callback."""
LONGEST_SUGGESTION = 200
"""How many characters of a typed text are looked at."""
GAME = app_commands.Group(name="game", description=N_("Tables and games in this channel"), guild_only=True)
"""The group /game, to which several features add commands."""


async def answer_command(interaction: Interaction, run: Callable[[Call], Awaitable[Reply | None]]) -> None:
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


async def viewer_here(call: Call) -> Viewer:
    """The channel's game as the person sees it."""
    await table_here(call)
    return await call.viewer()


async def act(interaction: Interaction, decide: Callable[[Viewer], Action]) -> None:
    """Play a command's action. If the player owes the next decision, too, the answer asks for it."""

    async def run(call: Call) -> Reply | None:
        played = await submit(call, decide(await viewer_here(call)))
        return await reply_after(call, played, describe_result(played))

    await answer_command(interaction, run)


async def act_if_sure(interaction: Interaction, action: Action) -> None:
    """Play a command's action. One that could be a slip is asked about first, as by its button (`confirmation_for`)."""

    async def run(call: Call) -> Reply | None:
        await table_here(call)
        if (question := await confirmation_for(call, action)) is not None:
            return question
        played = await submit(call, action)
        return await reply_after(call, played, describe_result(played))

    await answer_command(interaction, run)


async def as_button(
    interaction: Interaction, handler: Callable[[Call], Awaitable[Reply | None]], *, finished: bool = False
) -> None:
    """Run a button's handler for the channel's table; `finished` as in `table_here`."""

    async def run(call: Call) -> Reply | None:
        await table_here(call, finished=finished)
        return await handler(call)

    await answer_command(interaction, run)


async def peek(interaction: Interaction) -> Viewer | None:
    """The channel's game for suggestions, read without waiting for the game's lock. None: no game has started."""
    repository = interaction.client.app.services.repository
    table = await repository.in_channel(interaction.channel_id or 0)
    if table is None or not table.entropy:
        return None
    return Viewer.of(table, await repository.game(table.number), interaction.user.id)


def suggest(pairs: Iterable[tuple[str, str]], typed: str) -> Suggestions:
    """At most 25 suggestions from (name, value) pairs, in order: those that fit the typed text or the chosen value."""
    text = searchable(typed.strip())
    fitting = [(name, value) for name, value in pairs if text in searchable(name) or text == searchable(value)]
    return [app_commands.Choice(name=cut(name, 100), value=value) for name, value in fitting[:25]]


def suggestions(
    find: Callable[[Viewer], Iterable[tuple[str, str]]],
) -> Complete:
    """An autocomplete of what the person can do now."""

    async def complete(interaction: Interaction, current: str) -> Suggestions:
        viewer = await peek(interaction)
        return [] if viewer is None or viewer.seat is None else suggest(find(viewer), current)

    return complete


def typing(find: Callable[..., Iterable[tuple[str, str]]], *others: str) -> Complete:
    """An autocomplete for freely typed text: `find(viewer, text, *texts)`; `texts` are the values of other options."""

    async def complete(interaction: Interaction, current: str) -> Suggestions:
        viewer = await peek(interaction)
        if viewer is None or viewer.seat is None:
            return []
        options = option_values(cast(Mapping[str, Any], interaction.data))
        texts = [str(options.get(name) or "") for name in others]
        found: dict[str, str] = {}
        for name, value in find(viewer, current[:LONGEST_SUGGESTION], *(text[:LONGEST_SUGGESTION] for text in texts)):
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


Suggest = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[int]]]]
GameNumber = app_commands.Range[int, 1, 2**53 - 1]
"""The number of a game, in the range that Discord lets people type."""
WHICH = N_("Game number (default: the latest here)")
MOST_SUGGESTED = 100
"""How many of a channel's games are searched for suggestions."""

BEGUN, PUT_AWAY = (RUNNING, ARCHIVED, OVER), (ARCHIVED,)
"""Statuses of the games that a command can be about."""


async def game_here(call: Call, number: int | None, statuses: tuple[str, ...]) -> Table:
    """The game with that number, or else the channel's latest in one of these statuses.

    Only its players can ask for a game of another channel. Codes: "no-table", "other-server", "not-started",
    "not-archived".
    """
    channel = call.interaction.channel_id or 0
    if number is not None:
        table = await _game_named(call, number, channel)
    elif found := await call.app.services.repository.latest_in(channel, *statuses):
        table = found
    else:
        table = await table_here(call, finished=True)
    if table.status not in statuses:
        if statuses == PUT_AWAY:
            raise RefereeError("not-archived", number=table.number)
        raise RefereeError("not-started", number=table.number)
    call.address = Address("", table.number)
    return table


async def _game_named(call: Call, number: int, channel: int) -> Table:
    """The game with that number. If it is none of the person's business, they are refused as if it didn't exist."""
    refusal = RefereeError("no-table/yours", number=number)
    try:
        table = await call.app.services.repository.table(number)
    except RefereeError:
        raise refusal from None
    if table.channel != channel and table.place_of(call.user.id) is None:
        raise refusal
    permissions.check_server(call.interaction, table.number, table.guild)
    return table


def game_numbers(statuses: tuple[str, ...]) -> Suggest:
    """An autocomplete of the channel's games in one of these statuses, the newest first."""

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        repository = interaction.client.app.services.repository
        tables = await repository.games_in(interaction.channel_id or 0, *statuses, most=MOST_SUGGESTED)
        typed = searchable(current.strip())
        found = [(describe_game(table), table.number) for table in tables]
        fitting = [app_commands.Choice(name=text, value=number) for text, number in found if typed in searchable(text)]
        return fitting[:25]

    return complete


async def own_games(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """An autocomplete of the person's running and archived games of this server."""
    repository = interaction.client.app.services.repository
    tables = await repository.games_of(interaction.user.id, RUNNING, ARCHIVED)
    found = [(describe_game(table), table.number) for table in tables if table.guild == interaction.guild_id]
    typed = searchable(current.strip())
    return [app_commands.Choice(name=text, value=n) for text, n in found if typed in searchable(text)][:25]


def describe_game(table: Table) -> str:
    """ "7 · The base game · Ann, Ben, Cleo · over", at most 100 characters."""
    end = f" · {_(table.status)}"
    scenario = _(SCENARIOS[table.config.scenario].title)
    head = f"{table.number} · {scenario} · {enumeration(member.name for member in table.members)}"
    return cut(head, 100 - len(end)) + end

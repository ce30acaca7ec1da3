"""The lobby: the promise before anything is drawn, the list of who is in, options, and the closing of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.frontends.discord import channels
from bot.frontends.discord.call import Call
from bot.frontends.discord.ids import Address
from bot.frontends.discord.modals import Form
from bot.frontends.discord.parts import Option, Reply, Style, button, rows, select
from bot.models import CANCELLED, CLOSING, COMMITMENT, LOBBY, PANEL, Projection, Table
from bot.presentation.texts.lobby import lobby as write
from bot.presentation.texts.lobby import promise
from bot.presentation.texts.marks import sign
from engine.config import COLORS
from engine.errors import ConfigError, RefereeError
from engine.scenarios import SCENARIOS, check

if TYPE_CHECKING:
    from bot.frontends.discord.context import AppContext

NAME = "turn:lobby"


def text(table: Table) -> str:
    """What the lobby says."""
    problem = ""
    try:
        check(table.config)
    except ConfigError as error:
        problem = "" if error.code == "players" else error.message
    return write(
        table.config,
        [f"<@{member.user}>" for member in table.members],
        players=SCENARIOS[table.config.scenario].players,
        host=f"<@{table.host}>",
        anyone_starts=table.anyone_starts,
        number=str(table.number),
        phrases=sum(bool(member.phrase) for member in table.members),
        problem=problem,
    )


def layout(table: Table) -> ui.LayoutView:
    """The lobby's message; without buttons once the table is closed."""
    view: ui.LayoutView = ui.LayoutView(timeout=None)
    box: ui.Container = ui.Container(accent_colour=discord.Colour(0x2A9D94))
    head = "" if table.status == LOBBY else f"**{_closed(table)}**\n"
    box.add_item(ui.TextDisplay(head + text(table)))
    if table.status == LOBBY:
        n = table.number
        buttons = [
            button("Join", Address("join", n), Style.success, "🪑"),
            button("Leave", Address("leave", n), emoji="🚪"),
            button("Colour", Address("color", n), emoji="🎨"),
            button("Options", Address("options", n), emoji="⚙️"),
            button("Add a phrase", Address("form", n, "", ("phrase",)), emoji="🎲"),
            button("Rules", Address("rules", n), emoji="📖"),
            button("Start", Address("start", n), Style.primary, "▶️"),
        ]
        for row in rows(buttons):
            box.add_item(row)
    view.add_item(box)
    return view


def _closed(table: Table) -> str:
    if table.status != CANCELLED:
        return "This table is closed; the game is on."
    if table.ended_by is not None:
        return f"This table was cancelled by <@{table.ended_by}>, who manages this channel."
    if table.warned is not None and table.warned >= table.updated:
        return "This table was closed, since nobody had touched it for three days."
    return "This table was cancelled."


async def show(app: AppContext, table: Table, marks: Mapping[str, Projection]) -> None:
    """Post or edit the lobby's message, the promise first."""
    client, services = app.client, app.services
    mark = marks.get(NAME)
    if table.status == LOBBY:
        channels.check(client, table.guild, table.channel)
        promised = marks.get(COMMITMENT)
        if promised is None or promised.message is None:
            sent = await _say(client, table, promise(table.commitment, str(table.number)), COMMITMENT)
            await services.marks.shown(table.number, COMMITMENT, table.version, channel=table.channel, message=sent.id)
    elif mark is None or mark.message is None:
        await services.marks.shown(table.number, PANEL, table.version)
        return
    message = mark.message if mark is not None else None
    if message is not None and not await channels.edit(client, table.channel, message, layout(table)):
        message = None
    if message is None:
        since = mark.shown if mark is not None else 0
        if mark is None:  # without a message: it may have been posted, should the bot die in this moment
            await services.marks.shown(table.number, NAME, since)
        where = channels.messages(client, table.channel)
        message = (await channels.post(where, table, NAME, since, view=layout(table))).id
    app.screens.posted[table.number] = message
    for name in (NAME, PANEL):
        await services.marks.shown(table.number, name, table.version, channel=table.channel, message=message)


async def freeze(app: AppContext, table: Table, mark: Projection) -> None:
    """Take the buttons off the lobby's message."""
    if mark.message is not None:
        await channels.edit(app.client, mark.channel or table.channel, mark.message, layout(table))


async def _say(client: discord.Client, table: Table, what: str, name: str, since: int = 0) -> discord.Message:
    view: ui.LayoutView = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(what))
    return await channels.post(channels.messages(client, table.channel), table, name, since, view=view)


# --- what people do in it; commands and buttons alike


async def open_table(
    app: AppContext, interaction: discord.Interaction[Any], color: str | None = None, phrase: str = ""
) -> Table:
    """A new table in the interaction's channel, with its promise posted."""
    channels.check_interaction(interaction)
    if interaction.channel_id is None:
        raise RefereeError("no-channel", "A table needs a channel; use this in a server.")
    user = interaction.user
    table = await app.services.lobby.new_table(
        interaction.guild_id,
        interaction.channel_id,
        user.id,
        user.display_name,
        str(interaction.id),
        color=color,
        phrase=phrase,
    )
    app.screens.refresh(table.number)
    return table


async def enter(call: Call, color: str | None = None, phrase: str = "") -> Table:
    """Join, or change one's colour or phrase."""
    table = await call.app.services.lobby.join(
        call.address.game, call.user.id, call.user.display_name, call.key, color=color, phrase=phrase
    )
    call.app.screens.refresh(table.number)
    return table


def place_at(table: Table, user: int) -> str:
    """ "You are at table 3 as 🔵 blue." """
    member = next(member for member in table.members if member.user == user)
    return f"You are at table {table.number} as {sign(member.color)} {member.color}."


def color_row(table: Table, user: int) -> ui.ActionRow:
    """A select of the colours that are free for a user."""
    taken = {m.color for m in table.members if m.asked and m.user != user}
    possible = SCENARIOS[table.config.scenario].colors or COLORS
    options = [Option(color, color.capitalize(), emoji=sign(color)) for color in possible if color not in taken]
    return select("Choose a colour", Address("colored", table.number), options)


async def join(call: Call) -> Reply:
    """The button Join."""
    table = await enter(call)
    return Reply(place_at(table, call.user.id), rows=[color_row(table, call.user.id)])


async def color(call: Call) -> Reply:
    """The button Colour."""
    table = await call.app.services.repository.table(call.address.game)
    if table.status != LOBBY or table.player(call.user.id) is None:
        raise RefereeError("not-member", "Join the table first; then you can choose a colour.")
    return Reply(place_at(table, call.user.id), rows=[color_row(table, call.user.id)])


async def colored(call: Call) -> Reply:
    """A colour was chosen."""
    table = await enter(call, color=call.chosen[0])
    return Reply(place_at(table, call.user.id), rows=[color_row(table, call.user.id)])


async def leave(call: Call) -> Reply:
    """Leave the table."""
    table = await call.app.services.lobby.leave(call.address.game, call.user.id, call.key)
    call.app.screens.refresh(table.number)
    return Reply(f"You have left table {table.number}.")


async def start(call: Call) -> Reply | None:
    """Close the table with a message, whose id is the last part of the chance, and deal."""
    app, number = call.app, call.address.game
    channels.check_interaction(call.interaction)
    table = await app.services.lobby.may_start(number, call.user.id)
    closing = await _closing(app, table, call.user.id)
    try:
        table = await app.services.lobby.start(number, call.user.id, str(closing), call.key)
    except RefereeError:
        if (await app.services.repository.table(number)).status == LOBBY:  # otherwise somebody else's start has used it
            await channels.delete(app.client, table.channel, closing)
            await app.services.marks.gone(number, CLOSING)
        raise
    app.note(number, await app.services.repository.game(number))
    app.screens.refresh(number)
    return None


async def _closing(app: AppContext, table: Table, user: int) -> int:
    """Post the message that closes the table; its id. The same table is closed by the same message, whoever tries
    again, so that its id can't be chosen by trying."""
    marks = await app.services.marks.projections(table.number)
    promised, known = marks.get(COMMITMENT), marks.get(CLOSING)
    if promised is None or promised.message is None:
        raise RefereeError(
            "no-commitment",
            "The fingerprint of the dice must be posted before the start; please try again in a moment.",
        )
    if known is not None and known.message is not None:
        if known.shown == table.version:
            return known.message
        await channels.delete(app.client, known.channel or table.channel, known.message)
        await app.services.marks.gone(table.number, CLOSING)
    sent = await _say(
        app.client,
        table,
        f"🔒 Table {table.number} is closed by <@{user}>. The number of this message is the last thing that "
        "is mixed into the chance of the game; now the board is dealt.",
        CLOSING,
        table.version,
    )
    await app.services.marks.shown(table.number, CLOSING, table.version, channel=table.channel, message=sent.id)
    return sent.id


async def cancel(call: Call) -> Reply:
    """Give the lobby up."""
    table = await call.app.services.lobby.cancel(call.address.game, call.user.id, call.key)
    call.app.screens.refresh(table.number)
    return Reply(f"Table {table.number} is cancelled.")


def phrase_form(number: int) -> Form:
    """The form for words of one's own."""
    form = Form("Your words for the dice", Address("phrased", number))
    return form.text(
        "phrase",
        "A phrase",
        description="Anything; it is mixed into the chance of this game and shown with it at the end.",
        longest=100,
    )


async def phrased(call: Call) -> Reply:
    """A phrase was sent."""
    table = await enter(call, phrase=call.entered("phrase"))
    return Reply(f"Noted. {place_at(table, call.user.id)}")


async def rematch(call: Call) -> Reply | None:
    """The same people at a new table."""
    channels.check_interaction(call.interaction)
    table = await call.app.services.lobby.rematch(call.address.game, call.user.id, call.key)
    call.app.screens.refresh(table.number)
    return None

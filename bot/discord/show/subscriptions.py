"""New tables, for people who want to hear of them: a message in the table's channel that calls them, and direct
messages, which lose their buttons once the tables have begun or are gone. Both say how the tables are played by now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import discord

from bot.discord.interaction import now
from bot.discord.show import channels
from bot.discord.show.display import Display
from bot.discord.show.messages import layout_of
from bot.discord.show.readers import Readers
from bot.discord.show.reconcile import reconcile_at_once
from bot.discord.show.round import Round, last_notified
from bot.discord.show.wanted import ChannelCall, Content, Covered, Letter, Say, calling
from bot.projections import Kind, Move, Name, Projections, moved, of_kind
from bot.screens.subscriptions import ToldTable, call_text, letter, letter_title
from bot.service.subscriptions import call_name, called_by, is_about
from bot.store import Unavailable
from bot.table.guests import open_to
from bot.table.preferences import CHANNEL, DM
from bot.table.reminders import held_until
from bot.table.subscriptions import LAST_JOB, NEW_JOB, ROLE, lacks_one
from bot.table.table import LOBBY, Table
from bot.words.language import speaking
from engine.errors import RefereeError


def readers_of(client: discord.Client, guild: int) -> Callable[[int, int], Awaitable[bool]]:
    """Who can see a server's channels, as Discord says now (`bot.service.subscriptions.Sees`)."""
    readers = Readers(client, guild)

    async def sees(user: int, channel: int) -> bool:
        try:
            return await (readers.is_open(channel) if user == ROLE else readers.sees(user, channel))
        except channels.FAILED as error:
            raise Unavailable(f"Discord doesn't say who can see a channel: {error}") from None

    return sees


# --- in the table's channel


async def calls(display: Display, table: Table, projections: Projections) -> list[ChannelCall]:
    """The message that calls people to a table while that has a seat for them, if there is one. The later one replaces
    the first, while one player is lacking."""
    job = next((job for job in (LAST_JOB, NEW_JOB) if call_name(job) in projections), None)
    if job is None or table.guild is None or not open_to(table, ROLE) or (job == LAST_JOB and not lacks_one(table)):
        return []
    name, called, role = call_name(job), called_by(projections, job), 0
    if ROLE in called:
        role = (await display.services.servers.settings(table.guild)).called
    text, topic, users = call_text(table, job), str(name), list[int]()
    for user in called:
        notified = last_notified(projections, topic, user) is not None  # then it goes on naming them
        if user != ROLE and (notified or await _wants(display, table.guild, user, CHANNEL)):
            users.append(user)
    return [
        ChannelCall(
            name=name,
            draw=partial(_draw_call, text, role),
            key=hash(text) or 1,
            named=True,
            users=tuple(users),
            topic=topic,
            silent=bool(role),
        )
    ]


async def _wants(display: Display, guild: int, user: int, how: str) -> bool:
    """Whether a person still wants to be told that way."""
    return (await display.services.subscriptions.of(guild, user)).how == how


async def _draw_call(text: str, role: int) -> Say:
    return calling(text, role)


# --- by direct message


async def show_letters(round: Round) -> float | None:
    """Send and edit direct messages about a table and others that were new at the same time. Returns the seconds until
    it must be done again."""
    wanted, sent = list[Letter | Covered](), list[Letter]()
    for one in of_kind(round.before, Kind.NEW_TABLES):
        message = await _letter(round, one.name)
        if one.posted is not None:
            sent.append(message)
        elif one.pending:
            wanted.append(message if await _is_due(round, message) else Covered(name=one.name))
    wait = await reconcile_at_once(round, wanted)
    for message in sent:  # last: no one waits for that
        await _edit(round, message)
    if round.table.status != LOBBY:
        for one in of_kind(round.known, Kind.NEW_TABLES):
            round.forget(one.name)
    return wait


async def _letter(round: Round, name: Name) -> Letter:
    """The message with a name."""
    (job, _numbers), told = is_about(name), await _told(round.display, name)
    language = (await round.settings([name.user]))[name.user].language
    with speaking(language):
        says = (letter_title(told, job), *((one.table.number, one.line(name.user)) for one in told))

    async def draw() -> Say:
        with speaking(language):
            layout = layout_of(letter(told, name.user, job), 0)
        return lambda named: Content(layout)

    async def refused() -> None:
        await round.display.services.people.change_settings(name.user, dms_closed=True)

    sent = partial(_share, round, name)
    return Letter(name=name, draw=draw, key=hash(says) or 1, once=True, then=sent, refused=refused)


async def _share(round: Round, name: Name) -> None:
    """Note a message that was just sent for the other tables that it is about: each can change what it says."""
    for table in (one.table for one in await _told(round.display, name)):
        if table.status == LOBBY and table.number != round.table.number:
            there = moved(None, name, Move.FIND, table.version, round.known[name].posted)
            await round.display.services.projections.note(table.number, [there])


async def _told(display: Display, name: Name) -> list[ToldTable]:
    """The tables that a message is about, as far as they can be read."""
    found = list[ToldTable]()
    for number in is_about(name)[1]:
        with suppress(RefereeError):  # it was deleted, or can't be read, and the host has been told
            table = await display.services.repository.table(number)
            link = f"https://discord.com/channels/{table.guild}/{table.channel}"
            found.append(ToldTable(table, await display.link(table) or link))
    return found


async def _is_due(round: Round, message: Letter) -> bool:
    """Whether a message must still be sent: the person wants it, isn't in their quiet hours, and can join a table."""
    display, guild, user = round.display, round.table.guild or 0, message.name.user
    settings = (await round.settings([user]))[user]
    if held_until(settings.choices, now()) or not await _wants(display, guild, user, DM):
        return False
    return any(not one.why_not(user) for one in await _told(display, message.name))


async def _edit(round: Round, message: Letter) -> None:
    """Bring a message up to date. If Discord refuses that, it stays as it is: a late click is answered anyway."""
    place = round.known[message.name].posted
    assert place is not None
    try:
        await round.edit(message, place)
    except discord.HTTPException as error:
        if channels.is_outage(error):
            raise
    if round.known[message.name].pending:
        round.note(message.name, Move.EDIT)

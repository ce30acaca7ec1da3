"""Shows what is due in a game: first what all see, and then what is for one person alone. It also puts away stray
messages: public ones that still have buttons, but that no projection knows.

There are strays if the process was killed between posting a message and noting it, if Discord refused an edit, or if
the host has restored an older file.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from math import inf

import discord

from bot.discord.show import channels, lobby, panel, pings, private, servers, subscriptions, trouble
from bot.discord.show.display import Display
from bot.discord.show.pings import is_call
from bot.discord.show.reconcile import Message, reconcile, reconcile_at_once
from bot.discord.show.round import Round, outdated_names, wake
from bot.discord.show.sent import games_named, own_latest, text_of, without_buttons
from bot.discord.show.trouble import HANDS, TABLE, Troubles
from bot.discord.show.wanted import ChannelCall
from bot.projections import PANEL, SEARCH, Kind, Name, Projections, is_barred, of_kind
from bot.screens.viewer import Viewer
from bot.table.table import ARCHIVED, Table
from engine.errors import RefereeError
from engine.geometry import bits

log = logging.getLogger(__name__)

IN_CHANNEL = (Kind.TURN, Kind.PING, Kind.IDLE)
"""Kinds of messages that stay in a game's channel only while they are wanted."""
TO_STAY = (Kind.COMMITMENT, Kind.SEED, Kind.FILM)
"""Kinds of messages that are posted once, and stay. Each try says the same."""


def unnoted(projections: Projections) -> list[Name]:
    """Names of messages that might have been posted but not noted."""
    found = [one.name for one in of_kind(projections, *IN_CHANNEL) if one.doubtful]
    return [*found, *(SEARCH for _ in range(SEARCH in projections))]


def _after_undone(names: Iterable[Name], present: Projections, head: Name) -> float:
    """Id after which a message that was posted but not noted belongs to a turn whose start was undone; inf: none does.
    `head`: the message that has the buttons."""
    turns = [name for name in names if name.kind is Kind.TURN]
    panel = present[head].posted if head in present else None
    undone = bool(turns) and all(_is_later(turn, head) for turn in turns) and SEARCH not in names
    return panel.message if panel is not None and undone else inf


def _is_later(turn: Name, head: Name) -> bool:
    return turn.key.isdigit() and head.key.isdigit() and int(turn.key) > int(head.key)


async def search_strays(display: Display, table: Table, known: Projections, head: Name = PANEL) -> None:
    """Put away messages that were posted but not noted.

    `known`: the projections from before the present messages were sent. Some of the lost messages might be among
    those, and known now; the others belong to a turn, or a call, that has ended since. After a backup was restored
    (`SEARCH`), strays can be about any game, even one that the store no longer knows. `head` is as for `_after_undone`.
    """
    names, projections = unnoted(known), display.services.projections
    present = await projections.visible(table.number)
    posted = {name: found.posted.message for name, found in present.items() if found.posted is not None}
    messages, stay = {*posted.values()}, {message for name, message in posted.items() if name.kind in TO_STAY}
    undone = _after_undone(names, present, head)
    alone = table.open or (SEARCH in known and await display.services.repository.in_channel(table.channel) is None)
    try:
        latest = await own_latest(display.client, table.channel)
        said = {text_of(message) for message in latest if message.id in stay}
        for message in latest:
            if message.id in messages:
                continue
            games = games_named(message)
            ours = table.number in games or (SEARCH in known and await _are_strays(display, table, games, message.id))
            if is_call(text_of(message)) and (ours or alone):  # an open game has its channel to itself
                await channels.delete(display.client, table.channel, message.id)
                log.info("Game %d: a ping that was posted but not noted was deleted", table.number)
            elif text_of(message) in said:
                await channels.delete(display.client, table.channel, message.id)
                log.info("Game %d: a message that was posted twice and noted once was deleted", table.number)
            elif ours and message.id > undone:
                await channels.delete(display.client, table.channel, message.id)
                log.info("Game %d: the message of an undone turn that was not noted was deleted", table.number)
            elif ours:
                with suppress(discord.NotFound):
                    await message.edit(**without_buttons(message), allowed_mentions=channels.kept_mentions(message))
                log.info("Game %d: a message that was posted but not noted lost its buttons", table.number)
    except channels.FAILED as error:
        if channels.is_outage(error):
            raise
        log.info("Game %d: what was posted but not noted can't be found: %s", table.number, error)
    if lost := [name for name in {*names, SEARCH} if name in present and present[name].posted is None]:
        await projections.note(table.number, gone=lost)


async def _search(round: Round, head: Name) -> None:
    await round.flush()
    await search_strays(round.display, round.table, round.before, head)
    round.known.pop(SEARCH, None)


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


Listener = Callable[[Viewer], Awaitable[None]]
"""Called with a game once all can see how it stands."""


async def show_table(display: Display, troubles: Troubles, listeners: Iterable[Listener], number: int) -> float | None:
    """Show what all see. Returns the seconds until it must be shown again: a message is held back, or being sent."""
    table, public = await _public_view(display, number)
    projections = await display.services.projections.visible(number)
    if not lobby.uncalled(table, projections):
        return await _show_table(display, troubles, listeners, table, public, projections)
    async with display.inviting(table.guild):  # other tables would call the same people at the same moment
        table, public = await _public_view(display, number)
        projections = await lobby.with_invitations(display, table, await display.services.projections.visible(number))
        return await _show_table(display, troubles, listeners, table, public, projections)


async def _show_table(
    display: Display,
    troubles: Troubles,
    listeners: Iterable[Listener],
    table: Table,
    public: Viewer | None,
    projections: Projections,
) -> float | None:
    number = table.number
    if is_barred(projections, table.version):
        return None
    due = {name for name, one in projections.items() if one.pending and name.kind is not Kind.HAND}
    held = lifted = None
    if not table.open and due == {SEARCH}:  # nothing else has changed
        if table.status == ARCHIVED:
            await panel.restore_resume_button(display, table, projections)
        await search_strays(display, table, projections)
    else:
        async with Round(display, table, projections) as round:
            held = await _show_channel(round, public)
        lifted = await troubles.lift(number, projections)
        if public is not None and table.status != ARCHIVED:
            await _tell_listeners(listeners, public)
    waits = [wait for wait in (held, lifted, await servers.show_tag(display, table, projections)) if wait is not None]
    return min(waits, default=None)


async def _tell_listeners(listeners: Iterable[Listener], public: Viewer) -> None:
    for listener in listeners:
        try:
            await listener(public)
        except Exception:  # the game itself is shown
            log.exception("Game %d: it is shown, but what follows from that has failed", public.table.number)


async def _show_channel(round: Round, public: Viewer | None) -> float | None:
    display, table, projections = round.display, round.table, round.before
    head, wanted = await _channel_messages(display, table, public, projections)
    held = await bring_up_to_date(round, head, wanted)
    await wake(display, table.number, TABLE, round.later)
    if public is not None and public.view.outcome is not None:
        await reconcile(round, panel.end_messages(display, public, projections))
        if SEARCH in round.known:
            await _search(round, head)
    if table.open:
        await trouble.check_trouble(display, table, projections)
    if held is None:  # else the panel stays due, in case this process dies first
        round.note_panel(head, table.version)
    return held


async def bring_up_to_date(round: Round, head: Name, wanted: Sequence[Message]) -> float | None:
    """Bring the game's channel up to date; `head`: the message that has the buttons. Returns the seconds until a
    message that is held back is due."""
    display, table = round.display, round.table
    doubt = display.doubt_of(table.number)
    round.calls = [message for message in wanted if isinstance(message, ChannelCall)]
    try:
        held = await reconcile(round, wanted)
    finally:
        round.note_panel(head, table.version - 1)
    display.trust(table.number, doubt)
    if unnoted(round.before) or SEARCH in round.known:
        await _search(round, head)
    await round.put_away()
    await round.delete_except(IN_CHANNEL, {message.name for message in wanted})
    for name in outdated_names(round.before, wanted, display.clock()):
        round.forget(name)
    return held


async def _channel_messages(
    display: Display, table: Table, public: Viewer | None, projections: Projections
) -> tuple[Name, Sequence[Message]]:
    """Name of the message that has the buttons, and all messages that are wanted in the channel."""
    if public is None:
        computers = await display.services.servers.computers(table.guild)
        display.forget(table.number, lobby.LOBBY_NAME)  # so that it is edited, which shows if someone has deleted it
        first: Sequence[Message] = lobby.lobby_messages(display, table, projections, computers=computers)
        called = await subscriptions.calls(display, table, projections)
        return lobby.LOBBY_NAME, [*first, *called, *pings.idle_warnings(table, (table.host,))]
    if table.status == ARCHIVED:
        return panel.ARCHIVED_NAME, panel.archive_messages(display, public, projections)
    concerned = table.people if table.paused else public.users_to_call(bits(public.view.awaited))
    shown: list[Message] = [
        *panel.turn_messages(display, public, projections),
        *pings.ping_messages(display, public, projections),
    ]
    return panel.turn_name(public), [*shown, *pings.idle_warnings(table, tuple(concerned))]


async def show_hands(display: Display, number: int) -> float | None:
    """Send reminders, hands and news of tables by direct message. Returns the seconds until something that waits is
    due, such as gathered hands."""
    table, public = await _public_view(display, number)
    projections = await display.services.projections.visible(number)
    if is_barred(projections, table.version):
        return None
    async with Round(display, table, projections) as round:
        held = None if public is None else await _show_private(round, public)
        told = await subscriptions.show_letters(round)
    return min((wait for wait in (held, told) if wait is not None), default=None)


async def _show_private(round: Round, public: Viewer) -> float | None:
    display, table, projections = round.display, round.table, round.before
    reminded = await pings.reminder_letters(display, public, projections)
    called = await private.calls_to_unreached(display, public, projections)
    put_off = min((call.delay for call in called if call.delay > 0), default=inf)
    await wake(display, table.number, Kind.UNREACHED, put_off)
    wanted = [*reminded, *await private.hand_letters(display, public, projections), *called]
    held = await reconcile_at_once(round, wanted)
    await wake(display, table.number, HANDS, round.later)
    names = {*(message.name for message in reminded), *(Name(Kind.HAND, user=user) for user in public.users)}
    names.update(pings.unanswered(public, round.known))
    await round.delete_except((Kind.HAND, Kind.REMINDER, Kind.UNREACHED), names)  # last: no one waits for that
    await private.leave_rooms(display, table, projections)
    return held


async def _public_view(display: Display, number: int) -> tuple[Table, Viewer | None]:
    """The table, and the game as all see it; None before it is dealt."""
    repository = display.services.repository
    table = await repository.table(number)  # before the game, so that no newer version is marked as shown
    if not table.entropy:
        return table, None
    return table, Viewer(table, await repository.game(number))

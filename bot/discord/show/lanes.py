"""Shows what is due in a game: first what all see, and then what is for one person alone."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable

from bot.discord.show import (
    archive,
    hands,
    lobby,
    notices,
    notified,
    pings,
    reminders,
    rooms,
    strays,
    tags,
    trouble,
    turns,
)
from bot.discord.show.display import Display
from bot.discord.show.notices import IDLE
from bot.discord.show.outage import HANDS, TABLE
from bot.discord.show.reconcile import ALONE, Round
from bot.discord.show.trouble import Troubles
from bot.discord.show.wanted import Wanted
from bot.projections import HAND, PING, SEARCH, TURN, Projections, hand_name, is_barred
from bot.screens.viewer import Viewer
from bot.table.table import ARCHIVED, LOBBY, Table
from engine.geometry import bits

log = logging.getLogger(__name__)

Listener = Callable[[Viewer], Awaitable[None]]
"""Called with a game once all can see how it stands."""
MESSAGES = (TURN, PING, IDLE)
"""Prefixes of the names of messages that stay in a game's channel only while they are wanted."""


async def show_table(display: Display, troubles: Troubles, listeners: Iterable[Listener], number: int) -> float | None:
    """Show what all see. Returns the seconds until it must be shown again: a message is held back, or being sent."""
    table, public = await _public(display, number)
    projections = await display.services.projections.visible(number)
    if is_barred(projections, table.version):
        return None
    if table.status == LOBBY and table.invited:
        projections = {**await lobby.invited_before(display, table), **projections}
    due = {what for what, showing in projections.items() if showing.pending and not what.startswith(HAND)}
    held = lifted = None
    if not table.open and due == {SEARCH}:  # nothing else has changed
        if table.status == ARCHIVED:
            await archive.thaw(display, table, projections)
        await strays.search(display, table, projections)
    else:
        async with Round(display, table, projections) as round:
            held = await _show(round, public)
        lifted = await troubles.lift(number, projections)
        if public is not None and table.status != ARCHIVED:
            await _tell(listeners, public)
    waits = [wait for wait in (held, lifted, await tags.show(display, table, projections)) if wait is not None]
    return min(waits, default=None)


async def _tell(listeners: Iterable[Listener], public: Viewer) -> None:
    for listener in listeners:
        try:
            await listener(public)
        except Exception:  # the game itself is shown
            log.exception("Game %d: it is shown, but what follows from that has failed", public.table.number)


async def _show(round: Round, public: Viewer | None) -> float | None:
    display, table, projections = round.display, round.table, round.projections
    head, wanted = await _wanted(display, table, public, projections)
    doubt = display.doubt_of(table.number)
    try:
        held = await round.reconcile(wanted)
    finally:
        round.note_panel(head, table.version - 1)
    display.trust(table.number, doubt)
    if strays.unnoted(projections):
        await round.flush()
        await strays.search(display, table, projections)
    await round.delete_except(MESSAGES, {message.name for message in wanted})
    for what in notified.outdated(projections, wanted):
        round.forget(what)
    await notified.wake(display, table.number, TABLE, round.later)
    if public is not None and public.view.outcome is not None:
        await round.reconcile(turns.at_the_end(display, public, projections))
    if table.open:
        await trouble.check(display, table, projections)
    if held is None:  # else the panel stays due, in case this process dies first
        round.note_panel(head, table.version)
    return held


async def _wanted(
    display: Display, table: Table, public: Viewer | None, projections: Projections
) -> tuple[str, list[Wanted]]:
    """Name of the message that has the buttons, and all messages that are wanted in the channel."""
    if public is None:
        computers = await display.services.servers.computers(table.guild)
        display.forget(table.number, lobby.NAME)  # so that it is edited, which shows if someone has deleted it
        messages = lobby.wanted(display, table, projections, computers=computers)
        return lobby.NAME, [*messages, *notices.wanted(table, (table.host,))]
    if table.status == ARCHIVED:
        return archive.NAME, archive.wanted(display, public, projections)
    concerned = table.people if table.paused else public.users_to_call(bits(public.view.awaited))
    messages = [*turns.wanted(display, public, projections), *pings.wanted(display, public, projections)]
    return turns.key(public), [*messages, *notices.wanted(table, tuple(concerned))]


async def show_hands(display: Display, number: int) -> float | None:
    """Send reminders and hands by direct message. Returns the seconds until gathered hands are due."""
    table, public = await _public(display, number)
    projections = await display.services.projections.visible(number)
    if public is None or is_barred(projections, table.version):
        return None
    async with Round(display, table, projections) as round:
        reminded = await reminders.wanted(display, public, projections)
        names = {*(message.name for message in reminded), *map(hand_name, public.users)}
        await round.delete_except(ALONE, names)
        await rooms.leave(display, table, projections)
        wanted = [
            *await hands.wanted(display, public, projections),
            *await hands.unreached(display, public, projections),
        ]
        waits = [await round.reconcile(reminded), await round.reconcile_at_once(wanted)]
        await notified.wake(display, number, HANDS, round.later)
    return min((wait for wait in waits if wait is not None), default=None)


async def _public(display: Display, number: int) -> tuple[Table, Viewer | None]:
    """The table, and the game as all see it; None before it is dealt."""
    repository = display.services.repository
    table = await repository.table(number)  # before the game, so that no newer version is marked as shown
    if not table.entropy:
        return table, None
    return table, Viewer(table, await repository.game(number))

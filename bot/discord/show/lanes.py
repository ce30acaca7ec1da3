"""Shows what is due in a game: first what all see, and then what is for one person alone."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

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
from bot.discord.show.outage import HANDS, TABLE
from bot.discord.show.reconcile import Message, reconcile, reconcile_at_once
from bot.discord.show.round import PERSONAL, Round
from bot.discord.show.trouble import Troubles
from bot.projections import SEARCH, Kind, Name, Projections, is_barred
from bot.screens.viewer import Viewer
from bot.table.table import ARCHIVED, LOBBY, Table
from engine.geometry import bits

log = logging.getLogger(__name__)

Listener = Callable[[Viewer], Awaitable[None]]
"""Called with a game once all can see how it stands."""
MESSAGES = (Kind.TURN, Kind.PING, Kind.IDLE)
"""Kinds of messages that stay in a game's channel only while they are wanted."""


async def show_table(display: Display, troubles: Troubles, listeners: Iterable[Listener], number: int) -> float | None:
    """Show what all see. Returns the seconds until it must be shown again: a message is held back, or being sent."""
    table, public = await _public(display, number)
    projections = await display.services.projections.visible(number)
    if is_barred(projections, table.version):
        return None
    if table.status == LOBBY and table.invited:
        projections = {**await lobby.invited_before(display, table), **projections}
    due = {name for name, one in projections.items() if one.pending and name.kind is not Kind.HAND}
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
    display, table, projections = round.display, round.table, round.before
    head, wanted = await _wanted(display, table, public, projections)
    held = await bring(round, head, wanted)
    await notified.wake(display, table.number, TABLE, round.later)
    if public is not None and public.view.outcome is not None:
        await reconcile(round, turns.at_the_end(display, public, projections))
    if table.open:
        await trouble.check(display, table, projections)
    if held is None:  # else the panel stays due, in case this process dies first
        round.note_panel(head, table.version)
    return held


async def bring(round: Round, head: Name, wanted: Sequence[Message]) -> float | None:
    """Bring the game's channel up to date; `head`: the message that has the buttons. Returns the seconds until a
    message that is held back is due."""
    display, table = round.display, round.table
    doubt = display.doubt_of(table.number)
    try:
        held = await reconcile(round, wanted)
    finally:
        round.note_panel(head, table.version - 1)
    display.trust(table.number, doubt)
    if strays.unnoted(round.before):
        await round.flush()
        await strays.search(display, table, round.before)
    await round.delete_except(MESSAGES, {message.name for message in wanted})
    for name in notified.outdated(round.before, wanted):
        round.forget(name)
    return held


async def _wanted(
    display: Display, table: Table, public: Viewer | None, projections: Projections
) -> tuple[Name, Sequence[Message]]:
    """Name of the message that has the buttons, and all messages that are wanted in the channel."""
    if public is None:
        computers = await display.services.servers.computers(table.guild)
        display.forget(table.number, lobby.NAME)  # so that it is edited, which shows if someone has deleted it
        first: Sequence[Message] = lobby.wanted(display, table, projections, computers=computers)
        return lobby.NAME, [*first, *notices.wanted(table, (table.host,))]
    if table.status == ARCHIVED:
        return archive.NAME, archive.wanted(display, public, projections)
    concerned = table.people if table.paused else public.users_to_call(bits(public.view.awaited))
    shown: list[Message] = [*turns.wanted(display, public, projections), *pings.wanted(display, public, projections)]
    return turns.key(public), [*shown, *notices.wanted(table, tuple(concerned))]


async def show_hands(display: Display, number: int) -> float | None:
    """Send reminders and hands by direct message. Returns the seconds until gathered hands are due."""
    table, public = await _public(display, number)
    projections = await display.services.projections.visible(number)
    if public is None or is_barred(projections, table.version):
        return None
    async with Round(display, table, projections) as round:
        reminded = await reminders.wanted(display, public, projections)
        names = {*(message.name for message in reminded), *(Name(Kind.HAND, user=user) for user in public.users)}
        await round.delete_except(PERSONAL, names)
        await rooms.leave(display, table, projections)
        wanted = [
            *await hands.wanted(display, public, projections),
            *await hands.unreached(display, public, projections),
        ]
        waits = [await reconcile(round, reminded), await reconcile_at_once(round, wanted)]
        await notified.wake(display, number, HANDS, round.later)
    return min((wait for wait in waits if wait is not None), default=None)


async def _public(display: Display, number: int) -> tuple[Table, Viewer | None]:
    """The table, and the game as all see it; None before it is dealt."""
    repository = display.services.repository
    table = await repository.table(number)  # before the game, so that no newer version is marked as shown
    if not table.entropy:
        return table, None
    return table, Viewer(table, await repository.game(number))

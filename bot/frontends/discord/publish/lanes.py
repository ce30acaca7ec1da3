"""What is due of a game is shown: what all see, and then the hands."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable

from bot.frontends.discord.publish import archive, hands, lobby, notices, pings, reminders, strays, tags, trouble, turns
from bot.frontends.discord.publish.display import Display
from bot.presentation.viewer import Viewer
from bot.projections import HAND, PANEL, SEARCH, Projections, is_barred
from bot.table.table import ARCHIVED, Table
from engine.geometry import bits

log = logging.getLogger(__name__)

Listener = Callable[[Viewer], Awaitable[None]]
"""Is told of a game when all can see how it stands."""


async def show_table(display: Display, listeners: Iterable[Listener], number: int) -> float | None:
    """Show what all see; in how many seconds what is held back comes."""
    found, public = await _public(display, number)
    known = await display.services.projections.visible(number)
    if is_barred(known, found.version):
        return None
    held = await _show(display, listeners, found, public, known)
    waits = [wait for wait in (held, await tags.show(display, found, known)) if wait is not None]
    return min(waits, default=None)


async def _show(
    display: Display, listeners: Iterable[Listener], found: Table, public: Viewer | None, known: Projections
) -> float | None:
    due = {what for what, showing in known.items() if showing.pending and not what.startswith(HAND)}
    if not found.open and due == {SEARCH}:  # nothing else has changed
        if found.status == ARCHIVED:
            await archive.thaw(display, found, known)
        await strays.search(display, found, known)
        return None
    if public is None:
        await lobby.show(display, found, known)
        await strays.search(display, found, known)
        await notices.warn(display, found, known, (found.host,))
        return None
    concerned = found.people if found.choices.paused else public.reached(bits(public.view.awaited))
    await notices.warn(display, found, known, concerned)
    if found.status == ARCHIVED:
        await pings.clear(display, public, known)
        await archive.show(display, public, known)
        await strays.search(display, found, known)
        return None
    posted = await turns.show(display, public, known)
    held = await pings.show(display, public, known, posted)
    await strays.search(display, found, known)
    await turns.finish(display, public, known)
    await trouble.check(display, found, known)
    if held is None:  # else it stays due, in case this process dies before
        await display.services.projections.shown(found.number, PANEL, found.version)
    await trouble.over(display, found, known)
    for listener in listeners:
        try:
            await listener(public)
        except Exception:  # the game itself is shown
            log.exception("Game %d: who is told that it is shown has failed", found.number)
    return held


async def show_hands(display: Display, number: int) -> float | None:
    """Send reminders and hands by direct message; in how many seconds those that are gathered come."""
    found, public = await _public(display, number)
    known = await display.services.projections.visible(number)
    if public is None or is_barred(known, found.version):
        return None
    rests = [await reminders.show(display, public, known), await hands.show(display, public, known)]
    return min((rest for rest in rests if rest is not None), default=None)


async def _public(display: Display, number: int) -> tuple[Table, Viewer | None]:
    """The table, and the game as all see it once it is dealt."""
    repository = display.services.repository
    found = await repository.table(number)  # before the game, so that no newer version is marked
    if not found.entropy:
        return found, None
    return found, Viewer(found, await repository.game(number))

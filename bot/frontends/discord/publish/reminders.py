"""Reminders by direct message: one for all games that wait for somebody, in the place of the one before."""

from __future__ import annotations

import discord

from bot.frontends.discord.publish import channels, directs, hands
from bot.frontends.discord.publish.display import Display
from bot.frontends.discord.publish.members import look_for
from bot.frontends.discord.publish.messages import plain
from bot.presentation import waiting
from bot.presentation.controls import Button, Open
from bot.presentation.steps import presenter_of
from bot.presentation.texts.language import _
from bot.presentation.viewer import Viewer
from bot.presentation.waiting import Waiting
from bot.projections import REMINDER, Projection, Projections


async def show(display: Display, public: Viewer, known: Projections) -> float | None:
    """Send the reminders that are due, and delete those of who isn't awaited any more or was reminded in the channel
    since; in how many seconds there may be something to say of it."""
    reminders = [found for name, found in known.items() if name.startswith(REMINDER)]
    rests = [await _one(display, public, found, int(found.what.removeprefix(REMINDER))) for found in reminders]
    return min((rest for rest in rests if rest is not None), default=None)


async def _one(display: Display, public: Viewer, found: Projection, user: int) -> float | None:
    table, projections = public.table, display.services.projections
    games = await display.services.pacing.games_of(user)
    awaited = next((wait for other, wait in games if other.number == table.number), None)
    if awaited is None or not awaited.reminded or awaited.pinged:  # pinged: the latest was given in the channel
        await _delete(display, found)
        await projections.gone(table.number, found.what)
    elif found.pending:
        if (turn := await directs.wait(display, await display.services.people.settings(user))) > 0:
            return turn
        for other, _wait in games:  # of the games that wait, one reminds of all
            earlier = (await projections.visible(other.number)).get(found.what)
            if earlier is not None and earlier.message is not None:
                await _delete(display, earlier)
                if other.number != table.number:
                    await projections.gone(other.number, found.what)
        try:
            channel, message = await _send(display, public, found, user)
        except discord.HTTPException as error:
            if error.code not in directs.REFUSED:
                raise
            rest = await hands.closed(display, public, user)
            await projections.gone(table.number, found.what)
            await look_for(display, public, (user,))
            return rest
        await projections.shown(table.number, found.what, table.version, channel=channel, message=message)
        await look_for(display, public, (user,))
    return None


async def _send(display: Display, public: Viewer, found: Projection, user: int) -> tuple[int, int]:
    """Channel and id of the new message."""
    services = display.services
    listed = []
    for table, wait in await services.pacing.games_of(user):
        if wait is not None:
            view = (await services.repository.game(table.number)).view(None)
            listed.append(Waiting(table, wait, presenter_of(view).wanted, await display.link(table)))
    text = waiting.games(listed, waiting.Rest())
    rows = [*waiting.catching_up(listed), [Button(_("Reminders"), Open("reminders"), emoji="⏰")]]
    return await directs.post(display, user, public.table, found.what, found.shown, plain(f"⏰ {text}", rows))


async def _delete(display: Display, found: Projection) -> None:
    if found.message is not None and found.channel is not None:
        await channels.delete(display.client, found.channel, found.message)

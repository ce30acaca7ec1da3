"""Reminders by direct message: one for all games that wait for a player, in place of the one before."""

from __future__ import annotations

from functools import partial

from bot.discord.show.display import Display
from bot.discord.show.members import look_for
from bot.discord.show.messages import plain
from bot.discord.show.wanted import Content, Covered, Letter, Say
from bot.projections import Kind, Projection, Projections, of_kind
from bot.screens import waiting
from bot.screens.controls import Button, Open
from bot.screens.steps import presenter_of
from bot.screens.viewer import Viewer
from bot.screens.waiting import Waiting
from bot.words.language import _


async def wanted(display: Display, public: Viewer, projections: Projections) -> list[Letter | Covered]:
    """The reminders for players who are awaited, unless they have been reminded in the channel since."""
    found = [await _wanted(display, public, one) for one in of_kind(projections, Kind.REMINDER)]
    return [one for one in found if one is not None]


async def _wanted(display: Display, public: Viewer, projection: Projection) -> Letter | Covered | None:
    services, user = display.services, projection.name.user
    games = await services.timekeeper.games_of(user)
    awaited = next((wait for other, wait in games if other.number == public.table.number), None)
    if awaited is None or not awaited.reminded or awaited.pinged:  # pinged: the latest was given in the channel
        return None
    if not projection.pending:
        return Covered(name=projection.name)
    others = [other.number for other, _wait in games if other.number != public.table.number]
    earlier = [(number, (await services.projections.visible(number)).get(projection.name)) for number in others]

    async def look() -> None:
        await look_for(display, public, (user,))

    return Letter(
        name=projection.name,
        draw=partial(_draw, display, user),
        once=True,
        notify_again=True,
        instead=tuple((number, one) for number, one in earlier if one is not None and one.posted is not None),
        then=look,
    )


async def _draw(display: Display, user: int) -> Say:
    services = display.services
    listed = []
    for table, wait in await services.timekeeper.games_of(user):
        if wait is not None:
            view = (await services.repository.game(table.number)).view(None)
            listed.append(Waiting(table, wait, presenter_of(view).asks, await display.link(table)))
    text = waiting.games_text(listed, waiting.OtherGames())
    rows = [*waiting.catching_up(listed), [Button(_("Reminders"), Open("reminders"), emoji="⏰")]]
    return lambda named: Content(plain(f"⏰ {text}", rows))

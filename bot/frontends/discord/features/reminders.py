"""How somebody is reminded, when not, and when they are away: personal settings with forms of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.frontends.discord.features import messages
from bot.frontends.discord.publish.recent import now
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Choices, Interaction
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.preferences import DM, UserSettings
from bot.presentation import reminders
from bot.presentation.controls import Entry, Reply
from bot.presentation.texts import zones
from bot.presentation.texts.language import _
from bot.presentation.texts.refusals import sentence
from engine.errors import RefereeError


async def _settings(call: Call) -> UserSettings:
    return await call.app.services.people.settings(call.user.id)


async def _page(call: Call) -> Reply:
    call.address = replace(call.address, game=0)  # what follows is about no game
    return reminders.page(await _settings(call), now())


async def _changed(call: Call, choices: Mapping[str, Any], *told: str) -> Reply:
    settings = await call.app.services.people.change_settings(call.user.id, choices=choices)
    call.address = replace(call.address, game=0)
    return reminders.page(settings, now(), "\n".join((_("Noted."), *told)))


async def _leave(call: Call, text: str, zone: str) -> str:
    """Note a vacation, or that there is none; the time zone that it goes by."""
    absence, settings = call.app.services.absence, await _settings(call)
    if text.strip().casefold() == reminders.NONE:
        await absence.back(call.user.id)
        return zones.zone(zone, now()) if zone.strip() else settings.choices.zone
    (begin, end), name = reminders.vacation(settings, text, now(), zone)
    await absence.leave(call.user.id, begin, end)
    return name


async def _where(call: Call) -> Reply:
    where = call.chosen[0]
    return await _changed(call, {"reminders": where}, *await opened(call, where))


async def opened(call: Call, where: str | None) -> list[str]:
    """Who wants to be reminded by direct message is written to at once; what to tell of it."""
    wanted = where == DM and (await _settings(call)).unreachable
    return [await messages.write_to(call)] if wanted else []


async def _unquiet(call: Call) -> Reply:
    return await _changed(call, {"quiet": None})


async def _back(call: Call) -> Reply:
    await call.app.services.absence.back(call.user.id)
    return await _changed(call, {})


async def _ask_quiet(call: Call) -> None:
    await call.ask(reminders.quiet_form(await _settings(call)), "quieted")


async def _ask_vacation(call: Call) -> None:
    await call.ask(reminders.vacation_form(await _settings(call), now()), "left")


async def _refused(call: Call, error: RefereeError) -> Reply:
    """Why it isn't so, above the page from which the form opens again."""
    call.address = replace(call.address, game=0)
    return reminders.page(await _settings(call), now(), f"⚠️ {sentence(error)}")


async def _quieted(call: Call) -> Reply:
    text = f"{call.entered('begin')} to {call.entered('end')}"
    try:
        changes = reminders.quiet(await _settings(call), text, now(), call.entered("zone"))
    except RefereeError as error:
        return await _refused(call, error)
    return await _changed(call, changes)


async def _left(call: Call) -> Reply:
    try:
        zone = await _leave(call, f"{call.entered('begin')} to {call.entered('end')}", call.entered("zone"))
    except RefereeError as error:
        return await _refused(call, error)
    return await _changed(call, {"zone": zone}, *await limits(call))


async def limits(call: Call) -> list[str]:
    """What games allow less than the vacation that was just chosen."""
    return reminders.limits(await call.app.services.absence.limits(call.user.id))


async def zone_choices(interaction: Interaction, current: str) -> Choices:
    """Suggests time zones."""
    return [app_commands.Choice(name=name, value=name) for name in zones.fitting(current, now())[:25]]


async def typed(
    call: Call, where: str | None, quiet: str | None, zone: str | None, vacation: str | None
) -> dict[str, Any]:
    """What a command changes, as the people's service takes it; a vacation is noted at once."""
    changes: dict[str, Any] = {} if where is None else {"reminders": where}
    settings = await _settings(call)
    if zone is not None:
        changes["zone"] = zones.zone(zone, now())
    if quiet is not None:
        changes.update(reminders.quiet(settings, quiet, now(), zone or ""))
    if vacation is not None:
        changes["zone"] = await _leave(call, vacation, zone or "")
    return changes


FEATURE = Feature(
    buttons={"reminders": Verb(_page), "unquiet": Verb(_unquiet), "back": Verb(_back)},
    selects={"remind": Verb(_where, shape=Shape("", {"": Entry("|".join(reminders.WHERE))}))},
    modals={
        "quieted": Verb(_quieted, shape=Shape("", reminders.FORM_ENTRIES)),
        "left": Verb(_left, shape=Shape("", reminders.FORM_ENTRIES)),
    },
    openers={"quiet": _ask_quiet, "vacation": _ask_vacation},
)

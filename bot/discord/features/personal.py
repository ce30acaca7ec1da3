"""A person's hand, and their settings for all games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.discord.features import messages
from bot.discord.show import hands
from bot.discord.show.recent import now
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import personal, reminders
from bot.screens.controls import Button, Open, Reply
from bot.screens.own_controls import own_controls
from bot.screens.shown import merged
from bot.screens.waiting import archived
from bot.table.preferences import ALWAYS, ASKED, DM, PAY
from bot.words.counting import counting_aid
from bot.words.language import N_, _
from bot.words.promises import unkept
from bot.words.refusals import known_code, sentence
from engine.errors import RefereeError


async def _hand(call: Call) -> Reply:
    """The person's hand, with what they can do now."""
    viewer = await call.viewer()
    viewer.check_playing()
    reply = await hands.reply(call.app.display, viewer, *unkept(viewer.view), *filter(None, [archived(viewer.table)]))
    if rows := own_controls(viewer):
        reply.rows, reply.decision = rows, viewer.decision
    if viewer.table.options.counting and viewer.game.outcome is None:
        reply.rows = [*reply.rows, [Button(_("Count cards"), Open("counted"), emoji="🧮")]]
    return reply


async def _counting_aid(call: Call) -> Reply:
    """What the person can count of others' hands. Code: "no-counting"."""
    viewer = await call.viewer()
    viewer.check_playing()
    if not viewer.table.options.counting:
        raise RefereeError("no-counting")
    back = Button(_("My hand"), Open("hand"))
    return Reply(counting_aid(viewer.game.view(viewer.seat, counted=True), viewer.marked), rows=[[back]])


@app_commands.command(name="hand", description=N_("See your cards"))
@app_commands.guild_only()
async def hand(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await _hand(call)

    await answer(interaction, run)


@app_commands.command(name="settings", description=N_("Your own settings"))
async def settings(interaction: Interaction) -> None:
    await answer(interaction, _page)


async def _page(call: Call, *lines: str) -> Reply:
    """The page with all settings, below the lines in `lines`."""
    settings = await call.app.services.people.settings(call.user.id)
    call.address = replace(call.address, game=0)  # the page's controls are about no game
    return personal.page(settings, now(), "\n".join(lines))


async def _settings_page(call: Call) -> Reply:
    return await _page(call)


async def _ask(call: Call) -> None:
    which = call.address.arg
    form = personal.form(await call.app.services.people.settings(call.user.id), which, now())
    await call.ask(form, "settings", which)


async def _submit_form(call: Call) -> Reply:
    """Save a sent form."""
    try:
        return await _page(call, *await _changed(call, await _entered(call)))
    except RefereeError as error:
        call.app.metrics.refusals.labels(known_code(error)).inc()
        page = await _page(call, f"⚠️ {sentence(error)}")
        page.rows = [[call.try_again(call.address.arg)], *page.rows]
        return page


async def _entered(call: Call) -> dict[str, Any]:
    """The changes that a form makes, by name of setting."""
    which, settings = call.address.arg, await call.app.services.people.settings(call.user.id)
    entered = merged(personal.form(settings, which, now()), call.address.shown, call.values)
    changes = personal.changed(settings, personal.SHEETS[which], entered)
    if "dms" in entered.get("shared", ()) and not settings.choices.direct:
        changes["dms"] = True  # perhaps no direct message could reach them before
    begin, end, zone = ("".join(entered.get(name, ())) for name in ("begin", "end", "zone"))
    if which == "reminders":
        return {**changes, **reminders.quiet(settings, begin, end, zone, now())}
    if which == "vacation":  # the days are what was entered: the form only proposes the first one
        begin, end = call.entered("begin"), call.entered("end")
        changes["vacation"], changes["zone"] = reminders.vacation(settings, begin, end, zone, now())
    return changes


async def _changed(call: Call, changes: Mapping[str, Any]) -> list[str]:
    """Change settings by name. Returns the lines to tell the person."""
    services, user, lines = call.app.services, call.user.id, list[str]()
    choices = {name: value for name, value in changes.items() if name not in ("dms", "vacation", "standing")}
    if changes.get("vacation") is not None:
        await services.absence.leave(user, *changes["vacation"])
        lines += reminders.limits(await services.absence.limits(user))
    if choices or "standing" in changes:
        await services.people.change_settings(
            user, standing=changes.get("standing"), choices=choices, interaction=call.key
        )
    if "building" in changes:
        await services.orders.reschedule(user)
    if "dms" in changes:
        lines.append(await messages.switch(call, changes["dms"]))
    elif changes.get("reminders") == DM and (await services.people.settings(user)).unreachable:
        lines.append(await call.app.greetings.write_to(call.user.id))  # immediately, to see whether Discord allows it
    return lines


async def _back(call: Call) -> Reply:
    await call.app.services.absence.back(call.user.id)
    return await _page(call)


async def _building(call: Call) -> Reply:
    """Set when the person is asked to build in the special building phase."""
    return await _page(call, *await _changed(call, personal.building_changed(call.address.arg)))


FEATURE = Feature(
    commands=[hand, settings],
    buttons={
        "hand": Verb(_hand),
        "counted": Verb(_counting_aid),
        "settings": Verb(_settings_page),
        "reminders": Verb(_settings_page),
        "back": Verb(_back),
        "building": Verb(_building, shape=Shape("|".join((ALWAYS, ASKED, PAY)))),
    },
    modals={
        "settings": Verb(
            _submit_form, shape=Shape("|".join(personal.SHEETS), lambda args: personal.SHEETS[args[0]].entries)
        )
    },
    openers=dict.fromkeys(personal.SHEETS, _ask),
)

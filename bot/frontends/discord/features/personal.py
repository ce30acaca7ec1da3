"""What is one's own: the hand, and the settings for all one's games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.frontends.discord.features import messages
from bot.frontends.discord.features import reminders as reminding
from bot.frontends.discord.publish import hands
from bot.frontends.discord.publish.recent import now
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Interaction, answer, table_here
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.presentation import personal
from bot.presentation.controls import Reply
from bot.presentation.own_controls import own_controls
from bot.presentation.reminders import WHERE
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.promises import unkept
from bot.presentation.waiting import archived

REMINDERS = [app_commands.Choice(name=text, value=name) for name, text in WHERE.items()]


async def _hand(call: Call) -> Reply:
    """The hand of the one who asks, with what they can do now."""
    viewer = await call.viewer()
    viewer.check_playing()
    reply = await hands.reply(call.app.display, viewer, *unkept(viewer.view), *filter(None, [archived(viewer.table)]))
    if rows := own_controls(viewer):
        reply.rows, reply.decision = rows, viewer.decision
    return reply


@app_commands.command(name="hand", description=N_("Your cards, what you can buy and your trade rates; only you see it"))
@app_commands.guild_only()
async def hand(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await _hand(call)

    await answer(interaction, run)


@app_commands.command(name="settings", description=N_("Your own settings, for all your games"))
@app_commands.describe(
    dms=N_("Whether your hand comes by direct message, too"),
    standing=N_("With how many cards you are called to special building without asking; 0: only when you ask"),
    reminders=N_("Where you are reminded that a game waits for you"),
    quiet=N_("When you aren't reminded, like “22:00 to 8:00”, or none"),
    zone=N_("Your time zone, by its city"),
    vacation=N_("Days on which your clock stands still, like “2026-12-20 to 2027-01-03”, or none"),
)
@app_commands.choices(reminders=REMINDERS)
@app_commands.autocomplete(zone=reminding.zone_choices)
async def settings(
    interaction: Interaction,
    dms: bool | None = None,
    standing: app_commands.Range[int, 0, 20] | None = None,
    reminders: str | None = None,
    quiet: str | None = None,
    zone: str | None = None,
    vacation: str | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        given: dict[str, Any] = {"standing": standing}
        given["choices"] = await reminding.typed(call, reminders, quiet, zone, vacation) or None
        told = [] if vacation is None else await reminding.limits(call)
        if dms is not None:
            told.append(await messages.switch(call, dms))
        if not dms:  # else they have just been written to
            told += await reminding.opened(call, reminders)
        return await _changed(call, {name: value for name, value in given.items() if value is not None}, *told)

    await answer(interaction, run)


async def _settings(call: Call) -> Reply:
    """All that can be set."""
    return await _changed(call, {})


async def _changed(call: Call, change: Mapping[str, Any], *told: str) -> Reply:
    """Change settings, and show them all below what is told."""
    services = call.app.services
    chosen = await services.people.change_settings(call.user.id, interaction=call.key, **change)
    if "building" in change.get("choices", ()):
        await services.orders.again(call.user.id)
    call.address = replace(call.address, game=0)  # what follows is about no game
    return personal.settings(chosen, now(), "\n".join((*[_("Noted.")] * bool(change), *told)))


async def _form(call: Call) -> None:
    await call.ask(personal.form(await call.app.services.people.settings(call.user.id)), "settings")


async def _filled(call: Call) -> Reply:
    """The form was sent."""
    before, wanted = await call.app.services.people.settings(call.user.id), personal.wants_messages(call.values)
    told = []
    if wanted != (before.dms and not before.dms_closed):
        told.append(await messages.switch(call, wanted))
    return await _changed(call, personal.changes(before, call.values), *told)


async def _building(call: Call) -> Reply:
    """When to be asked in the special building phase."""
    found = await call.app.services.people.settings(call.user.id)
    return await _changed(call, personal.building_change(found, call.address.arg))


FEATURE = Feature(
    commands=[hand, settings],
    buttons={
        "hand": Verb(_hand),
        "settings": Verb(_settings),
        "building": Verb(_building, shape=Shape("|".join(personal.BUILDING))),
    },
    modals={"settings": Verb(_filled, shape=Shape("", personal.ENTRIES))},
    openers={"settings": _form},
)

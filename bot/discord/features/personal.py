"""A person's hand, and their settings for all games."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands

from bot.discord.features import messages
from bot.discord.show import hands
from bot.discord.show.recent import now
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer, as_button
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.discord.talk.settings import forms
from bot.screens import people
from bot.screens.controls import Button, Open, Reply
from bot.screens.options import NewValues, Page
from bot.screens.play import own_controls
from bot.screens.waiting import archived
from bot.table.preferences import ALWAYS, ASKED, DM, PAY
from bot.words.hands import counting_aid, unkept_lines
from bot.words.language import N_, _
from engine.errors import RefereeError


async def _hand(call: Call) -> Reply:
    """The person's hand, with what they can do now."""
    viewer = await call.viewer()
    viewer.check_playing()
    reply = await hands.reply(
        call.app.display, viewer, *unkept_lines(viewer.view), *filter(None, [archived(viewer.table)])
    )
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
    await as_button(interaction, _hand, finished=True)


@app_commands.command(name="settings", description=N_("Your own settings"))
async def settings(interaction: Interaction) -> None:
    await answer(interaction, _page)


async def _page(call: Call, said: str = "") -> Reply:
    """The page with all settings; `said`: what came of the last click."""
    settings = await call.app.services.people.settings(call.user.id)
    call.address = replace(call.address, game=0)  # the page's controls are about no game
    return people.personal_page(settings, now(), said)


async def _load(call: Call) -> Page:
    return people.personal_options(await call.app.services.people.settings(call.user.id), now())


async def _change(call: Call, changes: NewValues) -> Reply:
    """Change settings by name."""
    services, user, lines = call.app.services, call.user.id, list[str]()
    choices = {name: value for name, value in changes.items() if name not in ("dms", "vacation", "standing")}
    if changes.get("vacation") is not None:
        await services.absence.leave(user, *changes["vacation"])
        lines += people.vacation_limits(await services.absence.limits(user))
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
    return await _page(call, "\n".join(lines))


async def _back(call: Call) -> Reply:
    await call.app.services.absence.back(call.user.id)
    return await _page(call)


async def _building(call: Call) -> Reply:
    """Set when the person is asked to build in the special building phase."""
    return await _change(call, people.building_changed(call.address.arg))


FEATURE = Feature(
    commands=[hand, settings],
    buttons={
        "hand": Verb(_hand),
        "counted": Verb(_counting_aid),
        "settings": Verb(_page),
        "reminders": Verb(_page),
        "back": Verb(_back),
        "building": Verb(_building, shape=Shape("|".join((ALWAYS, ASKED, PAY)))),
    },
    **forms(people.PERSONAL_SCOPE, _load, _change, _page),
)

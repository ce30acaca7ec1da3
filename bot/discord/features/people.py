"""What is a person's own: their hand, their settings for all games, direct messages, and their data (`/privacy`)."""

from __future__ import annotations

import json
from dataclasses import replace

from discord import app_commands

from bot.discord.context import AppContext
from bot.discord.interaction import now
from bot.discord.show import private
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer_command, as_button
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb, settings_forms
from bot.screens import people
from bot.screens import people as texts
from bot.screens.controls import Button, Open, Reply
from bot.screens.options import NewValues, Page
from bot.screens.play import own_controls
from bot.screens.waiting import archived
from bot.table.preferences import ALWAYS, ASKED, DM, PAY
from bot.table.table import LOBBY
from bot.words.hands import counting_aid, unkept_lines
from bot.words.language import N_, _, speaking
from engine.errors import RefereeError


async def with_dm_question(call: Call, reply: Reply) -> Reply:
    """The reply, with the question whether the person wants their hand by direct message. Not asked if they have
    answered it before, or if the table has private threads for hands."""
    settings = await call.app.services.people.settings(call.user.id)
    table = await call.app.services.repository.table(call.address.game)
    if call.app.messages and settings.choices.messages is None and not table.options.rooms:
        reply.rows = [*texts.dm_question(), *reply.rows]
    return reply


async def switch_dms(call: Call, on: bool) -> str:
    """Switch the hand by direct message on or off, in all games. Returns what to tell the person."""
    await call.app.services.people.change_settings(call.user.id, dms=on)
    return await call.app.greetings.write_to(call.user.id) if on else texts.dms_off()


async def _hand(call: Call) -> Reply:
    """The person's hand, with what they can do now."""
    viewer = await call.viewer()
    viewer.check_playing()
    reply = await private.hand_reply(
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
    await answer_command(interaction, settings_page)


async def settings_page(call: Call, said: str = "") -> Reply:
    """The page with all settings; `said`: what came of the last click."""
    services, guild = call.app.services, call.interaction.guild_id
    settings = await services.people.settings(call.user.id)
    call.address = replace(call.address, game=0)  # the page's controls are about no game
    on_server = guild is not None and call.app.messages
    here = await services.subscriptions.of(guild or 0, call.user.id) if on_server else None
    return people.personal_page(settings, now(), said, here)


async def _load_settings(call: Call) -> Page:
    return people.personal_options(await call.app.services.people.settings(call.user.id), now())


async def _change_settings(call: Call, changes: NewValues) -> Reply:
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
    for table in await services.repository.games_of(user, LOBBY) if "promptness" in changes else ():  # which say it
        call.app.publisher.refresh(table.number)
    if "building" in changes:
        await services.orders.reschedule(user)
    call.app.languages.forget(user)
    with speaking(await call.app.languages.of(call.interaction)):  # it could be the language that was chosen
        if "dms" in changes:
            lines.append(await switch_dms(call, changes["dms"]))
        elif changes.get("reminders") == DM and (await services.people.settings(user)).unreachable:
            lines.append(await call.app.greetings.write_to(user))  # immediately, to see whether Discord allows it
        return await settings_page(call, "\n".join(lines))


async def _back(call: Call) -> Reply:
    await call.app.services.absence.back(call.user.id)
    return await settings_page(call)


async def _building_calls(call: Call) -> Reply:
    """Set when the person is asked to build in the special building phase."""
    return await _change_settings(call, people.building_changed(call.address.arg))


@app_commands.command(name="privacy", description=N_("See or delete what I store about you"))
async def privacy(interaction: Interaction) -> None:
    await answer_command(interaction, _policy)


async def _policy(call: Call) -> Reply:
    return texts.stored_data(call.app.policy)


async def _my_data(call: Call) -> Reply:
    user = call.user.id
    return texts.exported_data(await call.app.exports.of(user, lambda: _exported(call.app, user)))


async def _exported(app: AppContext, user: int) -> bytes:
    data = await app.services.privacy.data(user)
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


async def _forget(call: Call) -> Reply:
    """Ask for confirmation. Codes: "forget/playing", "forget/waiting"."""
    await call.app.services.privacy.check(call.user.id)
    return texts.sure_to_forget()


async def _forgotten(call: Call) -> Reply:
    try:
        name = await call.app.services.privacy.forget(call.user.id)
    finally:  # it can have forgotten all but a game that can't be read
        call.app.exports.forget(call.user.id)
    return texts.forgotten(name)


FEATURE = Feature(
    commands=[hand, settings, privacy],
    buttons={
        "hand": Verb(_hand),
        "counted": Verb(_counting_aid),
        "settings": Verb(settings_page),
        "reminders": Verb(settings_page),
        "back": Verb(_back),
        "building": Verb(_building_calls, shape=Shape("|".join((ALWAYS, ASKED, PAY)))),
        "privacy": Verb(_policy),
        "my_data": Verb(_my_data),
        "forget": Verb(_forget),
        "forgotten": Verb(_forgotten),
    },
    **settings_forms(people.PERSONAL_SCOPE, _load_settings, _change_settings, settings_page),
)

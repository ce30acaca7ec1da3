"""Steps in which a person chooses in a list, is called, and presses buttons in other kinds of channels."""

from __future__ import annotations

import discord

from bot.rehearsal import bodies, samples
from bot.rehearsal.asking import Answer
from bot.rehearsal.findings import Seen
from bot.rehearsal.posting import nonce, outline, with_picture
from bot.rehearsal.stage import NOTHING_YET, Event, Json, NotNeeded, Stage, required
from bot.screens.controls import Picture

_VOICE, _THREAD = ("position", "bitrate", "user_limit"), ("parent_id", "owner_id", "message_count", "member_count")
_FIELDS = {0: ("position",), 2: _VOICE, 5: ("position",), 10: _THREAD, 11: _THREAD, 12: _THREAD, 13: _VOICE}
"""Fields of channels by type, in addition to those that all have."""
AWAY = 1 / 12
"""Part of the time for a press that a person has to look elsewhere: Discord notifies no one of what they look at."""


def unnamed(interaction: Json) -> list[str]:
    """What an interaction doesn't say of its channel, although Discord says it elsewhere: it calls that partial."""
    channel: Json = interaction.get("channel") or {}
    wanted = ("id", "type", "name", *_FIELDS.get(channel.get("type", 0), ()))
    return [field for field in wanted if field not in channel]


async def pressed_there(stage: Stage, seen: Seen, message: Json, ask: str) -> None:
    """Have a button pressed in another kind of channel, and note what the press says of that channel."""
    event = await stage.pressed(message, "go", ask)
    seen["pressed"] = (await stage.callback(event.data, NOTHING_YET)).said
    seen["channel without"] = unnamed(event.data)


async def _ask_in(stage: Stage, channel: int) -> Answer:
    """Post a button with a picture in another channel or thread."""
    body = with_picture(stage, "Rehearsal: press the button.")
    body = {**body, "components": [*body["components"], bodies.buttons("Go on")]}
    return await stage.post({**body, "nonce": nonce(), "enforce_nonce": True}, stage.pictures[0], channel=channel)


async def in_thread(stage: Stage, seen: Seen) -> None:
    """Have a button pressed in the thread that was opened, below a picture."""
    answer = await _ask_in(stage, stage.threads[0])
    message = required(answer)
    seen["posted"] = answer.status
    await pressed_there(stage, seen, message, "Press *Go on* in the thread *Rehearsal*.")


async def in_voice(stage: Stage, seen: Seen) -> None:
    """Have a button pressed in the chat of a voice channel, if there is one where Harbormaster can write."""
    rooms = (await stage.asker.ask("GET", "/guilds/{guild_id}/channels", guild_id=stage.guild)).data
    for room in rooms:
        if room["type"] == discord.ChannelType.voice.value:
            answer = await _ask_in(stage, int(room["id"]))
            if answer.status < 400:
                break
    else:
        raise NotNeeded("this server has no voice channel where Harbormaster can write, so no game is there either")
    seen["posted"] = answer.status
    await pressed_there(stage, seen, answer.data, f"Press *Go on* in the chat of the voice channel *{room['name']}*.")


async def choose(stage: Stage, seen: Seen) -> None:
    """Show only the person each kind of control, with a file, and have them choose in a list."""
    reply = samples.controls(stage.channel, stage.roles)
    assert reply.picture is not None
    assert reply.download is not None
    view = samples.unboxed(reply)
    stage.client.signs.put_in(view)
    parts = samples.parts(view)
    files = (reply.picture, Picture(reply.download.data, "", reply.download.name))
    body = {**bodies.message(*parts, files=bodies.listed(*files)), "components": parts}
    press = stage.press
    answer = await stage.by_token("POST", press, "", {**body, "flags": bodies.V2 | bodies.EPHEMERAL}, *files)
    message = required(answer)
    seen["status"] = answer.status
    seen["parts as they were sent"] = outline(message["components"]) == outline(parts)
    ask = f"Choose *{samples.CHOICE}* in the list of the message that only you see, below."
    event = await stage.pressed(message, "list", ask)
    seen["acknowledged"] = (await stage.callback(event.data, NOTHING_YET)).said
    seen["chosen"] = " ".join(event.data["data"].get("values") or [])
    await stage.by_token("DELETE", press, message["id"])


async def ping(stage: Stage, seen: Seen) -> None:
    """Call the person between silent messages, and ask how many messages have notified them."""
    user = stage.person["id"]
    wait = stage.within * AWAY
    stage.say(f"Look at another channel or another program, and listen: in {wait:g} seconds, three messages name you.")
    await stage.client.wait_for_event(lambda event: False, wait)
    name = f"<@{user}>"
    silent = await stage.post(bodies.message(bodies.text(f"Rehearsal: silent, {name}."), mentions=[user]))
    loud = await stage.post(bodies.message(bodies.text(f"Rehearsal: a turn, {name}."), mentions=[user], loud=True))
    called = await stage.post(bodies.call(f"{name} · a call: press a button.", user, "Yes", "No"))
    after = await stage.post({"content": "Rehearsal: silent again.", "flags": bodies.SILENT})
    message = required(called)
    answers = [required(answer) for answer in (silent, loud, called, after)]
    seen["status"] = called.status
    seen["silent"] = [bool(one["flags"] & bodies.SILENT) for one in answers] == [True, False, False, True]
    seen["mentions"] = sum(bool(one["mentions"]) for one in answers[1:3])
    again = {"content": f"{name} · a call: press a button below.", "allowed_mentions": {"parse": [], "users": [user]}}
    edit = await stage.edit(message, again)
    seen["buttons stay"] = bool(edit.data["components"]) if edit.status < 400 else edit.said
    event = await stage.pressed(
        message, "", "Did exactly two of them notify you, by a sound or a banner? Press *Yes* or *No* below the call."
    )
    await stage.callback(event.data, NOTHING_YET)
    seen["two notified you"] = word(event)


def word(event: Event) -> str:
    """The word on the button that was pressed."""
    return str(event.data["data"]["custom_id"]).removeprefix(bodies.PROMPT).partition(":")[0]

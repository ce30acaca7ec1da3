"""Steps that need a person: pressing, also in other kinds of channels, choosing in a list, the film, a name in an edit,
being called, forms, commands, direct messages."""

from __future__ import annotations

import asyncio

import discord

from bot.discord.interaction import Json
from bot.discord.show import permissions
from bot.rehearsal import posting
from bot.rehearsal.findings import DEFAULT_WAIT, Answer, Seen
from bot.rehearsal.posting import compared, look, nonce, outline, with_picture
from bot.rehearsal.stage import (
    BOXES,
    CHANGE,
    CHOICE,
    CHOICES,
    COMMAND,
    EPHEMERAL,
    FIELD,
    MESSAGE,
    NAME,
    NOTHING_YET,
    OPEN_FORM,
    PROMPT,
    SIDE,
    SILENT,
    SUBMITTED,
    THINKING,
    TYPED,
    V2,
    Event,
    NotNeeded,
    Skip,
    Stage,
    buttons_body,
    call_body,
    edited_body,
    form_body,
    gallery_body,
    list_body,
    media_of,
    message_body,
    required,
    sample_film,
    since_made,
    text_body,
    text_of,
    walk,
)
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
    body = {**body, "components": [*body["components"], buttons_body("Go on")]}
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
    reply = posting.sample_controls(stage.channel, stage.roles)
    assert reply.picture is not None
    view = posting.unboxed(reply)
    stage.client.signs.put_in(view)
    parts = posting.message_parts(view)
    files = (reply.picture, *(Picture(file.data, "", file.name) for file in reply.downloads))
    body = {**message_body(*parts, files=list_body(*files)), "components": parts}
    press = stage.press
    answer = await stage.by_token("POST", press, "", {**body, "flags": V2 | EPHEMERAL}, *files)
    message = required(answer)
    seen["status"] = answer.status
    seen["parts as they were sent"] = outline(message["components"]) == outline(parts)
    ask = f"Choose *{posting.CHOICE}* in the list of the message that only you see, below."
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
    silent = await stage.post(message_body(text_body(f"Rehearsal: silent, {name}."), mentions=[user]))
    loud = await stage.post(message_body(text_body(f"Rehearsal: a turn, {name}."), mentions=[user], loud=True))
    called = await stage.post(call_body(f"{name} · a call: press a button.", user, "Yes", "No"))
    after = await stage.post({"content": "Rehearsal: silent again.", "flags": SILENT})
    message = required(called)
    answers = [required(answer) for answer in (silent, loud, called, after)]
    seen["status"] = called.status
    seen["silent"] = [bool(one["flags"] & SILENT) for one in answers] == [True, False, False, True]
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
    return str(event.data["data"]["custom_id"]).removeprefix(PROMPT).partition(":")[0]


MARKED_PLACES = ("a1", "b2", "c3")
IS_ANIMATED = 1 << 0
"""Flag of a media item that is animated."""


async def press(stage: Stage, seen: Seen) -> None:
    """Have a button pressed: when the press arrives, which permissions it names, and a new picture as the answer to it
    and by its token."""
    question = message_body(text_body("Rehearsal: press the button."), buttons_body("Go on"))
    message = required(await stage.post(question))
    event = await stage.pressed(message, "go", "Press the button *Go on* in the channel.")
    interaction = event.data
    change = edited_body(with_picture(stage, "Rehearsal: another picture follows.", 1))
    first = await stage.callback(interaction, CHANGE, change, stage.pictures[1])
    if first.status >= 400:
        await stage.callback(interaction, NOTHING_YET)
    seen["arrived after"] = since_made(interaction, event.at)
    seen["channel without"] = unnamed(interaction)
    seen["answered with a picture"] = first.said
    kind = discord.ChannelType.text
    rights = discord.Permissions(int(interaction.get("app_permissions") or 0))
    seen["lacks"] = permissions.missing(rights, kind)
    seen["installed in"] = (
        "this server" if interaction.get("authorizing_integration_owners", {}).get("0") == str(stage.guild) else ""
    )
    seen["largest file"] = interaction.get("attachment_size_limit")
    body = edited_body(with_picture(stage, "Rehearsal: thank you."))
    answer = await stage.by_token("PATCH", interaction, "@original", body, stage.pictures[0])
    seen["edited by its token"] = answer.said
    if answer.status < 400:
        look(seen, answer.data, stage.pictures[0])
        await _keep(stage, seen, interaction, answer.data)
    seen["limit"] = answer.limits or DEFAULT_WAIT
    shared = await stage.by_token("POST", interaction, "", edited_body(message_body(text_body("For all to see."))))
    seen["told to all"] = shared.said
    if shared.status < 400:
        stage.posts.append((stage.channel, int(shared.data["id"])))


def _kept(message: Json) -> Json:
    """The entry by which an edit keeps a message's picture."""
    media = media_of(message)[0]
    return {"id": media.get("attachment_id"), "filename": media["url"].partition("?")[0].rpartition("/")[2]}


async def _keep(stage: Stage, seen: Seen, interaction: Json, message: Json) -> None:
    """Edit the words of a public message by a token; the picture is kept by its id."""
    before, picture = media_of(message)[0], stage.pictures[0]
    words = text_body("Rehearsal: only these words are new.")
    body = message_body(words, gallery_body(picture), files=list_body(kept=_kept(message)))
    answer = await stage.by_token("PATCH", interaction, "@original", edited_body(body))
    after = media_of(answer.data)[:1] if answer.status < 400 else []
    same = bool(after) and after[0].get("attachment_id") == before.get("attachment_id")
    seen["picture kept by its token"] = same if answer.status < 400 else answer.said


async def private(stage: Stage, seen: Seen) -> None:
    """Post, edit and delete a private answer with a picture, by the token of the press."""
    interaction, picture = stage.press, stage.pictures[0]
    body = with_picture(stage, "Only you see this.")
    body["flags"] = V2 | EPHEMERAL
    answer = await stage.by_token("POST", interaction, "", body, picture)
    message = required(answer)
    seen["status"] = answer.status
    seen["only for them"] = bool(message["flags"] & EPHEMERAL)
    look(seen, message, picture)
    words = "Only you see this, too."
    changed = message_body(text_body(words), gallery_body(picture), files=list_body(kept=_kept(message)))
    edit = await stage.by_token("PATCH", interaction, message["id"], edited_body(changed))
    seen["edited"] = edit.said
    if edit.status < 400:
        seen["text"] = compared(words, text_of(edit.data))
        seen["picture kept"] = len(media_of(edit.data)) == 1
    other = stage.pictures[1]
    edit = await stage.by_token("PATCH", interaction, message["id"], edited_body(with_picture(stage, words, 1)), other)
    seen["new picture"] = edit.said
    deletion = await stage.by_token("DELETE", interaction, message["id"])
    seen["deleted"] = deletion.said


async def film(stage: Stage, seen: Seen) -> None:
    """Post a game as an animated picture, and ask whether it moves on the host's screen."""
    drawn = await asyncio.to_thread(sample_film, stage.turns)
    buttons = buttons_body("Plays", "Stands still")
    words = text_body("Rehearsal: does this film play by itself?")
    answer = await stage.post(message_body(words, gallery_body(drawn), buttons, files=list_body(drawn)), drawn)
    message = required(answer)
    seen["status"], seen["bytes"], seen["turns"] = answer.status, len(drawn.data), stage.turns
    seen["seconds"] = answer.seconds
    media = look(seen, message, drawn)
    seen["animated"] = bool((media.get("flags") or 0) & IS_ANIMATED)
    event = await stage.pressed(
        message, "", "Does the film in the channel play? Press *Plays* or *Stands still* below it."
    )
    await stage.callback(event.data, NOTHING_YET)
    seen["to your eyes"] = word(event)
    seen["comes back whole"] = await _fetched(stage, media) == drawn.data


async def _fetched(stage: Stage, media: Json) -> bytes:
    try:
        return await stage.client.http.get_from_cdn(media.get("url", ""))
    except (discord.HTTPException, ValueError):
        return b""


async def name(stage: Stage, seen: Seen) -> None:
    """Name the person by `<@id>` in two edits: the first isn't allowed to mention them, the second is."""
    user = stage.person["id"]
    buttons = buttons_body("Yes", "No")
    message = required(await stage.post(message_body(text_body("Rehearsal: a name comes."))))
    body = message_body(text_body(f"Rehearsal: is your name here? <@{user}>"))
    answer = await stage.edit(message, edited_body(body))
    seen["mentions without leave"] = [mention["id"] for mention in required(answer)["mentions"]]
    body = message_body(text_body(f"Rehearsal: is your name here? <@{user}>"), buttons, mentions=[user])
    answer = await stage.edit(message, edited_body(body))
    seen["mentions with leave"] = (
        "them" if [mention["id"] for mention in required(answer)["mentions"]] == [user] else "others"
    )
    event = await stage.pressed(message, "", "Do you see your own name in the channel? Press *Yes* or *No* below it.")
    await stage.callback(event.data, NOTHING_YET)
    seen["to your eyes"] = word(event)


async def direct(stage: Stage, seen: Seen) -> None:
    """Send a direct message with a picture to the person who pressed, edit its words, and have a button pressed."""
    opened = await stage.asker.ask("POST", "/users/@me/channels", {"recipient_id": stage.person["id"]})
    seen["opened"], seen["limit"] = opened.status, opened.limits or DEFAULT_WAIT
    words = "Rehearsal: a direct message. It goes away by itself."
    picture, button = stage.pictures[0], buttons_body("Go on")
    body = with_picture(stage, words)
    body = {**body, "flags": V2, "components": [*body["components"], button], "nonce": nonce()}
    answer = await stage.post(body, picture, channel=int(opened.data["id"]))
    message = required(answer)
    seen["posted"] = answer.status
    seen["text"] = compared(words, text_of(message))
    parts = (text_body("Rehearsal: press the button."), gallery_body(picture), button)
    edit = await stage.edit(message, edited_body(message_body(*parts, files=list_body(kept=_kept(message)))))
    seen["picture kept"] = len(media_of(edit.data)) == 1 if edit.status < 400 else edit.said
    await pressed_there(stage, seen, message, "Press *Go on* in the direct message.")
    ids = {"channel_id": message["channel_id"], "message_id": message["id"]}
    deletion = await stage.asker.attempt("DELETE", MESSAGE, **ids)
    seen["deleted"] = deletion.said
    if deletion.status < 400:
        stage.posts.remove((int(opened.data["id"]), int(message["id"])))


async def form(stage: Stage, seen: Seen) -> None:
    """Open a form with a text, a list, radio buttons and checkboxes, as the first answer to a press."""
    message = required(await stage.post(message_body(text_body("Rehearsal: a form."), buttons_body("Open a form"))))
    event = await stage.pressed(
        message, "open", "Press *Open a form*, fill it in, leave the ticked box as it is, and send it."
    )
    since = len(stage.client.events)
    opened = await stage.callback(event.data, OPEN_FORM, form_body())
    seen["opened"] = opened.said
    if opened.status >= 400:
        return
    sent = await stage.client.wait_for_event(lambda event: _is(event, SUBMITTED), stage.within, since)
    if sent is None:
        raise Skip(f"no one sent it within {stage.within:g} s")
    seen["answered with a picture"] = (await stage.thank(sent.data)).said
    inputs = {part["custom_id"]: part for part in walk(sent.data["data"].get("components", [])) if "custom_id" in part}
    seen["words"] = bool((inputs.get(FIELD) or {}).get("value"))
    seen["choice"] = " ".join(((inputs.get(CHOICE) or {}).get("values") or [])[-1:])
    seen["side"] = (inputs.get(SIDE) or {}).get("value")
    seen["boxes"] = " ".join((inputs.get(BOXES) or {}).get("values") or [])
    seen["says where it came from"] = sent.data.get("message", {}).get("id") == message["id"]


async def command(stage: Stage, seen: Seen) -> None:
    """Have the command typed, with its suggestions."""
    since, suggested = len(stage.client.events), 0
    stage.say(
        f"Type /rehearse in the channel, choose a place from the list, and send it. You have {stage.within:g} seconds."
    )
    while True:
        event = await stage.client.wait_for_event(
            lambda event: _is(event, TYPED) or _is(event, COMMAND), stage.within, since
        )
        if event is None:
            raise Skip(f"no one typed it within {stage.within:g} s")
        since = stage.client.events.index(event) + 1
        option: Json = next(iter(event.data["data"].get("options") or []), {})
        if event.data["type"] == COMMAND:
            break
        typed = str(option.get("value", "")).casefold()
        offered = [place for place in MARKED_PLACES if place.startswith(typed)] or MARKED_PLACES
        choices = [{"name": place, "value": place} for place in offered]
        suggested += (await stage.callback(event.data, CHOICES, {"choices": choices})).status < 400
        seen["says what is being typed"] = bool(option.get("focused"))
    seen["suggestions"] = suggested
    seen["acknowledged"] = (await stage.callback(event.data, THINKING, {"flags": EPHEMERAL})).said
    stage.whispers.append(event.data)
    thanks = edited_body(message_body(text_body("Thank you.")))
    seen["answered"] = (await stage.by_token("PATCH", event.data, "@original", thanks)).said
    seen["place"] = option.get("value")
    seen["registered in"] = "this server" if event.data["data"].get("guild_id") == str(stage.guild) else "another place"


def _is(event: Event, kind: int) -> bool:
    """Whether an event is an interaction of this type, with one of the rehearsal's controls or its command."""
    if event.name != "INTERACTION_CREATE" or event.data["type"] != kind:
        return False
    about = event.data["data"]
    return about.get("name") == NAME or str(about.get("custom_id", "")).startswith(PROMPT)

"""Steps that need a person: pressing, the film, a name in an edit, forms, commands, direct messages."""

from __future__ import annotations

import asyncio

import discord

from bot.discord.show import permissions
from bot.rehearsal import bodies
from bot.rehearsal.asking import UNTOLD
from bot.rehearsal.findings import Seen
from bot.rehearsal.posting import compared, look, nonce, with_picture
from bot.rehearsal.presses import pressed_there, unnamed, word
from bot.rehearsal.stage import (
    CHANGE,
    CHOICES,
    COMMAND,
    FORM,
    MESSAGE,
    NOTHING_YET,
    SUBMITTED,
    THINKING,
    TYPED,
    Event,
    Json,
    Skip,
    Stage,
    media_of,
    required,
    since_made,
    text_of,
    walk,
)

PLACES = ("a1", "b2", "c3")
IS_ANIMATED = 1 << 0
"""Flag of a media item that is animated."""


async def press(stage: Stage, seen: Seen) -> None:
    """Have a button pressed: when the press arrives, which permissions it names, and a new picture as the answer to it
    and by its token."""
    question = bodies.message(bodies.text("Rehearsal: press the button."), bodies.buttons("Go on"))
    message = required(await stage.post(question))
    event = await stage.pressed(message, "go", "Press the button *Go on* in the channel.")
    interaction = event.data
    change = bodies.edited(with_picture(stage, "Rehearsal: another picture follows.", 1))
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
    body = bodies.edited(with_picture(stage, "Rehearsal: thank you."))
    answer = await stage.by_token("PATCH", interaction, "@original", body, stage.pictures[0])
    seen["edited by its token"] = answer.said
    if answer.status < 400:
        look(seen, answer.data, stage.pictures[0])
        await _keep(stage, seen, interaction, answer.data)
    seen["limit"] = answer.limits or UNTOLD
    shared = await stage.by_token(
        "POST", interaction, "", bodies.edited(bodies.message(bodies.text("For all to see.")))
    )
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
    words = bodies.text("Rehearsal: only these words are new.")
    body = bodies.message(words, bodies.gallery(picture), files=bodies.listed(kept=_kept(message)))
    answer = await stage.by_token("PATCH", interaction, "@original", bodies.edited(body))
    after = media_of(answer.data)[:1] if answer.status < 400 else []
    same = bool(after) and after[0].get("attachment_id") == before.get("attachment_id")
    seen["picture kept by its token"] = same if answer.status < 400 else answer.said


async def private(stage: Stage, seen: Seen) -> None:
    """Post, edit and delete a private answer with a picture, by the token of the press."""
    interaction, picture = stage.press, stage.pictures[0]
    body = with_picture(stage, "Only you see this.")
    body["flags"] = bodies.V2 | bodies.EPHEMERAL
    answer = await stage.by_token("POST", interaction, "", body, picture)
    message = required(answer)
    seen["status"] = answer.status
    seen["only for them"] = bool(message["flags"] & bodies.EPHEMERAL)
    look(seen, message, picture)
    words = "Only you see this, too."
    changed = bodies.message(bodies.text(words), bodies.gallery(picture), files=bodies.listed(kept=_kept(message)))
    edit = await stage.by_token("PATCH", interaction, message["id"], bodies.edited(changed))
    seen["edited"] = edit.said
    if edit.status < 400:
        seen["text"] = compared(words, text_of(edit.data))
        seen["picture kept"] = len(media_of(edit.data)) == 1
    other = stage.pictures[1]
    edit = await stage.by_token(
        "PATCH", interaction, message["id"], bodies.edited(with_picture(stage, words, 1)), other
    )
    seen["new picture"] = edit.said
    deletion = await stage.by_token("DELETE", interaction, message["id"])
    seen["deleted"] = deletion.said


async def film(stage: Stage, seen: Seen) -> None:
    """Post a game as an animated picture, and ask whether it moves on the host's screen."""
    drawn = await asyncio.to_thread(bodies.film, stage.turns)
    buttons = bodies.buttons("Plays", "Stands still")
    words = bodies.text("Rehearsal: does this film play by itself?")
    answer = await stage.post(bodies.message(words, bodies.gallery(drawn), buttons, files=bodies.listed(drawn)), drawn)
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
    buttons = bodies.buttons("Yes", "No")
    message = required(await stage.post(bodies.message(bodies.text("Rehearsal: a name comes."))))
    body = bodies.message(bodies.text(f"Rehearsal: is your name here? <@{user}>"))
    answer = await stage.edit(message, bodies.edited(body))
    seen["mentions without leave"] = [mention["id"] for mention in required(answer)["mentions"]]
    body = bodies.message(bodies.text(f"Rehearsal: is your name here? <@{user}>"), buttons, mentions=[user])
    answer = await stage.edit(message, bodies.edited(body))
    seen["mentions with leave"] = (
        "them" if [mention["id"] for mention in required(answer)["mentions"]] == [user] else "others"
    )
    event = await stage.pressed(message, "", "Do you see your own name in the channel? Press *Yes* or *No* below it.")
    await stage.callback(event.data, NOTHING_YET)
    seen["to your eyes"] = word(event)


async def direct(stage: Stage, seen: Seen) -> None:
    """Send a direct message with a picture to the person who pressed, edit its words, and have a button pressed."""
    opened = await stage.asker.ask("POST", "/users/@me/channels", {"recipient_id": stage.person["id"]})
    seen["opened"], seen["limit"] = opened.status, opened.limits or UNTOLD
    words = "Rehearsal: a direct message. It goes away by itself."
    picture, button = stage.pictures[0], bodies.buttons("Go on")
    body = with_picture(stage, words)
    body = {**body, "flags": bodies.V2, "components": [*body["components"], button], "nonce": nonce()}
    answer = await stage.post(body, picture, channel=int(opened.data["id"]))
    message = required(answer)
    seen["posted"] = answer.status
    seen["text"] = compared(words, text_of(message))
    parts = (bodies.text("Rehearsal: press the button."), bodies.gallery(picture), button)
    edit = await stage.edit(message, bodies.edited(bodies.message(*parts, files=bodies.listed(kept=_kept(message)))))
    seen["picture kept"] = len(media_of(edit.data)) == 1 if edit.status < 400 else edit.said
    await pressed_there(stage, seen, message, "Press *Go on* in the direct message.")
    ids = {"channel_id": message["channel_id"], "message_id": message["id"]}
    deletion = await stage.asker.attempt("DELETE", MESSAGE, **ids)
    seen["deleted"] = deletion.said
    if deletion.status < 400:
        stage.posts.remove((int(opened.data["id"]), int(message["id"])))


async def form(stage: Stage, seen: Seen) -> None:
    """Open a form with a text, a list, radio buttons and checkboxes, as the first answer to a press."""
    message = required(
        await stage.post(bodies.message(bodies.text("Rehearsal: a form."), bodies.buttons("Open a form")))
    )
    event = await stage.pressed(
        message, "open", "Press *Open a form*, fill it in, leave the ticked box as it is, and send it."
    )
    since = len(stage.client.events)
    opened = await stage.callback(event.data, FORM, bodies.form())
    seen["opened"] = opened.said
    if opened.status >= 400:
        return
    sent = await stage.client.wait_for_event(lambda event: _is(event, SUBMITTED), stage.within, since)
    if sent is None:
        raise Skip(f"no one sent it within {stage.within:g} s")
    seen["acknowledged"] = (await stage.thank(sent.data)).said
    inputs = {part["custom_id"]: part for part in walk(sent.data["data"].get("components", [])) if "custom_id" in part}
    seen["words"] = bool((inputs.get(bodies.FIELD) or {}).get("value"))
    seen["choice"] = " ".join(((inputs.get(bodies.CHOICE) or {}).get("values") or [])[-1:])
    seen["side"] = (inputs.get(bodies.SIDE) or {}).get("value")
    seen["boxes"] = " ".join((inputs.get(bodies.BOXES) or {}).get("values") or [])
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
        offered = [place for place in PLACES if place.startswith(typed)] or PLACES
        choices = [{"name": place, "value": place} for place in offered]
        suggested += (await stage.callback(event.data, CHOICES, {"choices": choices})).status < 400
        seen["says what is being typed"] = bool(option.get("focused"))
    seen["suggestions"] = suggested
    seen["acknowledged"] = (await stage.callback(event.data, THINKING, {"flags": bodies.EPHEMERAL})).said
    stage.whispers.append(event.data)
    thanks = bodies.edited(bodies.message(bodies.text("Thank you.")))
    seen["answered"] = (await stage.by_token("PATCH", event.data, "@original", thanks)).said
    seen["place"] = option.get("value")
    seen["registered in"] = "this server" if event.data["data"].get("guild_id") == str(stage.guild) else "another place"


def _is(event: Event, kind: int) -> bool:
    """Whether an event is an interaction of this type, with one of the rehearsal's controls or its command."""
    if event.name != "INTERACTION_CREATE" or event.data["type"] != kind:
        return False
    about = event.data["data"]
    return about.get("name") == bodies.NAME or str(about.get("custom_id", "")).startswith(bodies.PROMPT)

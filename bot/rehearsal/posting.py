"""Steps with messages that need no person: posting, posting twice, editing, deleting."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode

from discord import ui

from bot.discord.show.channels import ready
from bot.discord.show.signs import SIGNS
from bot.rehearsal import bodies, samples
from bot.rehearsal.asking import UNTOLD, Answer
from bot.rehearsal.findings import Seen
from bot.rehearsal.stage import MESSAGE, Json, Stage, media_of, required, text_of, walk
from bot.screens.controls import Picture
from render import signs

AS_SENT = "as it was sent"
NEW_WORDS = "### Game 7 · Ben’s turn\nOnly the words are new."
UNKNOWN_MESSAGE = 10008
EMOJIS = "/applications/{application_id}/emojis"


def compared(sent: str, back: str) -> str:
    """`AS_SENT` if a text came back unchanged; otherwise where and how it changed."""
    if sent == back:
        return AS_SENT
    at = next(
        (n for n, (one, other) in enumerate(zip(sent, back, strict=False)) if one != other), min(len(sent), len(back))
    )
    return f"changed from character {at} on, {sent[at : at + 12]!r} into {back[at : at + 12]!r}"


def look(seen: Seen, message: Json, picture: Picture) -> Json:
    """Note what a message says about its one picture. Returns the picture's data."""
    items = media_of(message)
    seen["pictures"] = len(items)
    media = items[0] if items else {}
    seen["content type"] = media.get("content_type")
    seen["size"] = f"{media.get('width')}x{media.get('height')}"
    seen["file name kept"] = f"/{picture.name}" in media.get("url", "")
    seen["id given"] = bool(media.get("attachment_id"))
    return media


def nonce() -> str:
    return secrets.token_hex(12)


def with_picture(stage: Stage, words: str, number: int = 0) -> Json:
    picture = stage.pictures[number]
    return bodies.message(bodies.text(words), bodies.gallery(picture), files=bodies.listed(picture))


async def post(stage: Stage, seen: Seen) -> None:
    """Post a message with a text and an uploaded picture."""
    picture, sent = stage.pictures[0], bodies.WORDS
    body = {**with_picture(stage, sent), "nonce": nonce(), "enforce_nonce": True}
    answer = await stage.post(body, picture)
    message = required(answer)
    stage.message, stage.body = message, body
    seen["status"] = answer.status
    seen["text"] = compared(sent, text_of(message))
    seen["number of the first part kept"] = message["components"][0].get("id") == bodies.MARK
    look(seen, message, picture)
    seen["seconds"] = answer.seconds
    seen["limit"] = answer.limits or UNTOLD


async def once(stage: Stage, seen: Seen) -> None:
    """Post the very same message again, as after a lost answer."""
    answer = await stage.post(stage.body, stage.pictures[0])
    again = required(answer)
    seen["status"] = answer.status
    seen["messages"] = 1 if again["id"] == stage.message["id"] else 2


async def edit_words(stage: Stage, seen: Seen) -> None:
    """Edit the words. The picture is kept by its id, and not uploaded again."""
    picture, before = stage.pictures[0], media_of(stage.message)[0]
    attachment = {"id": before.get("attachment_id"), "filename": picture.name}
    body = bodies.message(bodies.text(NEW_WORDS), bodies.gallery(picture), files=bodies.listed(kept=attachment))
    answer = await stage.edit(stage.message, bodies.edited(body))
    message = required(answer)
    seen["status"] = answer.status
    seen["text"] = compared(NEW_WORDS, text_of(message))
    media = look(seen, message, picture)
    seen["same attachment"] = media.get("attachment_id") == before.get("attachment_id")
    seen["limit"] = answer.limits or UNTOLD


async def edit_picture(stage: Stage, seen: Seen) -> None:
    """Edit the message with another picture, which is uploaded."""
    picture, before = stage.pictures[1], media_of(stage.message)[0]
    answer = await stage.edit(stage.message, bodies.edited(with_picture(stage, NEW_WORDS, 1)), picture)
    message = required(answer)
    seen["status"] = answer.status
    media = look(seen, message, picture)
    seen["new attachment"] = media.get("attachment_id") != before.get("attachment_id")
    ids = {"channel_id": message["channel_id"], "message_id": message["id"]}
    seen["still there afterwards"] = len(media_of((await stage.asker.ask("GET", MESSAGE, **ids)).data)) == 1


async def emoji(stage: Stage, seen: Seen) -> None:
    """Upload an emoji of the application's own, and show it in a text and on a button."""
    there = await stage.asker.attempt("GET", EMOJIS, application_id=stage.application)
    seen["there already"] = len(there.data["items"]) if there.status < 400 else there.said
    image = "data:image/png;base64," + b64encode(signs()["grain"]).decode()
    body = {"name": f"rehearse_{secrets.token_hex(4)}", "image": image}
    answer = await stage.asker.attempt("POST", EMOJIS, body, application_id=stage.application)
    own = required(answer)
    stage.emoji = int(own["id"])
    stage.client.signs.use(dict.fromkeys(SIGNS, stage.emoji))
    words, row = f"An emoji of the bot's own: <:{own['name']}:{own['id']}>", bodies.buttons("Nothing")
    row["components"][0]["emoji"] = {"id": own["id"], "name": own["name"]}
    message = required(await stage.post(bodies.message(bodies.text(words), row)))
    seen["status"] = answer.status
    seen["text"] = compared(words, text_of(message))
    [button] = [part for part in walk(message["components"]) if part["type"] == bodies.BUTTON]
    seen["on the button"] = (button.get("emoji") or {}).get("id") == own["id"]
    seen["limit"] = answer.limits or UNTOLD


async def game(stage: Stage, seen: Seen) -> None:
    """Post the message of a simulated game, then one with each kind of control, with the own emoji if there is one."""
    view, picture = await asyncio.to_thread(samples.game_message)
    parts, answer = await _posted(stage, view, picture)
    message = required(answer)
    seen["status"], seen["parts"] = answer.status, len(walk(parts))
    seen["text"] = compared(text_of({"components": parts}), text_of(message))
    seen["parts as they were sent"] = outline(message["components"]) == outline(parts)
    look(seen, message, picture)
    controls = samples.controls(stage.channel, stage.roles)
    assert controls.picture is not None
    parts, answer = await _posted(stage, samples.boxed(controls), controls.picture)
    seen["every control"] = outline(required(answer)["components"]) == outline(parts)


async def _posted(stage: Stage, view: ui.LayoutView, picture: Picture) -> tuple[list[Json], Answer]:
    """Post a layout as games do. Returns its components as they were sent, and the answer."""
    ready(stage.client, view)
    parts = samples.parts(view)
    body = bodies.message(*parts, files=bodies.listed(picture))
    answer = await stage.post({**body, "components": parts, "nonce": nonce(), "enforce_nonce": True}, picture)
    return parts, answer


def outline(components: list[Json]) -> list[tuple[object, ...]]:
    """What must come back of components as it was sent: type, id, label, style, emoji, and how many options."""
    plain = ("type", "custom_id", "label", "style")
    return [
        (*map(part.get, plain), (part.get("emoji") or {}).get("id"), len(part.get("options") or ()))
        for part in walk(components)
    ]


async def delete(stage: Stage, seen: Seen) -> None:
    """Delete a message, then edit it, then post it again under its nonce."""
    body = {**bodies.message(bodies.text("Gone in a moment.")), "nonce": nonce(), "enforce_nonce": True}
    message = required(await stage.post(body))
    ids = {"channel_id": message["channel_id"], "message_id": message["id"]}
    answer = await stage.asker.attempt("DELETE", MESSAGE, **ids)
    seen["status"] = answer.said
    if answer.status < 400:
        stage.posts.remove((stage.channel, int(message["id"])))
    seen["limit"] = answer.limits or UNTOLD
    edit = await stage.edit(message, bodies.edited(bodies.message(bodies.text("Too late."))))
    seen["an edit afterwards"] = edit.code or edit.status
    again = await stage.post(body)
    seen["the same posted again"] = again.code or again.status

"""Steps with messages that need nobody: posting, posting twice, editing, deleting."""

from __future__ import annotations

import secrets
from base64 import b64encode

from bot.discord.rehearsal import bodies
from bot.discord.rehearsal.asking import UNTOLD
from bot.discord.rehearsal.findings import Seen
from bot.discord.rehearsal.stage import MESSAGE, Json, Stage, media_of, required, text_of, walk
from bot.screens.controls import Picture
from render import signs

AS_SENT = "as it was sent"
NEW_WORDS = "### Game 7 · Ben’s turn\nOnly the words are new."
UNKNOWN_MESSAGE = 10008
EMOJIS = "/applications/{application_id}/emojis"


def compared(sent: str, back: str) -> str:
    """Whether a text came back unchanged, and where not."""
    if sent == back:
        return AS_SENT
    at = next(
        (n for n, (one, other) in enumerate(zip(sent, back, strict=False)) if one != other), min(len(sent), len(back))
    )
    return f"changed from character {at} on, {sent[at : at + 12]!r} into {back[at : at + 12]!r}"


def look(seen: Seen, message: Json, picture: Picture) -> Json:
    """What a message says of its one picture, which is given back."""
    found = media_of(message)
    seen["pictures"] = len(found)
    media = found[0] if found else {}
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
    """A message with a text, and a picture that is uploaded with it."""
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
    """The very same message, as after an answer that got lost."""
    answer = await stage.post(stage.body, stage.pictures[0])
    again = required(answer)
    seen["status"] = answer.status
    seen["messages"] = 1 if again["id"] == stage.message["id"] else 2


async def edit_words(stage: Stage, seen: Seen) -> None:
    """Other words; the picture is kept by its id, and not uploaded again."""
    picture, before = stage.pictures[0], media_of(stage.message)[0]
    kept = {"id": before.get("attachment_id"), "filename": picture.name}
    body = bodies.message(bodies.text(NEW_WORDS), bodies.gallery(picture), files=bodies.listed(kept=kept))
    answer = await stage.edit(stage.message, bodies.edited(body))
    message = required(answer)
    seen["status"] = answer.status
    seen["text"] = compared(NEW_WORDS, text_of(message))
    media = look(seen, message, picture)
    seen["same attachment"] = media.get("attachment_id") == before.get("attachment_id")
    seen["limit"] = answer.limits or UNTOLD


async def edit_picture(stage: Stage, seen: Seen) -> None:
    """Another picture, uploaded with the edit."""
    picture, before = stage.pictures[1], media_of(stage.message)[0]
    answer = await stage.edit(stage.message, bodies.edited(with_picture(stage, NEW_WORDS, 1)), picture)
    message = required(answer)
    seen["status"] = answer.status
    media = look(seen, message, picture)
    seen["new attachment"] = media.get("attachment_id") != before.get("attachment_id")
    there = {"channel_id": message["channel_id"], "message_id": message["id"]}
    seen["still there afterwards"] = len(media_of((await stage.asker.ask("GET", MESSAGE, **there)).data)) == 1


async def emoji(stage: Stage, seen: Seen) -> None:
    """An emoji of the application's own, in a text and on a button."""
    image = "data:image/png;base64," + b64encode(signs()["grain"]).decode()
    body = {"name": f"rehearse_{secrets.token_hex(4)}", "image": image}
    made = await stage.asker.attempt("POST", EMOJIS, body, application_id=stage.application)
    own = required(made)
    stage.emoji = int(own["id"])
    words, row = f"An emoji of the bot's own: <:{own['name']}:{own['id']}>", bodies.buttons("Nothing")
    row["components"][0]["emoji"] = {"id": own["id"], "name": own["name"]}
    message = required(await stage.post(bodies.message(bodies.text(words), row)))
    seen["status"] = made.status
    seen["text"] = compared(words, text_of(message))
    [button] = [part for part in walk(message["components"]) if part["type"] == bodies.BUTTON]
    seen["on the button"] = (button.get("emoji") or {}).get("id") == own["id"]
    seen["limit"] = made.limits or UNTOLD


async def delete(stage: Stage, seen: Seen) -> None:
    """A message that is deleted, then edited, then posted once more under its nonce."""
    body = {**bodies.message(bodies.text("Gone in a moment.")), "nonce": nonce(), "enforce_nonce": True}
    message = required(await stage.post(body))
    there = {"channel_id": message["channel_id"], "message_id": message["id"]}
    answer = await stage.asker.attempt("DELETE", MESSAGE, **there)
    seen["status"] = answer.said
    if answer.status < 400:
        stage.posts.remove((stage.channel, int(message["id"])))
    seen["limit"] = answer.limits or UNTOLD
    edit = await stage.edit(message, bodies.edited(bodies.message(bodies.text("Too late."))))
    seen["an edit afterwards"] = edit.code or edit.status
    again = await stage.post(body)
    seen["the same posted again"] = again.code or again.status

"""Steps for threads, for the limits that were seen, and for removing everything again."""

from __future__ import annotations

from typing import cast

from bot.discord.limits import LONGEST_WAIT
from bot.discord.show.channels import FAILED
from bot.rehearsal import bodies
from bot.rehearsal.application import COMMANDS, GUILD_COMMANDS
from bot.rehearsal.asking import UNTOLD
from bot.rehearsal.bodies import NAME
from bot.rehearsal.findings import Seen
from bot.rehearsal.posting import EMOJIS, nonce, with_picture
from bot.rehearsal.stage import MESSAGE, Json, NotNeeded, Stage, required

PUBLIC_THREAD, PRIVATE_THREAD = 11, 12
DAY = 1440
"""Minutes without a message after which a thread is closed."""
CHANNEL = "/channels/{channel_id}"
THREAD = "thread"
FORBIDDEN, NOT_FOUND = 50013, 404


async def thread(stage: Stage, seen: Seen) -> None:
    """Open a public thread, write in it, close it, and open it by writing again."""
    body = {"name": "Rehearsal", "type": PUBLIC_THREAD, "auto_archive_duration": DAY}
    answer = await stage.asker.attempt("POST", f"{CHANNEL}/threads", body, channel_id=stage.channel)
    seen["limit"] = answer.limits or UNTOLD
    thread_id = int(required(answer)["id"])
    stage.threads.append(thread_id)
    seen["status"] = answer.status
    seen["more may be opened"] = answer.limits is None or answer.limits.remaining > 0
    words = bodies.message(bodies.text("Rehearsal: written in a thread."))
    seen["posted"] = (await stage.post(words, channel=thread_id)).said
    seen["closed"] = (await stage.asker.attempt("PATCH", CHANNEL, {"archived": True}, channel_id=thread_id)).said
    seen["posted in the closed one"] = (await stage.post(words, channel=thread_id)).said
    data = (await stage.asker.ask("GET", CHANNEL, channel_id=thread_id)).data
    seen["open again"] = not data["thread_metadata"]["archived"]


async def room(stage: Stage, seen: Seen) -> None:
    """Open a private thread, bring the person in and post there; then look whether it is among the open threads."""
    body = {"name": "Rehearsal, private", "type": PRIVATE_THREAD, "auto_archive_duration": DAY, "invitable": False}
    answer = await stage.asker.attempt("POST", f"{CHANNEL}/threads", body, channel_id=stage.channel)
    if answer.code == FORBIDDEN:
        raise NotNeeded(
            "Harbormaster can't make private threads here, and only the option *Private threads* needs them"
        )
    seen["limit"] = answer.limits or UNTOLD
    thread_id = int(required(answer)["id"])
    stage.threads.append(thread_id)
    seen["status"] = answer.status
    member = f"{CHANNEL}/thread-members/{{user_id}}"
    seen["brought in"] = (
        await stage.asker.attempt("PUT", member, channel_id=thread_id, user_id=stage.person["id"])
    ).said
    words = {**with_picture(stage, "Rehearsal: only you and moderators see this."), "nonce": nonce()}
    seen["posted"] = (await stage.post(words, stage.pictures[0], channel=thread_id)).said
    active = (await stage.asker.ask("GET", "/guilds/{guild_id}/threads/active", guild_id=stage.guild)).data["threads"]
    own: Json = next((thread for thread in active if int(thread["id"]) == thread_id), {})
    seen["among the open ones"] = bool(own)
    seen["owner told"] = own.get("owner_id") == str(stage.client.user and stage.client.user.id)


async def limits(stage: Stage, seen: Seen) -> None:
    """All limits that answers named, by route."""
    windows = {route: limit for route, limit in stage.asker.windows.items() if limit is not None}
    used_up = [route for route, limit in windows.items() if not limit.remaining and limit.reset_after > LONGEST_WAIT]
    seen["routes that tell"] = len(windows)
    seen["used up for long"] = used_up
    seen["refused"] = [f"{route} x{count}" for route, count in stage.asker.refused.items()]
    for route, limit in windows.items():
        seen[route] = limit


async def away(stage: Stage, seen: Seen) -> None:
    """Remove everything that was posted, the threads and the command. What can't be removed doesn't stop the rest."""
    remaining, gone = [], 0

    async def take(what: str, path: str, **ids: int) -> None:
        nonlocal gone
        try:
            answer = await stage.asker.attempt("DELETE", path, **cast(Json, ids))
        except FAILED as error:
            remaining.append(f"{what} (no answer: {error or type(error).__name__})")
        else:
            if answer.status < 400 or answer.status == NOT_FOUND:
                gone += 1
            elif what == THREAD and answer.code == FORBIDDEN:  # the bot needs no permission to manage threads
                await stage.asker.attempt("PATCH", CHANNEL, {"archived": True}, **cast(Json, ids))
                seen["left to you"] = f"the {what} <#{ids['channel_id']}>, which is closed: delete it by hand"
            else:
                remaining.append(f"{what} ({answer.said})")

    for thread in stage.threads:
        await take(THREAD, CHANNEL, channel_id=thread)
    for channel, message in stage.posts:
        if channel not in stage.threads:
            await take(f"message {message}", MESSAGE, channel_id=channel, message_id=message)
    if stage.emoji:
        await take("emoji", f"{EMOJIS}/{{emoji_id}}", application_id=stage.application, emoji_id=stage.emoji)
    for interaction in stage.whispers:
        await stage.by_token("DELETE", interaction, "@original")  # otherwise the answer disappears by itself
    if stage.commands is not None:
        here = {"application_id": stage.application, "guild_id": stage.guild}
        for command in (await stage.asker.ask("GET", GUILD_COMMANDS, **here)).data:
            if command["name"] == NAME:
                await take(f"/{NAME}", f"{GUILD_COMMANDS}/{{command_id}}", **here, command_id=int(command["id"]))
        now = (await stage.asker.ask("GET", COMMANDS, application_id=stage.application)).data
        before, after = (
            [(command["id"], command.get("version")) for command in commands] for commands in (stage.commands, now)
        )
        seen["the bot's own commands as before"] = before == after
    seen["taken away"], seen["stays"] = gone, remaining

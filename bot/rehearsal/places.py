"""Steps that need no person: the application, its sessions, the channel, one command in one server, threads, the limits
that were seen, and removing everything again."""

from __future__ import annotations

from typing import cast

from bot.discord.interaction import Json
from bot.discord.limits import LONGEST_WAIT
from bot.discord.show import permissions
from bot.discord.show.channels import FAILED
from bot.rehearsal.findings import DEFAULT_WAIT, Seen
from bot.rehearsal.posting import EMOJIS, nonce, with_picture
from bot.rehearsal.posting import sample_commands as all_commands
from bot.rehearsal.stage import (
    MESSAGE,
    NAME,
    SILENT,
    Event,
    NotNeeded,
    Skip,
    Stage,
    command_body,
    message_body,
    required,
    text_body,
)

PRIVILEGED = 1 << 12 | 1 << 13 | 1 << 18 | 1 << 19
"""Flags of an application whose privileged intents for presences or message contents are on. The one for members is
the host's choice (`HARBORMASTER_MEMBERS`)."""
COMMANDS = "/applications/{application_id}/commands"
GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"
TEXT_CHANNEL, ENTRY_POINT = 0, 4
"""Types of a channel, and of the command that opens an activity: with it, Discord takes no other list of commands."""
ARRIVING = 10.0
"""Seconds within which a session names its servers."""


async def application(stage: Stage, seen: Seen) -> None:
    """Note what the developer portal says about the application."""
    data = (await stage.asker.ask("GET", "/applications/@me")).data
    ways = data.get("integration_types_config") or {}
    stage.application = int(data["id"])
    seen["privileged intents"] = bool((data.get("flags") or 0) & PRIVILEGED)
    seen["interactions endpoint URL"] = data.get("interactions_endpoint_url") or ""
    seen["guild install"] = "0" in ways
    seen["user install"] = "1" in ways
    seen["public"] = data.get("bot_public", False)
    seen["privacy policy"] = bool(data.get("privacy_policy_url"))
    seen["terms of service"] = bool(data.get("terms_of_service_url"))


async def gateway(stage: Stage, seen: Seen) -> None:
    """Note how many sessions can still begin today."""
    data = (await stage.asker.ask("GET", "/gateway/bot")).data
    limit = data["session_start_limit"]
    seen["sessions left"] = limit["remaining"]
    seen["of"] = limit["total"]
    seen["at once"] = limit["max_concurrency"]
    seen["shards"] = data["shards"]


async def channel(stage: Stage, seen: Seen) -> None:
    """Note the channel's type, the server that it is in, its roles, and which permissions Harbormaster lacks there."""
    data = (await stage.asker.ask("GET", "/channels/{channel_id}", channel_id=stage.channel)).data
    seen["type"] = data["type"]
    stage.guild = int(data.get("guild_id") or 0)
    seen["in a server"] = bool(stage.guild)
    if data["type"] != TEXT_CHANNEL or not stage.guild:
        raise Skip("it has to be a text channel of a server")
    server = await stage.client.fetch_guild(stage.guild, with_counts=False)
    stage.lacking = await permissions.lacking(stage.client, server, stage.channel)
    seen["lacks"] = stage.lacking
    roles = (await stage.asker.ask("GET", "/guilds/{guild_id}/roles", guild_id=stage.guild)).data
    seen["roles"] = len(roles)


async def session(stage: Stage, seen: Seen) -> None:
    """Note what the gateway sends when a session begins."""
    client = stage.client
    ready = await client.wait_for_event(lambda event: event.name == "READY", ARRIVING)
    if ready is None:
        raise Skip(f"no READY within {ARRIVING:g} s")
    seen["session id"] = bool(ready.data.get("session_id"))
    seen["resume address"] = bool(ready.data.get("resume_gateway_url"))

    def here(event: Event) -> bool:
        return event.name == "GUILD_CREATE" and int(event.data["id"]) == stage.guild

    guild = await client.wait_for_event(here, ARRIVING)
    seen["server came"] = guild is not None and not guild.data.get("unavailable")
    if guild is not None:
        members = [member["user"]["id"] for member in guild.data.get("members", [])]
        seen["the bot among its members"] = ready.data["user"]["id"] in members
        seen["channels"] = len(guild.data.get("channels", []))
        seen["roles"] = len(guild.data.get("roles", []))
        stage.server = guild.data


async def commands(stage: Stage, seen: Seen) -> None:
    """Make one more command, in this server alone."""
    here = {"application_id": stage.application, "guild_id": stage.guild}
    own = stage.commands = (await stage.asker.ask("GET", COMMANDS, application_id=stage.application)).data
    seen["the bot's own"] = len(own)
    seen["activities"] = any(one.get("type") == ENTRY_POINT for one in own)
    answer = await stage.asker.ask("POST", GUILD_COMMANDS, command_body(), **here)
    seen["status"] = answer.status
    seen["name"] = answer.data["name"]
    seen["autocomplete"] = bool(answer.data["options"][0].get("autocomplete"))
    seen["limit"] = answer.limits or DEFAULT_WAIT


async def register(stage: Stage, seen: Seen) -> None:
    """Register all of Harbormaster's commands in this server, and remove them again; the one command stays."""
    here: Json = {"application_id": stage.application, "guild_id": stage.guild}
    before = (await stage.asker.ask("GET", GUILD_COMMANDS, **here)).data
    wanted = await all_commands(stage.client)
    answer = await stage.asker.attempt("PUT", GUILD_COMMANDS, [*wanted, command_body()], **here)
    seen["status"], seen["limit"] = answer.said, answer.limits or DEFAULT_WAIT
    if answer.status < 400:
        seen["all there"] = {one["name"] for one in wanted} <= {one["name"] for one in answer.data}
        fields = ("name", "description", "type", "options", "default_member_permissions", "nsfw", "contexts")
        kept = [{name: one[name] for name in fields if one.get(name) is not None} for one in before]
        seen["removed again"] = (await stage.asker.attempt("PUT", GUILD_COMMANDS, kept, **here)).said


async def role(stage: Stage, seen: Seen) -> None:
    """Mention a role, silently: first in a message that isn't allowed to, then in one that is."""
    roles = (await stage.asker.ask("GET", "/guilds/{guild_id}/roles", guild_id=stage.guild)).data
    found = next((int(one["id"]) for one in roles if one.get("mentionable")), None)
    if found is None:
        raise NotNeeded("not everyone can mention a role here, and only the role of new tables needs that")
    body: Json = {"content": f"Rehearsal: a role, silently: <@&{found}>.", "flags": SILENT}
    for words, allowed in (("without", []), ("with", [str(found)])):
        answer = await stage.post({**body, "allowed_mentions": {"parse": [], "roles": allowed}})
        mentioned = [int(one) for one in required(answer)["mention_roles"]]
        seen[f"mentions {words} leave"] = "the role" if mentioned == [found] else mentioned


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
    seen["limit"] = answer.limits or DEFAULT_WAIT
    thread_id = int(required(answer)["id"])
    stage.threads.append(thread_id)
    seen["status"] = answer.status
    seen["more may be opened"] = answer.limits is None or answer.limits.remaining > 0
    words = message_body(text_body("Rehearsal: written in a thread."))
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
    seen["limit"] = answer.limits or DEFAULT_WAIT
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

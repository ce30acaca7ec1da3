"""Steps that need no person: the application, its sessions, the channel, and one command in one server."""

from __future__ import annotations

from bot.discord.show import permissions
from bot.rehearsal.asking import UNTOLD
from bot.rehearsal.bodies import command
from bot.rehearsal.findings import Seen
from bot.rehearsal.samples import commands as all_commands
from bot.rehearsal.stage import Event, Json, Skip, Stage

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
    answer = await stage.asker.ask("POST", GUILD_COMMANDS, command(), **here)
    seen["status"] = answer.status
    seen["name"] = answer.data["name"]
    seen["autocomplete"] = bool(answer.data["options"][0].get("autocomplete"))
    seen["limit"] = answer.limits or UNTOLD


async def register(stage: Stage, seen: Seen) -> None:
    """Register all of Harbormaster's commands in this server, and remove them again; the one command stays."""
    here: Json = {"application_id": stage.application, "guild_id": stage.guild}
    before = (await stage.asker.ask("GET", GUILD_COMMANDS, **here)).data
    wanted = await all_commands(stage.client)
    answer = await stage.asker.attempt("PUT", GUILD_COMMANDS, [*wanted, command()], **here)
    seen["status"], seen["limit"] = answer.said, answer.limits or UNTOLD
    if answer.status < 400:
        seen["all there"] = {one["name"] for one in wanted} <= {one["name"] for one in answer.data}
        fields = ("name", "description", "type", "options", "default_member_permissions", "nsfw", "contexts")
        kept = [{name: one[name] for name in fields if one.get(name) is not None} for one in before]
        seen["removed again"] = (await stage.asker.attempt("PUT", GUILD_COMMANDS, kept, **here)).said

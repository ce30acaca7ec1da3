"""The REST v10 routes outside of interactions: login, commands, channels, messages, DMs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.wire.calls import Request
from tests.wire.commands import check_commands
from tests.wire.limits import Faults
from tests.wire.messages import Message
from tests.wire.model import Json, Permission, Refused
from tests.wire.places import Channel
from tests.wire.world import World

MOST_TAGS, MOST_APPLIED = 20, 5
"""The most tags that a forum, and one of its posts, can have."""
ENTRY_POINT = 4
"""Type of the command with which people open an activity, which Discord makes where Activities are switched on."""
NO_ENTRY_POINT = (
    "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point"
    " command in your update request or delete it separately."
)

Handler = Callable[..., Any]  # (request, *the path's parts) -> JSON, or None for 204


class Rest:
    """Handlers. They return JSON (None is 204 No Content) or raise `Refused`."""

    def __init__(self, world: World, gateway_url: Callable[[], str], starts: Callable[[], Json] = dict) -> None:
        """`starts` returns the session start limit."""
        self.world, self._gateway_url, self._starts = world, gateway_url, starts

    def routes(self) -> list[tuple[str, str, Handler]]:
        """Method, path below /api/v10, handler."""
        application, message = "/applications/{app}", "/channels/{channel}/messages/{message}"
        return [
            ("GET", "/gateway", self.gateway),
            ("GET", "/gateway/bot", self.gateway_bot),
            ("GET", "/users/@me", self.me),
            ("GET", "/users/{user}", self.get_user),
            ("POST", "/users/@me/channels", self.open_dm),
            ("GET", "/applications/@me", self.application),
            ("GET", "/oauth2/applications/@me", self.application),
            ("GET", f"{application}/commands", self.get_commands),
            ("PUT", f"{application}/commands", self.put_commands),
            ("GET", f"{application}/guilds/{{guild}}/commands", self.get_commands),
            ("PUT", f"{application}/guilds/{{guild}}/commands", self.put_commands),
            ("POST", f"{application}/guilds/{{guild}}/commands", self.make_command),
            ("DELETE", f"{application}/guilds/{{guild}}/commands/{{command}}", self.delete_command),
            ("GET", "/guilds/{guild}", self.get_guild),
            ("GET", "/guilds/{guild}/members/{user}", self.get_member),
            ("GET", "/guilds/{guild}/roles", self.get_roles),
            ("GET", "/guilds/{guild}/channels", self.get_channels),
            ("GET", "/channels/{channel}", self.get_channel),
            ("PATCH", "/channels/{channel}", self.edit_channel),
            ("POST", "/channels/{channel}/typing", self.typing),
            ("GET", "/channels/{channel}/messages", self.get_messages),
            ("POST", "/channels/{channel}/messages", self.post_message),
            ("GET", message, self.get_message),
            ("PATCH", message, self.edit_message),
            ("DELETE", message, self.delete_message),
        ]

    def gateway(self, call: Request) -> Json:
        return {"url": self._gateway_url()}

    def gateway_bot(self, call: Request) -> Json:
        return {**self.gateway(call), "shards": self.world.shards, "session_start_limit": self._starts()}

    def me(self, call: Request) -> Json:
        return {
            **self.world.bot.json(),
            "verified": True,
            "mfa_enabled": False,
            "locale": "en-US",
            "flags": 0,
        }

    def application(self, call: Request) -> Json:
        bot, owner = self.world.bot, self.world.users[0].json()
        policy = {
            "privacy_policy_url": "https://example.org/privacy",
            "terms_of_service_url": "https://example.org/terms",
        }
        about = {"description": "", "icon": None, "verify_key": "00", "flags": 0, "team": None, **policy}
        switches = {"bot_public": True, "bot_require_code_grant": False}
        installed: Json = {"integration_types_config": {"0": {}}, "interactions_endpoint_url": None}
        return {"id": str(bot.id), "name": bot.name, "owner": owner, **about, **switches, **installed}

    def get_user(self, call: Request, user: str) -> Json:
        return self.world.user(int(user)).json()

    def get_guild(self, call: Request, guild: str) -> Json:
        return self.world.created(self.world.guild(int(guild)))

    def get_channels(self, call: Request, guild: str) -> list[Json]:
        """All channels, also those that the bot can't see, without threads."""
        place = self.world.guild(int(guild))
        return [c.json() for c in self.world.channels.values() if c.guild is place and not c.parent]

    def get_member(self, call: Request, guild: str, user: str) -> Json:
        place, person = self.world.guild(int(guild)), self.world.user(int(user))
        if not place.has(person):
            raise Refused(404, 10007, "Unknown Member")
        return place.member(person)

    def get_roles(self, call: Request, guild: str) -> list[Json]:
        return [role.json() for role in self.world.guild(int(guild)).roles.values()]

    def open_dm(self, call: Request) -> Json:
        user = self.world.user(int(call.json["recipient_id"]))
        if user.dm_refusal == 40003:
            raise Refused(403, 40003, "You are opening direct messages too fast")
        self.world.direct.open(user.id)
        return self.world.dm(user).json()

    # -- commands

    def get_commands(self, call: Request, app: str, guild: str = "0") -> list[Json]:
        return self.world.commands.get(int(guild), [])

    def make_command(self, call: Request, app: str, guild: str) -> Json:
        """Add a command. It replaces one with the same type and name."""
        kind, name = call.json.get("type", 1), call.json["name"]
        others = [c for c in self.get_commands(call, app, guild) if (c.get("type", 1), c["name"]) != (kind, name)]
        check_commands([*others, call.json])
        stored = self._stored(app, guild, [call.json])
        self.world.commands[int(guild)] = [*others, *stored]
        return stored[0]

    def delete_command(self, call: Request, app: str, guild: str, command: str) -> None:
        commands = self.get_commands(call, app, guild)
        if command not in [c["id"] for c in commands]:
            raise Refused(404, 10063, "Unknown application command")
        self.world.commands[int(guild)] = [c for c in commands if c["id"] != command]

    def put_commands(self, call: Request, app: str, guild: str = "0") -> list[Json]:
        check_commands(call.json)
        types = [{c.get("type") for c in commands} for commands in (self.get_commands(call, app, guild), call.json)]
        if ENTRY_POINT in types[0] - types[1]:
            raise Refused(400, 50240, NO_ENTRY_POINT)
        stored = self.world.commands[int(guild)] = self._stored(app, guild, call.json)
        return stored

    def _stored(self, app: str, guild: str, commands: list[Json]) -> list[Json]:
        """Commands as Discord keeps them. Those that existed before keep their ids.

        :raises Refused: if more are new than Discord allows in a day.
        """
        place = {"guild_id": guild} if int(guild) else {}
        old = {(c.get("type", 1), c["name"]): c["id"] for c in self.world.commands.get(int(guild), [])}
        self.world.creates.spend(int(guild), sum((c.get("type", 1), c["name"]) not in old for c in commands))
        stored = []
        for command in commands:
            number = old.get((command.get("type", 1), command["name"])) or str(self.world.ids())
            head = {"id": number, "application_id": app, "version": str(self.world.ids())}
            stored.append({"type": 1, "description": "", **command, **head, **place})
        return stored

    # -- channels and messages

    def channel(self, channel: str) -> Channel:
        """The channel. :raises Refused: if there is none, or the bot can't see it."""
        room = self.world.channels.get(int(channel))
        if room is None:
            raise Refused(404, 10003, "Unknown Channel")
        self.world.may_see(room)
        return room

    def message(self, channel: str, message: str) -> Message:
        """The message. :raises Refused: if there is none that everyone can see."""
        post = self.world.messages.get(int(message))
        if post is None or post.deleted or post.only_for or post.channel is not self.channel(channel):
            raise Refused(404, 10008, "Unknown Message")
        return post

    def get_channel(self, call: Request, channel: str) -> Json:
        return self.channel(channel).json()

    def edit_channel(self, call: Request, channel: str) -> Json:
        thread = self.channel(channel)
        if "available_tags" in call.json:
            return self._retag(thread, call.json["available_tags"])
        if thread.archived and call.json.get("archived") is not False:
            raise Refused(400, 50083, "Thread is archived")
        if "applied_tags" in call.json:
            if thread.owner is not self.world.bot and Permission.MANAGE_THREADS not in thread.permissions:
                raise Refused(403, 50013, "Missing Permissions")
            tagged(thread, call.json["applied_tags"])
        thread.locked = call.json.get("locked", thread.locked)
        self.world.archive(thread, call.json.get("archived", thread.archived))
        return thread.json()

    def _retag(self, forum: Channel, tags: list[Json]) -> Json:
        """Set the tags that a forum's posts can have. Tags without an id are new."""
        if Permission.MANAGE_CHANNELS not in forum.permissions:
            raise Refused(403, 50013, "Missing Permissions")
        if len(tags) > MOST_TAGS:
            raise Refused(400, 30061, f"Maximum number of tags reached for this forum ({MOST_TAGS})")
        plain = {"moderated": False, "emoji_id": None, "emoji_name": None}
        forum.tags = [{"id": str(self.world.ids()), **plain, **tag} for tag in tags]
        return forum.json()

    def typing(self, call: Request, channel: str) -> None:
        self.channel(channel)

    def get_messages(self, call: Request, channel: str) -> list[Json]:
        """The newest messages before an id, the oldest after one, or those around one; newest first.

        Without the permission to read the history there are none.
        """
        room = self.channel(channel)
        limit = number_in(call.query, "limit", 50)
        if not 1 <= limit <= 100:
            faults = Faults()
            faults.add("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
            faults.done()
        if room.guild and Permission.READ_MESSAGE_HISTORY not in room.permissions:
            return []
        shown = [m for m in self.world.messages.values() if m.channel is room and not m.deleted and not m.only_for]
        if around := number_in(call.query, "around", 0):
            before = [m for m in shown if m.id < around][-(limit // 2) :]
            shown = [*before, *[m for m in shown if m.id >= around][: limit - len(before)]]
        elif after := number_in(call.query, "after", 0):
            shown = [m for m in shown if m.id > after][:limit]
        elif end := number_in(call.query, "before", 0):
            shown = [m for m in shown if m.id < end]
        return [m.json() for m in reversed(shown[-limit:])]

    def post_message(self, call: Request, channel: str) -> Json:
        room = self.channel(channel)
        self.world.may_send(room, bool(call.files))
        nonce = str(call.json.get("nonce") or "")
        if len(nonce) > 25:
            error = {"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 25 or fewer in length."}
            raise Refused(400, 50035, "Invalid Form Body", {"nonce": {"_errors": [error]}})
        world = self.world
        earlier = world.nonces.get((room.id, nonce)) if nonce and call.json.get("enforce_nonce") else None
        if earlier is not None and world.ids.age(earlier.id) < world.nonce_window:
            if earlier.deleted:  # on purpose (discord-api-docs #6647): what was sent already isn't sent again
                raise Refused(404, 10008, "Unknown Message")
            return earlier.json()
        posted = world.nonces[room.id, nonce] = world.post(room, call.json, call.files)
        return posted.json()

    def get_message(self, call: Request, channel: str, message: str) -> Json:
        return self.message(channel, message).json()

    def edit_message(self, call: Request, channel: str, message: str) -> Json:
        post = self.message(channel, message)
        if post.author is not self.world.bot:
            raise Refused(403, 50005, "Cannot edit a message authored by another user")
        if post.channel.archived:
            raise Refused(400, 50083, "Thread is archived")
        return self.world.edit(post, call.json, call.files, keep_files=True).json()

    def delete_message(self, call: Request, channel: str, message: str) -> None:
        self.world.delete(self.message(channel, message))


def number_in(query: Mapping[str, str], name: str, default: int) -> int:
    """A number in a request's query."""
    return int(query.get(name, default))


def tagged(post: Channel, tags: list[str]) -> None:
    """Tag a post by the rules of resources/channel.mdx."""
    forum = post.parent
    assert forum is not None
    if len(tags) > MOST_APPLIED or not set(map(str, tags)) <= {tag["id"] for tag in forum.tags}:
        faults = Faults()
        faults.add("applied_tags", "BASE_TYPE_BAD", "There are at most 5 tags, each one of the forum's.")
        faults.done()
    moderated = {tag["id"] for tag in forum.tags if tag["moderated"]}
    if moderated & set(map(str, tags)) and Permission.MANAGE_THREADS not in post.permissions:
        raise Refused(403, 50013, "Missing Permissions")
    if forum.needs_tag and not tags:
        raise Refused(400, 40067, "A tag is required to create a forum post in this channel")
    post.applied = [str(tag) for tag in tags]

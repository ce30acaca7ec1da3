"""What Harbormaster can do in a channel, according to an interaction, or to Discord when asked; and who can see a
channel. What names a game outside of its channel is only for people who can see that channel.

Discord is asked each time, since a channel can become private. That takes no privileged intent: what a channel allows
is set by role, and of members only those are looked up whom a channel names. A thread is seen by all who see its
channel, and a private thread by no one outside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any

import discord

from bot.discord.show.channels import FAILED, NO_ACCESS, is_outage
from bot.store import Unavailable
from bot.words.language import N_, _
from engine.errors import RefereeError
from engine.refusals import Listed

NEEDED = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "attach_files": N_("Attach Files"),
    "read_message_history": N_("Read Message History"),
}
THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
SPOKEN = (discord.ChannelType.voice, discord.ChannelType.stage_voice)
"""Voice channels: reading and writing there needs the permission to connect, too."""


class Blocked(RefereeError):
    """Harbormaster can't write in a channel; the message names the missing permissions, or the end of its timeout."""

    until: datetime | None = None
    """When that ends by itself; None: it doesn't."""


def missing(permissions: discord.Permissions, kind: discord.ChannelType) -> list[str]:
    """Names of the permissions that Harbormaster lacks for a kind of channel or thread."""
    needed = dict(NEEDED)
    if kind in THREADS:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = N_("Send Messages in Threads")
    if kind in SPOKEN:
        needed["connect"] = N_("Connect")
    return [title for name, title in needed.items() if not getattr(permissions, name)]


def missing_for_rooms(permissions: discord.Permissions) -> list[str]:
    """Names of the permissions that Harbormaster lacks for private threads."""
    needed = {
        "create_private_threads": N_("Create Private Threads"),
        "send_messages_in_threads": N_("Send Messages in Threads"),
    }
    return [title for name, title in needed.items() if not getattr(permissions, name)]


def install_link(application: int) -> str:
    """Link to add Harbormaster to a server, with all permissions that it needs there."""
    threads = ("send_messages_in_threads", "create_public_threads")
    needed = discord.Permissions(**dict.fromkeys((*NEEDED, *threads), True))
    return discord.utils.oauth_url(application, permissions=needed, scopes=("bot", "applications.commands"))


def refuse_if(lacking: list[str], channel: int) -> None:
    """Raise `Blocked` if permissions are lacking, and name them."""
    if lacking:
        names = Listed([f"**{_(name)}**" for name in lacking])
        raise Blocked("missing-permission", channel=f"<#{channel}>", permissions=names)


def check_interaction(interaction: discord.Interaction[Any]) -> None:
    """Refuse if Harbormaster can't write in the interaction's channel."""
    if interaction.guild_id is None or interaction.channel_id is None:
        return
    kind = interaction.channel.type if interaction.channel else discord.ChannelType.text
    refuse_if(missing(interaction.app_permissions, kind), interaction.channel_id)


def check_asker(interaction: discord.Interaction[Any]) -> None:
    """Refuse to post in a channel for a person who can't write there. Code: "unwritten"."""
    rights = interaction.permissions
    thread = isinstance(interaction.channel, discord.Thread)
    may = rights.send_messages_in_threads if thread else rights.send_messages
    if interaction.guild_id is not None and not (may or rights.administrator):
        raise RefereeError("unwritten")


def refuse_if_timed_out(until: datetime | None) -> None:
    """Raise `Blocked` if Harbormaster is timed out, so that it can only read."""
    if until is not None and until > discord.utils.utcnow():
        blocked = Blocked("timed-out", when=discord.utils.format_dt(until, "R"))
        blocked.until = until
        raise blocked


async def check_presence(client: discord.Client, interaction: discord.Interaction[Any]) -> None:
    """Refuse if Harbormaster can't see the interaction's channel or is timed out, whatever permissions the interaction
    names: it isn't on the server, or not in a private thread. Codes: "not-here", "no-channel", "timed-out"."""
    if interaction.guild_id is None or interaction.channel_id is None or client.user is None:
        return
    try:
        await client.http.get_channel(interaction.channel_id)
        me: Any = await client.http.get_member(interaction.guild_id, client.user.id)
        refuse_if_timed_out(discord.utils.parse_time(me.get("communication_disabled_until")))
    except FAILED as error:
        if is_outage(error) or not isinstance(error, discord.HTTPException):
            return  # what is opened now is shown later
        if error.code != NO_ACCESS:
            raise RefereeError("no-channel") from None
        if getattr(interaction.channel, "type", None) is discord.ChannelType.private_thread:
            raise RefereeError("not-here/thread") from None
        raise RefereeError("not-here", link=install_link(interaction.application_id)) from None


async def refuse_if_blocked(client: discord.Client, server: discord.Guild, channel: int) -> None:
    """Ask Discord whether Harbormaster can write in a channel. Raises `Blocked` if it can't, and Discord's errors."""
    refuse_if(await lacking(client, server, channel), channel)


async def lacking(client: discord.Client, server: discord.Guild, channel: int) -> list[str]:
    """Ask Discord which permissions Harbormaster lacks in a channel. Returns their names. Raises `Blocked` while it is
    timed out, and Discord's errors."""
    assert client.user is not None
    me = await server.fetch_member(client.user.id)
    refuse_if_timed_out(me.timed_out_until)
    target = above = await server.fetch_channel(channel)
    if isinstance(target, discord.Thread):
        above = await server.fetch_channel(target.parent_id)
    return missing(above.permissions_for(me), target.type)


async def is_closed(client: discord.Client, guild: int | None, channel: int) -> bool:
    """Ask Discord whether a channel is gone, or Harbormaster can't write there."""
    try:
        if guild is None:
            await client.http.get_channel(channel)
            return False
        await refuse_if_blocked(client, await client.fetch_guild(guild, with_counts=False), channel)
    except Blocked:
        return True
    except FAILED as error:
        return not is_outage(error)
    return False


async def is_open(client: discord.Client, channel: int) -> bool:
    """Ask Discord whether a channel exists and Harbormaster can see it. False without an answer."""
    try:
        await client.http.get_channel(channel)
    except FAILED:
        return False
    return True


Json = Mapping[str, Any]
Rights = Mapping[int, int]
"""Permissions by role."""

VIEW, ADMIN = discord.Permissions(view_channel=True).value, discord.Permissions(administrator=True).value
PRIVATE_THREAD = discord.ChannelType.private_thread.value
ROLE = 0
"""Type of an overwrite that is about a role; others are about a member."""
FEW_CHANNELS = 3
"""Channels up to this number are asked for one by one."""


@dataclass(frozen=True, slots=True)
class Access:
    """Whom a channel itself allows (True) or denies (False) to see it; all others can as the server's roles say."""

    roles: Mapping[int, bool]
    members: Mapping[int, bool]


def can_see(rights: Rights, access: Access, roles: Sequence[int]) -> bool:
    """Whether a person with these roles can see a channel, if it doesn't name the person. The first role is everyone's,
    and none is an administrator's."""
    everyone, *others = roles
    marks = [access.roles[role] for role in others if role in access.roles]
    if marks:
        return any(marks)
    return access.roles.get(everyone, any(rights.get(role, 0) & VIEW for role in roles))


def sorts_of_people(rights: Rights, *channels: Access) -> Iterator[Sequence[int]]:
    """The roles that people can have, as far as it matters to who sees these channels: no more than two decide, and
    roles that all treat alike count once. Administrators see everything."""
    alike = dict[tuple[object, ...], int]()
    for role, allowed in rights.items():
        if not allowed & ADMIN:
            alike.setdefault((*(channel.roles.get(role) for channel in channels), bool(allowed & VIEW)), role)
    return (roles for number in range(3) for roles in combinations(alike.values(), number))


class Readers:
    """Who can see a server's channels, as Discord says now. It remembers what it was told: make a new one each time."""

    def __init__(self, client: discord.Client, guild: int) -> None:
        self._client, self._guild = client, guild
        self._server: Json | None = None
        self._channels: dict[int, Json | None] = {}
        """By id, and None if there is none that Harbormaster could see."""
        self._members: dict[int, Json | None] = {}

    async def see_all(self, there: int, channels: Collection[int]) -> set[int]:
        """Those of the channels that everyone who reads another one (`there`) can see. Raises in an outage.

        One person who is kept out of a channel doesn't make it private.
        """
        if len({*channels, there}) > FEW_CHANNELS:
            await self._look_at_all()
        reading, found = await self._access(there, outside=False), {there} & {*channels}
        for channel in {*channels} - found:
            access = await self._access(channel)
            if reading is not None and access is not None and await self._is_seen(reading, access):
                found.add(channel)
        return found

    async def sees(self, user: int, channel: int) -> bool:
        """Whether a person can see a channel. Raises in an outage."""
        access = await self._access(channel)
        return access is not None and await self._member_sees(access, user)

    async def kept_out(self, users: Iterable[int], channel: int) -> list[int]:
        """Those of the users who are on the server and can't see a channel. Raises in an outage."""
        unseeing = [user for user in users if not await self.sees(user, channel)]
        return [user for user in unseeing if await self._member(user) is not None]

    async def everyone_sees(self, channel: int) -> bool:
        """Whether everyone on the server can see a channel. Raises in an outage."""
        access = await self._access(channel)
        return access is not None and can_see(await self._rights(), access, (self._guild,))

    async def community_locale(self) -> str | None:
        """The locale that a community has chosen; None: the server is none. Raises in an outage."""
        server = await self._data()
        return str(server.get("preferred_locale")) if "COMMUNITY" in server.get("features", ()) else None

    async def is_open(self, channel: int) -> bool:
        """Whether people can see a channel without being let in, as into a private thread. Raises in an outage."""
        return await self._access(channel) is not None

    # --- who sees what

    async def _is_seen(self, reading: Access, access: Access) -> bool:
        """Whether all who can see one channel can see another."""
        if reading == access:
            return True
        rights = await self._rights()
        for roles in sorts_of_people(rights, reading, access):
            if can_see(rights, reading, (self._guild, *roles)) and not can_see(rights, access, (self._guild, *roles)):
                return False
        named = [user for user, allowed in reading.members.items() if allowed and user not in access.members]
        there = [user for user in named if await self._member(user) is not None]
        return all([await self._member_sees(access, user) for user in there])

    async def _member_sees(self, access: Access, user: int) -> bool:
        """Whether a member can see a channel. People who have left can't; other programs don't count."""
        if (member := await self._member(user)) is None:
            return False
        if member["user"].get("bot") or str(user) == (await self._data())["owner_id"]:
            return True
        rights, roles = await self._rights(), (self._guild, *map(int, member["roles"]))
        if any(rights.get(role, 0) & ADMIN for role in roles):
            return True
        return access.members.get(user, can_see(rights, access, roles))

    # --- what Discord says

    async def _data(self) -> Json:
        """The server. Raises Discord's errors."""
        if self._server is None:
            data: Any = await self._client.http.get_guild(self._guild, with_counts=False)
            self._server = data
        assert self._server is not None
        return self._server

    async def _rights(self) -> Rights:
        """What each role allows on the whole server, without the roles of programs."""
        roles = (await self._data())["roles"]
        return {int(role["id"]): int(role["permissions"]) for role in roles if "bot_id" not in (role.get("tags") or {})}

    async def _look_at_all(self) -> None:
        """Ask for all channels and open threads together. What isn't among them is asked for by itself."""
        try:
            rooms: Any = await self._client.http.get_all_guild_channels(self._guild)
            threads: Any = await self._client.http.get_active_threads(self._guild)
        except discord.HTTPException as error:
            if is_outage(error):
                raise
        else:
            self._channels |= {int(room["id"]): room for room in (*rooms, *threads["threads"])}

    async def _access(self, channel: int, *, outside: bool = True) -> Access | None:
        """Who can see a channel. None: no one; `outside`: no one who isn't in a private thread."""
        data = await self._channel(channel)
        if data is not None and data["type"] in [kind.value for kind in THREADS]:
            data = None if outside and data["type"] == PRIVATE_THREAD else await self._channel(int(data["parent_id"]))
        if data is None:
            return None
        roles, members = dict[int, bool](), dict[int, bool]()
        for overwrite in data.get("permission_overwrites") or ():
            allow, deny = int(overwrite["allow"]), int(overwrite["deny"])
            if (allow | deny) & VIEW:
                (roles if int(overwrite["type"]) == ROLE else members)[int(overwrite["id"])] = bool(allow & VIEW)
        return Access(roles, members)

    async def _channel(self, channel: int) -> Json | None:
        if channel not in self._channels:
            self._channels[channel] = await self._found(self._client.http.get_channel(channel))
        return self._channels[channel]

    async def _member(self, user: int) -> Json | None:
        if user not in self._members:
            self._members[user] = await self._found(self._client.http.get_member(self._guild, user))
        return self._members[user]

    async def _found(self, request: Any) -> Json | None:
        """What Discord answers to a request; None: there is nothing, or nothing that Harbormaster could see."""
        try:
            answer: Json = await request
        except discord.HTTPException as error:
            if is_outage(error):
                raise
            return None
        return answer


NO_MEMBER = (10007, 10013)
"""Codes of a user who isn't a member of a server, or doesn't exist."""


async def has_left(client: discord.Client, guild: int, user: int) -> bool:
    """Whether a user is certainly not on a server."""
    try:
        await client.http.get_member(guild, user)
    except discord.NotFound as error:
        return error.code in NO_MEMBER
    except FAILED:
        return False
    return False


async def all_see(client: discord.Client, guild: int | None, there: int, channel: int) -> bool:
    """Whether everyone who reads a channel (`there`) can see another one of the same server. False without an
    answer."""
    if guild is None or there == channel:
        return there == channel
    try:
        return bool(await Readers(client, guild).see_all(there, [channel]))
    except FAILED:
        return False


async def is_open_to_all(client: discord.Client, guild: int | None, channel: int) -> bool:
    """Whether everyone on a server can see a channel. Raises `Unavailable` without an answer."""
    try:
        return guild is not None and await Readers(client, guild).everyone_sees(channel)
    except FAILED as error:
        if not is_outage(error):
            return False
        raise Unavailable(f"Discord doesn't say who can see channel {channel}: {type(error).__name__}") from error


async def check_seen(client: discord.Client, guild: int | None, user: int, channel: int) -> None:
    """Refuse people who can't see another channel of the server where they act. Code: "unseen-table". Raises Discord's
    error in an outage."""
    try:
        seen = guild is not None and await Readers(client, guild).sees(user, channel)
    except discord.HTTPException as error:
        if is_outage(error):
            raise
        seen = False
    if not seen:
        raise RefereeError("unseen-table")


def managed_channel(interaction: discord.Interaction[Any]) -> int:
    """The channel or thread of an interaction, if the person can manage it or its server; else 0."""
    rights, thread = interaction.permissions, isinstance(interaction.channel, discord.Thread)
    server = interaction.guild_id is not None and (rights.administrator or rights.manage_guild)
    manages = server or rights.manage_channels or (thread and rights.manage_threads)
    return (interaction.channel_id or 0) if manages else 0

"""Who can see a server's channels. What names a game outside of its channel is only for people who can see that
channel.

Discord is asked each time, since a channel can become private. That takes no privileged intent: what a channel allows
is set by role, and of members only those are looked up whom a channel names. A thread is seen by all who see its
channel, and a private thread by no one who isn't in it. A voice channel is read only by those who can also connect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, NamedTuple

import discord

from bot.discord.interaction import Json
from bot.discord.show.channels import FAILED, is_outage
from bot.discord.show.permissions import SPOKEN, THREADS
from bot.store import Unavailable
from engine.errors import RefereeError

Rights = Mapping[int, int]
"""Permissions by role."""

VIEW, ADMIN = discord.Permissions(view_channel=True).value, discord.Permissions(administrator=True).value
CONNECT = discord.Permissions(connect=True).value
PRIVATE_THREAD = discord.ChannelType.private_thread.value
ROLE = 0
"""Type of an overwrite that is about a role; others are about a member."""
FEW_CHANNELS = 3
"""Channels up to this number are asked for one by one."""


class Overwrite(NamedTuple):
    """Of the permissions that a channel takes to be read, those that it allows and denies a role or a member."""

    allow: int = 0
    deny: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """Whom a channel itself allows or denies to read it; all others can as the server's roles say."""

    roles: Mapping[int, Overwrite]
    members: Mapping[int, Overwrite]
    needed: int = VIEW
    """The permissions that it takes."""


def can_see(rights: Rights, access: Access, roles: Sequence[int], member: int = 0) -> bool:
    """Whether a member with these roles can see a channel; 0: one whom it doesn't name. The first role is everyone's,
    and none is an administrator's."""
    everyone, *others = roles
    allowed = reduce(or_, (rights.get(role, 0) for role in roles))
    named = [access.roles[role] for role in others if role in access.roles]
    both = Overwrite(reduce(or_, (one.allow for one in named), 0), reduce(or_, (one.deny for one in named), 0))
    for overwrite in (access.roles.get(everyone), both, access.members.get(member)):
        if overwrite is not None:
            allowed = allowed & ~overwrite.deny | overwrite.allow
    return not access.needed & ~allowed


def sorts_of_people(rights: Rights, everyone: int, reading: Access, channel: Access) -> Iterator[Sequence[int]]:
    """The roles that people can have, first everyone's, as far as it matters to whether all who read one channel can
    see another. Roles that both treat alike count once. Each permission that it takes to read comes from one role, and
    one keeps out of the other channel: no more decide. Administrators see everything."""
    alike, needed = dict[tuple[object, ...], int](), reading.needed | channel.needed
    for role, allowed in rights.items():
        if role != everyone and not allowed & ADMIN:
            alike.setdefault((reading.roles.get(role), channel.roles.get(role), allowed & needed), role)
    most = reading.needed.bit_count() + 1
    return ((everyone, *roles) for number in range(most + 1) for roles in combinations(alike.values(), number))


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

    async def check_may_write(self, user: int) -> None:
        """Refuse a member who can only read on the server: in a timeout, or before accepting its rules. Code:
        "read-only"."""
        member: Any = await self._member(user) or {}
        until = discord.utils.parse_time(member.get("communication_disabled_until"))
        if until is not None and until > discord.utils.utcnow():
            raise RefereeError("read-only/timeout", when=discord.utils.format_dt(until, "R"))
        if member.get("pending"):
            raise RefereeError("read-only/rules")

    async def let_in(self, users: Iterable[int], channel: int) -> dict[int, bool]:
        """Which of the users who are on the server can see a channel, and are in it if it is a private thread. Raises
        in an outage."""
        there = [user for user in users if await self._member(user) is not None]
        return {user: await self._is_let_in(user, channel) for user in there}

    async def kept_out(self, users: Iterable[int], channel: int) -> set[int]:
        """Those of the users who can't see a channel. Of a private thread its channel counts: it lets in people who are
        mentioned there. Raises in an outage."""
        access = await self._access(channel, outside=False)
        return set() if access is None else {user for user in users if not await self._member_sees(access, user)}

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
        for roles in sorts_of_people(rights, self._guild, reading, access):
            if can_see(rights, reading, roles) and not can_see(rights, access, roles):
                return False
        allowed = [user for user, overwrite in reading.members.items() if overwrite.allow]
        named = [user for user in allowed if not access.members.get(user, Overwrite()).deny]
        return all([await self._member_sees(access, user) for user in named if await self._member_sees(reading, user)])

    async def _is_let_in(self, user: int, channel: int) -> bool:
        """Whether a member can see a channel, and is in it if it is a private thread."""
        access, data = await self._access(channel, outside=False), await self._channel(channel)
        if access is None or data is None or not await self._member_sees(access, user):
            return False
        thread = data["type"] == PRIVATE_THREAD
        return not thread or await self._found(self._client.http.get_thread_member(channel, user)) is not None

    async def _member_sees(self, access: Access, user: int) -> bool:
        """Whether a member can see a channel. People who have left can't; other programs don't count."""
        if (member := await self._member(user)) is None:
            return False
        if member["user"].get("bot") or str(user) == (await self._data())["owner_id"]:
            return True
        rights, roles = await self._rights(), (self._guild, *map(int, member["roles"]))
        if any(rights.get(role, 0) & ADMIN for role in roles):
            return True
        return can_see(rights, access, roles, user)

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
        needed = VIEW | CONNECT if data["type"] in [kind.value for kind in SPOKEN] else VIEW
        roles, members = dict[int, Overwrite](), dict[int, Overwrite]()
        for overwrite in data.get("permission_overwrites") or ():
            found = Overwrite(int(overwrite["allow"]) & needed, int(overwrite["deny"]) & needed)
            if any(found):
                (roles if int(overwrite["type"]) == ROLE else members)[int(overwrite["id"])] = found
        return Access(roles, members, needed)

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
    """Refuse people who can't see another channel of the server where they act, or can only read there. Codes:
    "unseen-table", "read-only". Raises Discord's error in an outage."""
    readers = Readers(client, guild or 0)
    try:
        seen = guild is not None and await readers.sees(user, channel)
    except discord.HTTPException as error:
        if is_outage(error):
            raise
        seen = False
    if not seen:
        raise RefereeError("unseen-table")
    await readers.check_may_write(user)

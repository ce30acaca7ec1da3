"""What people with permissions do in their server without the bot. The bot learns it from the gateway's events."""

from __future__ import annotations

from collections.abc import Sequence

from tests.wire.model import Json, Permission, User
from tests.wire.places import Channel, Guild, Role
from tests.wire.world import World


class Staff:
    """Everything here happens immediately. When it returns, the event is on its way to the sessions."""

    def __init__(self, world: World) -> None:
        self.world = world

    # -- the bot and its server

    def remove_bot(self, guild: Guild) -> None:
        """Kick the bot. Its commands can stay."""
        guild.bot_in = False
        self.world.told("GUILD_DELETE", {"id": str(guild.id)})

    def invite_bot(self, guild: Guild) -> None:
        """Add the bot."""
        guild.bot_in = guild.commands_in = True
        self.world.told("GUILD_CREATE", self.world.created(guild))

    def fail(self, guild: Guild) -> None:
        """Make the server unreachable for Discord for a while."""
        guild.out = True
        self.world.told("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})

    def recover(self, guild: Guild) -> None:
        """Make the server reachable again."""
        guild.out = False
        self.world.told("GUILD_CREATE", self.world.created(guild))

    # -- channels and threads

    def delete(self, channel: Channel) -> None:
        """Delete a channel or thread, with all that is in it."""
        self.world.drop(channel)

    def close(self, thread: Channel, *, lock: bool = False) -> None:
        """Close a thread. `lock`: so that no one else can open it again."""
        thread.locked = lock
        self.world.archive(thread, True)

    def sleep(self, thread: Channel) -> None:
        """Let Discord archive a thread in which no one has written for so long."""
        after = thread.archives_after * 60_000 << 22
        self.world.archive(thread, True, (thread.last or thread.id) + after)

    def reopen(self, thread: Channel) -> None:
        """Open a thread again."""
        thread.locked = False
        self.world.archive(thread, False)

    def allow(self, channel: Channel, who: User | Role, permissions: Permission) -> None:
        """Allow a user or role something in a channel and its threads."""
        hidden = not self.world.sees(channel)
        channel.allow(who, permissions)
        self.world.told("CHANNEL_UPDATE", channel.json())
        if hidden and channel.guild is not None and self.world.sees(channel):
            about: Json = {"guild_id": str(channel.guild.id), "channel_ids": [str(channel.id)], "members": []}
            rooms = [c for c in self.world.channels.values() if c.parent is channel and not c.archived]
            threads = [room.json() for room in rooms if self.world.sees(room)]
            self.world.told("THREAD_LIST_SYNC", {**about, "threads": threads})

    def deny(self, channel: Channel, who: User | Role, permissions: Permission) -> None:
        """Deny a user or role something in a channel and its threads."""
        channel.deny(who, permissions)
        self.world.told("CHANNEL_UPDATE", channel.json())

    def add(self, thread: Channel, user: User) -> None:
        """Add a user to a thread."""
        thread.members.add(user.id)
        if user is self.world.bot:
            self.world.told("THREAD_CREATE", thread.json())
        self._members(thread, added=[user])

    def remove(self, thread: Channel, user: User) -> None:
        """Remove a user from a thread, or let them leave it."""
        thread.members.discard(user.id)
        self._members(thread, removed=[user])

    def _members(self, thread: Channel, added: Sequence[User] = (), removed: Sequence[User] = ()) -> None:
        if thread.guild is not None and self.world.bot in (*added, *removed):  # about others only with an intent
            about = {"id": str(thread.id), "guild_id": str(thread.guild.id), "member_count": len(thread.members)}
            new = [{"id": str(thread.id), "user_id": str(user.id), "flags": 0} for user in added]
            gone = [str(user.id) for user in removed]
            data = {**about, "added_members": new, "removed_member_ids": gone}
            self.world.told("THREAD_MEMBERS_UPDATE", data)

    # -- roles and people

    def change(self, guild: Guild, role: Role, permissions: Permission) -> None:
        """Change what a role can do."""
        role.permissions = permissions
        self.world.told("GUILD_ROLE_UPDATE", {"guild_id": str(guild.id), "role": role.json()})

    def give(self, guild: Guild, user: User, role: Role) -> None:
        """Give a user a role, which is made if it doesn't exist."""
        if role.id not in guild.roles:
            guild.roles[role.id] = role
            self.world.told("GUILD_ROLE_CREATE", {"guild_id": str(guild.id), "role": role.json()})
        guild.given.setdefault(user.id, set()).add(role.id)
        self._updated(guild, user)

    def take(self, guild: Guild, user: User, role: Role) -> None:
        """Take a role from a user."""
        guild.given[user.id].remove(role.id)
        self._updated(guild, user)

    def drop(self, guild: Guild, role: Role) -> None:
        """Delete a role."""
        del guild.roles[role.id]
        for roles in guild.given.values():
            roles.discard(role.id)
        self.world.told("GUILD_ROLE_DELETE", {"guild_id": str(guild.id), "role_id": str(role.id)})

    def time_out(self, guild: Guild, user: User, seconds: float) -> None:
        """Let a user only read for a while. (0: no longer.)"""
        guild.timed_out[user.id] = self.world.ids.clock() + seconds
        self._updated(guild, user)

    def leave(self, guild: Guild, user: User) -> None:
        """Let a user leave, and with that all threads."""
        guild.left.add(user.id)
        for room in self.world.channels.values():
            if room.guild is guild:
                room.members.discard(user.id)
        self.world.told("GUILD_MEMBER_REMOVE", {"guild_id": str(guild.id), "user": user.json()})

    def join(self, guild: Guild, user: User) -> None:
        """Let a user come back."""
        guild.left.discard(user.id)
        self.world.told("GUILD_MEMBER_ADD", self._member(guild, user))

    def _updated(self, guild: Guild, user: User) -> None:
        self.world.told("GUILD_MEMBER_UPDATE", self._member(guild, user))

    def _member(self, guild: Guild, user: User) -> Json:
        return {**guild.member(user), "guild_id": str(guild.id)}

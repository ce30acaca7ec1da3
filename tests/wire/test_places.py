"""Servers and channels of the stand-in: what people can do where, what can be read, and what a bot learns of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.wire.calls import Request
from tests.wire.clocked import Clocked
from tests.wire.model import MEMBER, Permission, Refused
from tests.wire.places import ANNOUNCEMENT, FORUM, NEWS_THREAD, STAGE, THREAD, VOICE, Channel, Role
from tests.wire.rest import Rest
from tests.wire.staff import Staff
from tests.wire.threads import Threads
from tests.wire.world import World

SEND, VIEW, CONNECT = Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL, Permission.CONNECT


def asked(body: Any = None, **query: str) -> Request:
    """A request with this body and query."""
    return Request("GET", "", 0.0, json=body, query=query)


def test_member_overwrites_override_role_overwrites_which_override_everyone(world: World) -> None:
    home, (_, bob, *_) = world.home, world.users
    player = Role(7, "player", Permission(0))
    Staff(world).give(home, bob, player)
    world.table.deny(home.everyone, SEND | VIEW)
    assert home.rights(bob) == MEMBER
    assert home.rights(bob, world.table) == MEMBER & ~SEND & ~VIEW
    world.table.allow(player, SEND | VIEW)
    assert world.table.rights(bob) == MEMBER
    world.table.deny(bob, SEND)
    assert world.table.rights(bob) == MEMBER & ~SEND


def test_owners_and_administrators_may_do_everything(world: World) -> None:
    home, (alice, bob, *_) = world.home, world.users
    world.table.deny(home.everyone, VIEW)
    assert [world.table.seen_by(user) for user in (alice, bob, world.bot)] == [True, False, False]
    Staff(world).give(home, bob, Role(7, "admin", Permission.ADMINISTRATOR))
    assert world.table.seen_by(bob)


def test_a_thread_has_the_rights_of_its_parent_channel(world: World) -> None:
    world.dock.deny(world.bot, VIEW)
    assert not world.pier.seen_by(world.bot)
    world.dock.allow(world.bot, VIEW)
    assert world.pier.seen_by(world.bot)


@pytest.mark.parametrize("kind", [VOICE, STAGE])
def test_messages_in_voice_and_stage_channels_need_the_connect_permission(world: World, kind: int) -> None:
    world.table.type = kind
    world.table.deny(world.bot, CONNECT)
    with pytest.raises(Refused, match="403 50001"):
        Rest(world, str).post_message(asked({"content": "x"}), str(world.table.id))
    world.table.allow(world.bot, CONNECT)
    Rest(world, str).post_message(asked({"content": "x"}), str(world.table.id))


def test_the_bot_sees_nothing_in_a_server_that_has_only_its_commands(world: World) -> None:
    room, rest = world.open_guild(bot=False), Rest(world, str)
    asks: list[tuple[int, Callable[[], Any]]] = [
        (10004, lambda: rest.get_guild(asked(), str(room.guild.id if room.guild else 0))),
        (50001, lambda: rest.get_channel(asked(), str(room.id))),
        (50001, lambda: rest.post_message(asked({"content": "x"}), str(room.id))),
    ]
    for code, ask in asks:
        with pytest.raises(Refused, match=str(code)):
            ask()


def test_a_person_who_has_left_is_no_longer_a_member(world: World) -> None:
    rest, where = Rest(world, str), (str(world.home.id), str(world.users[1].id))
    assert rest.get_member(asked(), *where)["user"]["id"] == where[1]
    Staff(world).leave(world.home, world.users[1])
    with pytest.raises(Refused, match="404 10007"):
        rest.get_member(asked(), *where)


def test_a_forum_takes_posts_and_no_messages(world: World) -> None:
    forum, rest = world.dock, Rest(world, str)
    forum.type, threads = FORUM, Threads(world, rest)
    for body in ({"name": "x"}, {"name": "x", "message": {}}):
        with pytest.raises(Refused, match="400 50035"):
            threads.make(asked(body), str(forum.id))
    with pytest.raises(Refused, match="400 50008"):
        rest.post_message(asked({"content": "x"}), str(forum.id))
    made = threads.make(asked({"name": "x", "message": {"content": "hello"}}), str(forum.id))
    assert (made["type"], made["message"]["content"], made["message"]["channel_id"]) == (THREAD, "hello", made["id"])


def test_announcement_channels_have_their_own_kind_of_thread(world: World) -> None:
    world.dock.type = ANNOUNCEMENT
    threads = Threads(world, Rest(world, str))
    assert threads.make(asked({"name": "x", "type": NEWS_THREAD}), str(world.dock.id))["type"] == NEWS_THREAD
    with pytest.raises(Refused, match="400 50024"):
        threads.make(asked({"name": "x", "type": THREAD}), str(world.dock.id))


def test_messages_can_be_read_before_after_or_around_an_id(world: World) -> None:
    rest, where = Rest(world, str), str(world.table.id)
    made = [str(world.say(world.users[0], str(n)).id) for n in range(6)]

    def read(**query: str) -> list[int]:
        return [made.index(m["id"]) for m in rest.get_messages(asked(**query), where)]

    assert read() == [5, 4, 3, 2, 1, 0]
    assert read(limit="2") == [5, 4]
    assert read(limit="2", before=made[3]) == [2, 1]
    assert read(limit="2", after=made[3]) == [5, 4]
    assert read(limit="3", after=made[0]) == [3, 2, 1]
    assert read(limit="3", around=made[2]) == [3, 2, 1]
    with pytest.raises(Refused, match="400 50035"):
        read(limit="101")
    world.table.deny(world.bot, Permission.READ_MESSAGE_HISTORY)
    assert read() == []


DOINGS: dict[str, Callable[[Staff, World], None]] = {
    "GUILD_DELETE": lambda staff, world: staff.remove_bot(world.home),
    "GUILD_CREATE": lambda staff, world: staff.recover(world.home),
    "CHANNEL_UPDATE": lambda staff, world: staff.deny(world.table, world.bot, SEND),
    "CHANNEL_DELETE": lambda staff, world: staff.delete(world.table),
    "THREAD_UPDATE": lambda staff, world: staff.close(world.pier, lock=True),
    "THREAD_DELETE": lambda staff, world: staff.delete(world.pier),
    "GUILD_ROLE_UPDATE": lambda staff, world: staff.change(world.home, world.home.everyone, VIEW),
    "GUILD_MEMBER_UPDATE": lambda staff, world: staff.take(world.home, world.bot, world.home.of_bot),
}


@pytest.mark.parametrize("event", DOINGS)
async def test_changes_by_staff_are_sent_to_sessions_with_the_right_intents(event: str) -> None:
    async with Clocked() as wire:
        deaf = await wire.client()
        assert await deaf.identify(intents=0) == "READY"
        bot = await wire.begun()
        wire.staff.leave(wire.world.home, wire.world.users[1])  # a bot learns this only with the intent for members
        DOINGS[event](wire.staff, wire.world)
        assert await bot.hear() == event
        wire.staff.fail(wire.world.home)
        await wire.told()
        assert [await bot.hear(), bot.data.get("unavailable")] == ["GUILD_DELETE", True]
        await wire.happen()
        assert await deaf.hear() == ("TYPING_START" if event != "GUILD_MEMBER_UPDATE" else event)
        await wire.http.close()


async def test_a_server_that_removed_the_bot_sends_no_events_until_the_bot_is_back() -> None:
    async with Clocked() as wire:
        bot, home = await wire.begun(), wire.world.home
        wire.staff.remove_bot(home)
        wire.staff.close(wire.world.pier)
        await wire.told()
        wire.staff.invite_bot(home)
        assert [await bot.hear(), bot.data] == ["GUILD_DELETE", {"id": str(home.id)}]
        assert await bot.hear() == "GUILD_CREATE"
        assert [room["id"] for room in bot.data["threads"]] == []
        assert {str(room.id) for room in home_rooms(wire.world)} == {room["id"] for room in bot.data["channels"]}
        assert [member["user"]["id"] for member in bot.data["members"]] == [str(wire.world.bot.id)]
        await wire.http.close()


def home_rooms(world: World) -> list[Channel]:
    """The channels of the first server, without threads."""
    return [room for room in world.channels.values() if room.guild is world.home and not room.parent]

"""A private thread for each player, with their hand and story: made once, seen by no one else, and read later."""

from __future__ import annotations

from pathlib import Path

from tests.wire.forms import set_options
from tests.wire.messages import Message
from tests.wire.model import Permission
from tests.wire.party import Party, party
from tests.wire.places import Channel


def rooms(table: Party) -> dict[int, list[Channel]]:
    """The private threads, by the user who is in them besides the bot."""
    world, threads = table.wire.world, dict[int, list[Channel]]()
    for channel in world.channels.values():
        if channel.private:
            assert channel.parent is table.channel
            [user] = channel.members - {world.bot.id}
            threads.setdefault(user, []).append(channel)
    return threads


async def begun(table: Party) -> None:
    """Begin a game with private threads."""
    await table.gather()
    answer = await set_options(table, rooms=True)
    assert "**Private threads**" in answer.text
    await table.people[0].click(await table.panel(), label="Start")
    await table.settled(1)


def told_in(table: Party, room: Channel) -> list[Message]:
    return table.wire.messages(room)


async def test_each_player_gets_one_private_thread_with_what_happened_since_their_last_move(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        table.wire.fault("^POST /channels/[0-9]+/threads", cut=True, effect=True)  # made, but the answer is lost
        await begun(table)
        await table.until_turn(4)
        await table.settled()
        found = rooms(table)
        assert {user: len(threads) for user, threads in found.items()} == {p.human.id: 1 for p in table.people}
        for person in table.people:
            [room] = found[person.human.id]
            others = [other.human for other in table.people if other is not person]
            assert room.seen_by(person.human)
            assert not any(room.seen_by(other) for other in others if other is not table.wire.world.home.owner)
            first, *later = told_in(table, room)
            assert later, "a turn has its own message"
            assert "your last move" in later[-1].text
            assert not [message for message in (first, *later) if message.notified]
        assert [ping for ping in table.wire.world.pings if ping.message.channel is table.channel], "the channel calls"
        assert not table.wire.calls("POST /users/@me/channels")


async def test_who_takes_anothers_name_does_not_get_into_their_private_thread(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        table.people[1].human.name = table.people[0].human.name
        await begun(table)
        first, _action = await table.choose()
        [other] = [person for person in table.people if person is not first]
        table.wire.staff.leave(table.wire.world.home, other.human)  # their thread is made, but they can't be added
        while (await table.choose())[0] is first:
            await table.step()
        await table.settled()
        table.wire.staff.join(table.wire.world.home, other.human)
        await table.until_turn(3)
        await table.settled()
        assert {user: len(threads) for user, threads in rooms(table).items()} == {p.human.id: 1 for p in table.people}


async def test_a_deleted_private_thread_is_created_again(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await begun(table)
        await table.until_turn(2)
        await table.settled()
        old = [room for threads in rooms(table).values() for room in threads]
        for room in old:
            table.wire.world.drop(room)
        await table.until_turn(4)
        await table.settled()
        assert {user: len(threads) for user, threads in rooms(table).items()} == {p.human.id: 1 for p in table.people}


async def test_private_threads_are_refused_without_the_permission_to_create_them(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await table.gather()
        await table.wire.forbid(table.channel, Permission.CREATE_PRIVATE_THREADS)
        answer = await set_options(table, rooms=True)
        assert "Create Private Threads" in answer.text
        assert not (await table.read()).table.options.rooms


async def later(table: Party) -> None:
    """Play until all have had another turn."""
    await table.until_turn((await table.game()).turn + 4)
    await table.settled()


async def test_a_player_who_has_left_their_private_thread_is_added_again(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await begun(table)
        await later(table)
        user = table.people[1].human
        [room] = rooms(table)[user.id]
        table.wire.staff.remove(room, user)
        room.archived = True
        await later(table)
        assert user.id in room.members
        assert [threads for threads in rooms(table).values() if len(threads) != 1] == []


async def test_a_player_who_was_off_the_server_learns_why_no_hand_came_and_gets_the_next_one(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await begun(table)
        await later(table)
        bob, home = table.people[1], table.wire.world.home
        [room] = rooms(table)[bob.id]
        table.wire.staff.leave(home, bob.human)
        before = len(told_in(table, room))
        await later(table)
        assert len(told_in(table, room)) == before
        table.wire.staff.join(home, bob.human)
        it = await bob.slash(table.channel, "hand")
        assert "couldn't write to you in your private thread" in it.text
        await later(table)
        assert bob.id in room.members
        assert "couldn't write" not in told_in(table, room)[-1].text
        it = await bob.slash(table.channel, "hand")
        assert "couldn't write to you" not in it.text


async def test_a_seat_changes_hands_while_its_private_thread_sleeps(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        alice, bob, carol = table.people
        table.people = [alice, bob]
        await begun(table)
        await later(table)
        table.wire.staff.sleep(rooms(table)[bob.id][0])  # as after a week without a message
        given = await bob.slash(table.channel, "seat give")
        await bob.click(given.messages[0], label="Offer my seat")
        await table.settled()
        [(offer, take)] = [
            (message, str(control["custom_id"]))
            for message in table.wire.messages(table.channel)
            for control in message.interactive
            if str(control.get("custom_id")).startswith("hb:seat:")
        ]
        await carol.click(offer, custom_id=take)
        table.people = [alice, carol]
        await later(table)
        world = table.wire.world
        members = [room.members - {world.bot.id} for room in world.channels.values() if room.private]
        assert sorted(members, key=len) == [set(), {alice.id}, {carol.id}], "they keep what is in them"
        assert not [m for m in table.wire.world.messages.values() if "stuck" in m.text]


async def test_a_game_that_has_left_a_closed_channel_gets_new_private_threads(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        world = table.wire.world
        await begun(table)
        await later(table)
        table.wire.staff.deny(table.channel, world.bot, Permission.VIEW_CHANNEL)
        await table.wire.told()
        await table.people[0].slash(world.dock, "game move", game=table.number)
        table.place = world.dock
        await table.settled()
        await later(table)
        moved = [room for room in world.channels.values() if room.private and room.parent is world.dock]
        assert {frozenset(room.members) for room in moved} == {frozenset({world.bot.id, p.id}) for p in table.people}

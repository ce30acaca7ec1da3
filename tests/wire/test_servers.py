"""What happens to servers, channels and threads outside the program, and where a table can't be opened."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.discord.servers import ASK_AGAIN
from tests.bot.discord.doing import by_commands
from tests.postgres import NewDatabase
from tests.wire.cluster import cluster
from tests.wire.messages import Message
from tests.wire.model import Permission
from tests.wire.openings import lobby, main_step
from tests.wire.party import Party, party
from tests.wire.places import NOTHING, VOICE, Channel, Role
from tests.wire.trouble import outage
from tests.wire.world import to_nobody

MEMBERS = 1 << 1
"""The intent for members."""
QUIET = 2.0
"""Seconds after which all that follows from an event has happened."""


def inn(table: Party) -> Channel:
    """A thread below the party's channel. The party plays there from now on."""
    world, above = table.wire.world, table.channel
    thread = Channel(world.ids(), "inn", parent=above, guild=above.guild)
    world.channels[thread.id] = table.place = thread
    return thread


def requests(table: Party, since: float) -> list[str]:
    """The bot's requests about the party's channel since then."""
    return [str(r) for r in table.wire.requests if r.at > since and f"/channels/{table.channel.id}" in r.path]


def archived(thread: Channel) -> bool:
    """Whether it is archived."""
    return thread.archived


def told(table: Party, words: str) -> list[Message]:
    """Direct messages with these words."""
    rooms = [table.wire.dms(person.human) for person in table.people]
    return [message for room in rooms for message in room if words in message.text]


async def test_players_are_asked_about_a_member_who_leaves_if_discord_reports_it(tmp_path: Path) -> None:
    async with party(tmp_path, people=3) as table:
        await table.bot.stop()
        table.wire.gateway.privileged = MEMBERS
        table.bot.env["HARBORMASTER_MEMBERS"] = "yes"
        await table.bot.start()
        await table.begin()
        leaver, staff, home = table.people[2].human, table.wire.staff, table.wire.world.home
        asked = f"{leaver.name} left this server"

        def asks() -> list[Message]:
            return [m for m in table.wire.messages(table.channel) if asked in m.text and not m.deleted]

        staff.leave(home, leaver)
        await table.wire.until(asks, what="nobody is asked")
        assert (await table.read()).table.gone == (leaver.id,)
        staff.join(home, leaver)
        await table.wire.until(lambda: not asks(), what="they are back, and the others are still asked")
        await table.settled()
        assert (await table.read()).table.gone == ()


@pytest.mark.soak
async def test_a_process_that_takes_over_a_session_gets_server_events(
    tmp_path: Path, new_database: NewDatabase
) -> None:
    async with cluster(tmp_path, new_database(), processes=2, shards=2) as table:
        await table.launch()
        threads = [inn(party) for party in table.parties]
        for party_ in table.parties:
            await party_.begin(target=6)
        await table.bots[0].kill()
        await table.whole(30.0)
        wire, staff = table.wire, table.wire.staff
        assert wire.gateway.resumed >= 1
        for thread in threads:
            staff.sleep(thread)
        await wire.until(lambda: not any(thread.archived for thread in threads), what="the threads stay archived")
        for party_ in table.parties:
            staff.delete(party_.channel)
        for party_ in table.parties:
            await wire.until(lambda p=party_: told(p, "Its channel was deleted"))  # type: ignore[misc]


async def test_a_server_that_removes_harbormaster_gets_no_requests_until_it_is_back(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        wire, home = table.wire, table.wire.world.home
        wire.staff.remove_bot(home)
        await asyncio.sleep(QUIET)
        began = time.perf_counter()
        for person in table.people[:2]:  # by the buttons of their hands
            [message, *_] = wire.dms(person.human)
            await person.human.click(message, "What did I miss?")
        await asyncio.sleep(QUIET)
        assert await table.bot.stop() == 0
        await table.bot.start()
        await asyncio.sleep(QUIET)
        assert requests(table, began) == []
        wire.staff.invite_bot(home)
        await table.panel_current()
        await table.step()


async def test_a_server_that_removed_harbormaster_while_it_was_stopped_gets_no_requests(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        wire, began = table.wire, time.perf_counter()
        assert await table.bot.stop() == 0
        table.wire.world.home.bot_in = False
        await table.bot.start()
        await asyncio.sleep(QUIET)
        assert requests(table, began) == []
        wire.staff.invite_bot(wire.world.home)
        await table.panel_current()


def archive_after(table: Party, thread: Channel, hours: int) -> None:
    """Let Discord archive a thread so many hours after its last message."""
    table.wire.world.archive(thread, True, (thread.last or thread.id) + (hours * 3_600_000 << 22))


async def opened(table: Party, thread: Channel) -> None:
    """Wait until Harbormaster has opened an archived thread, and has noted that."""
    await table.wire.until(lambda: not thread.archived, what="the thread stays archived")
    await table.wire.settled(0.5)


async def closed_twice(table: Party, thread: Channel) -> None:
    """Close a thread, and again when Harbormaster has opened it."""
    table.wire.staff.close(thread)
    await opened(table, thread)
    table.wire.staff.close(thread)
    await asyncio.sleep(QUIET)
    assert thread.archived


async def test_a_thread_that_staff_closes_twice_stays_closed_until_someone_writes_there(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread = inn(table)
        await table.begin()
        await table.wire.settled(0.5)
        await closed_twice(table, thread)
        [message] = told(table, "Its thread was closed")
        assert "writes a word there" in message.text
        began = time.perf_counter()
        assert await table.bot.stop() == 0  # a start doesn't open it, either
        await table.bot.start()
        await asyncio.sleep(QUIET)
        assert archived(thread)
        assert [request for request in requests(table, began) if "GET" not in request] == []
        table.wire.world.say(table.people[1].human, "Shall we go on?", thread)
        await table.panel_current()
        await table.wire.until(lambda: not told(table, "Its thread was closed"))
        await table.step()


async def test_a_game_in_a_closed_thread_goes_on_when_a_player_acts(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread = inn(table)
        await table.begin()
        await closed_twice(table, thread)
        person, action = await table.choose()
        await by_commands(table, person, action)
        await table.panel_current()
        assert not archived(thread)


async def test_buttons_in_an_archived_thread_work_only_for_its_members(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread = inn(table)
        await table.begin()
        await closed_twice(table, thread)
        bob = table.people[1].human
        with pytest.raises(LookupError, match="can't open it"):
            await bob.click(await table.panel(), "My hand")
        thread.members.add(bob.id)
        await bob.click(await table.panel(), "My hand")
        assert not archived(thread)


@pytest.mark.parametrize("hours", [170, 20, 1])
async def test_a_thread_that_discord_archives_is_reopened(tmp_path: Path, hours: int) -> None:
    """After a week without a message, or earlier if the server has many."""
    async with party(tmp_path) as table:
        thread = inn(table)
        await table.begin()
        for away in (False, True):
            if away:
                assert await table.bot.stop() == 0
            archive_after(table, thread, hours + (100 if away else 0))
            if away:
                await table.bot.start()
            await opened(table, thread)


async def test_a_quiet_thread_with_a_short_patience_is_reopened_again_and_again(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread = inn(table)
        thread.archives_after = 60
        await table.begin()
        for hour in (1, 2, 3):
            archive_after(table, thread, hour)
            await opened(table, thread)


async def test_players_are_told_if_a_server_has_too_many_threads(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread = inn(table)
        await table.begin()
        table.wire.world.most_threads = 1
        refused = await table.people[1].slash(table.wire.world.dock, "game new", thread=True)
        assert "no room for another open thread" in refused.text
        table.wire.staff.sleep(thread)
        await table.wire.until(lambda: told(table, "no room for another open thread"))


@pytest.mark.parametrize("permission", [Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL])
async def test_players_are_told_which_permission_is_missing_by_direct_message(
    tmp_path: Path, permission: Permission
) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        await table.wire.forbid(table.channel, permission)
        person, action = await table.choose()
        await table.do_and_forget(person, action)
        for message in table.wire.messages(table.channel):
            table.wire.world.delete(message)
        await table.people[0].slash(table.channel, "board", check=False)
        words = "Send Messages" if permission is Permission.SEND_MESSAGES else "can't see its channel"
        await table.wire.until(lambda: told(table, words))
        await table.wire.allow(table.channel, permission)
        await table.panel_current()
        await table.wire.until(lambda: not told(table, words))


async def test_players_are_told_if_the_channel_around_a_games_thread_is_deleted(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        world = table.wire.world
        thread, elsewhere = inn(table), world.dock
        await table.begin()
        await table.wire.settled(0.5)
        table.wire.staff.delete(world.table)  # Discord says nothing about the threads in it
        await table.wire.until(lambda: told(table, "Its channel was deleted"))
        assert thread.id not in world.channels
        it = await table.people[1].slash(elsewhere, "game move", game=1, check=False)
        assert "continues here" in it.text
        table.place = elsewhere
        await table.panel_current()


async def test_a_player_can_move_a_game_out_of_a_deleted_channel_that_no_one_has_been_told_about(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as table:
        world = table.wire.world
        inn(table)
        await table.begin()
        await table.wire.settled(0.5)
        world.told = to_nobody
        table.wire.staff.delete(world.table)
        it = await table.people[1].slash(world.dock, "game move", game=1, check=False)
        assert "continues here" in it.text


@pytest.mark.soak
async def test_a_thread_is_opened_even_if_discord_could_not_be_asked_about_it(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread = inn(table)
        await table.begin()
        await table.wire.settled(0.5)
        async with outage(table.wire, 5.0, "503", f"channels/{thread.id}"):
            table.wire.staff.sleep(thread)
        await table.wire.until(lambda: not thread.archived, ASK_AGAIN + 10.0, "it stays archived")


async def test_a_game_goes_on_as_soon_as_the_role_that_hid_it_is_deleted(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        wire, home = table.wire, table.wire.world.home
        role = Role(wire.world.ids(), "Muted", NOTHING)
        wire.staff.give(home, wire.world.bot, role)
        await hidden(table, lambda: wire.staff.deny(table.channel, role, Permission.VIEW_CHANNEL))
        wire.staff.drop(home, role)
        await table.panel_current()


async def test_a_game_in_a_private_thread_goes_on_as_soon_as_harbormaster_is_added_again(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread, bot = inn(table), table.wire.world.bot
        thread.private = True
        thread.members |= {bot.id, *(person.id for person in table.people)}
        table.wire.staff.deny(table.wire.world.table, bot, Permission.MANAGE_THREADS)
        await table.begin()
        await table.wire.settled(0.5)
        table.wire.staff.remove(thread, bot)  # no one does anything, and all learn of it
        await table.wire.until(lambda: told(table, "can't see its channel"))
        table.wire.staff.add(thread, bot)
        await table.panel_current()
        await table.wire.until(lambda: not told(table, "can't see its channel"))


async def hidden(table: Party, hide: Callable[[], None]) -> None:
    """Hide a game's channel, and let a player act, until someone has been told."""
    hide()
    await table.wire.told()
    person, action = await table.choose()
    await table.do_and_forget(person, action)
    for message in table.wire.messages(table.channel):
        table.wire.world.delete(message)
    await table.people[0].slash(table.channel, "board", check=False)
    await table.wire.until(lambda: told(table, "can't see its channel"))


# --- where a table can't be opened


async def test_harbormaster_must_be_added_to_a_private_thread_before_a_table_opens(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread = inn(table)
        thread.private = True
        table.wire.world.table.deny(table.wire.world.bot, Permission.MANAGE_THREADS)
        it = await table.people[1].slash(thread, "game new")
        assert "Mention me here first" in it.text
        thread.members.add(table.wire.world.bot.id)
        it = await table.people[1].slash(thread, "game new")
        assert "is open" in it.text
        await table.settled()
        assert len(table.panels()) == 1


async def test_no_table_is_opened_in_a_server_that_has_only_the_commands(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        world = table.wire.world
        room = world.open_guild(bot=False)
        for command in ("game new", "game learn"):
            it = await table.people[1].slash(room, command)
            assert "[add me](https://discord.com/oauth2/authorize?client_id=" in it.text
        assert room.guild is not None
        room.guild.commands_in = False
        world.installed_by.add(table.people[1].id)
        with pytest.raises(ValueError, match="isn't registered"):  # user-installed commands don't include it
            await table.people[1].slash(room, "game new")
        assert table.wire.calls("POST /channels/") == []


async def test_no_thread_is_created_for_a_user_who_cant_create_threads(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        bob = table.people[1]
        table.channel.deny(bob.human, Permission.CREATE_PUBLIC_THREADS)
        it = await bob.slash(table.channel, "game new", thread=True)
        assert "You can't open threads here" in it.text
        assert table.wire.calls("POST /channels/") == []


async def test_a_table_in_a_voice_channel_needs_the_connect_permission(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        table.channel.type = VOICE
        table.channel.deny(table.wire.world.bot, Permission.CONNECT)
        it = await table.people[1].slash(table.channel, "game new")
        assert "**Connect**" in it.text
        table.channel.allow(table.wire.world.bot, Permission.CONNECT)
        await table.begin()
        await table.panel_current()


async def test_a_player_who_has_left_is_recognized_without_cached_members(tmp_path: Path) -> None:
    async with party(tmp_path, position=await lobby(tmp_path)) as table:
        await table.people[0].click(await table.panel(), label="Start")
        await table.settled(1)
        table.wire.staff.leave(table.wire.world.home, table.people[3].human)
        it = await table.people[0].slash(table.channel, "seat bot", check=False, player="Dave")
        assert "A bot is playing for Dave" in it.text

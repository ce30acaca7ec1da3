"""What happens to servers, channels and threads outside the program, and where a table can't be opened."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.postgres import NewDatabase
from tests.wire.around import QUIET, inn, requests, told
from tests.wire.cluster import cluster
from tests.wire.messages import Message
from tests.wire.model import Permission
from tests.wire.openings import lobby, main_step
from tests.wire.party import Party, party
from tests.wire.places import NOTHING, VOICE, Role

MEMBERS = 1 << 1
"""The intent for members."""


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


async def test_a_game_goes_on_as_soon_as_the_role_that_hid_it_is_deleted(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        wire, home = table.wire, table.wire.world.home
        role = Role(wire.world.ids(), "Muted", NOTHING)
        wire.staff.give(home, wire.world.bot, role)
        await hidden(table, lambda: wire.staff.deny(table.channel, role, Permission.VIEW_CHANNEL))
        wire.staff.drop(home, role)
        await table.panel_current()


async def test_players_learn_until_when_harbormaster_is_timed_out_and_go_on_then(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        wire, bot = table.wire, table.wire.world.bot
        wire.staff.time_out(wire.world.home, bot, 8.0)
        person, action = await table.choose()
        await table.do_and_forget(person, action)
        for message in table.wire.messages(table.channel):
            table.wire.world.delete(message)
        await table.people[0].slash(table.channel, "board", check=False)
        await wire.until(lambda: told(table, "I'm in a timeout on this server"))
        it = await table.people[0].slash(wire.world.dock, "game new")
        assert "I'm in a timeout on this server and can only read. That ends <t:" in it.text
        await table.panel_current()


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
        table.wire.staff.add(thread, table.wire.world.bot)
        await table.wire.told()
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


async def test_nothing_is_posted_for_a_user_who_cant_write_there(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        bob, dock, thread = table.people[1], table.wire.world.dock, table.wire.world.pier
        table.channel.deny(bob.human, Permission.SEND_MESSAGES)
        dock.deny(bob.human, Permission.SEND_MESSAGES_IN_THREADS)
        for where in (table.channel, thread):
            for command in ("game new", "game learn"):
                assert "You can't write in this channel" in (await bob.slash(where, command)).text
        dock.allow(bob.human, Permission.SEND_MESSAGES_IN_THREADS)
        dock.deny(bob.human, Permission.SEND_MESSAGES)
        assert "is open" in (await bob.slash(thread, "game new")).text


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

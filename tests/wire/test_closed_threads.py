"""Games in threads that are archived, by people or by Discord, or that vanish with the channel around them."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from bot.discord.servers import ASK_AGAIN_AFTER
from tests.bot.discord.doing import by_commands
from tests.wire.around import QUIET, archived, inn, requests, told
from tests.wire.model import Permission
from tests.wire.party import Party, party
from tests.wire.places import Channel
from tests.wire.trouble import outage
from tests.wire.world import to_nobody


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


@pytest.mark.parametrize("hours", [170, *(pytest.param(hours, marks=pytest.mark.soak) for hours in (20, 1))])
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
        await table.wire.until(lambda: not thread.archived, ASK_AGAIN_AFTER + 10.0, "it stays archived")


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


async def test_a_group_in_a_private_thread_goes_on_in_another_one_that_all_are_in(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        thread, world, (alice, bob, *_) = inn(table), table.wire.world, table.people
        inside = {world.bot.id, *(person.id for person in table.people)}
        thread.private = True
        thread.members |= inside
        await table.begin()
        await table.wire.settled(0.5)
        new = Channel(world.ids(), "new", parent=world.table, guild=world.table.guild, private=True, members=inside)
        world.channels[new.id] = new
        staff = table.wire.staff
        staff.remove(new, bob.human)
        it = await alice.slash(new, "game move", game=1, check=False)
        assert "This channel is hidden from Bob." in it.text
        async with outage(table.wire, 5.0, "503", f"channels/{new.id}/thread-members"):
            it = await alice.slash(new, "game move", game=1, check=False)
            assert "please try again" in it.text, "no one can say now who is in it"
        staff.add(new, bob.human)
        staff.deny(world.table, bob.human, Permission.VIEW_CHANNEL)
        it = await alice.slash(new, "game move", game=1, check=False)
        assert "This channel is hidden from Bob." in it.text, "its members need to see the channel that it is in"
        staff.allow(world.table, bob.human, Permission.VIEW_CHANNEL)
        it = await alice.slash(new, "game move", game=1, check=False)
        assert "continues here" in it.text
        table.place = new
        await table.panel_current()

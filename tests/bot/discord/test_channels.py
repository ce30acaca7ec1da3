"""Channels that are closed to the bot, deleted or archived: the game is kept, and a player is told what to do."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from simcord.backend.errors import BackendError
from simcord.builders import ChannelHandle

from bot.discord.show import channels, private
from bot.discord.show.permissions import Blocked
from bot.discord.show.private import STILL_FOR
from bot.discord.show.trouble import TROUBLE_AGAIN_AFTER, Troubles
from bot.projections import PANEL, TROUBLE, Move, Place, moved
from bot.service.lobby import LobbyService
from bot.store import Unavailable
from bot.table.acts.play import Play
from bot.table.table import ARCHIVED, CANCELLED
from engine.actions import Resign
from engine.errors import RefereeError
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, allow, answer, labels, text
from tests.bot.discord.moments import at
from tests.bot.discord.seen import sent_to
from tests.bot.discord.tables import a_turn, private_channel


async def running(hall: Hall) -> Any:
    """Start a game. Returns the player whom it waits for to roll."""
    await hall.begin()
    game = await hall.advance(at("pre_roll"))
    return await hall.person(game.to_act[0])


async def test_the_host_is_told_of_a_deleted_channel_and_the_game_can_be_moved(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person = await running(hall)
        host, other = hall.people[:2]
        place = hall.guild.create_text_channel("elsewhere")
        channel = await hall.room()
        await channel.delete()
        await hall.env.advance_time(1)
        assert len(sent_to(host, "Its channel was deleted")) == 1
        assert (await hall.table()).status == ARCHIVED, "it counts against no one's limits"
        hall.channel = place
        assert "continues here" in answer(await other.slash(place, "game move", game=1))
        assert not sent_to(host, "Its channel was deleted")
        marks = await hall.services.projections.visible(1)
        panel = hall.message(marks[PANEL].posted)
        assert "Roll" in labels(panel)
        await person.click(panel, label="Roll")


async def test_the_turn_timer_stops_while_a_games_channel_is_deleted(open_hall: Opened, long_time: None) -> None:
    """A channel is deleted by mistake. The game isn't played to its end before someone has moved it elsewhere."""
    async with open_hall() as hall:
        await hall.lobby()
        await hall.options(pace=1800, expiry="decide")
        await hall.people[0].click(await hall.panel(), label="Start")
        await hall.advance(at("pre_roll"))
        place = hall.guild.create_text_channel("elsewhere")
        channel = await hall.room()
        await channel.delete()
        await hall.env.advance_time(1)
        revision = (await hall.game()).revision
        for _ in range(5):
            await hall.env.advance_time(1795)
        assert (await hall.game()).revision == revision
        await hall.people[1].slash(place, "game move", game=1)
        hall.channel = place
        await hall.env.advance_time(1740)
        assert (await hall.game()).revision == revision, "all have their time from then on"
        await hall.env.advance_time(120)
        assert (await hall.game()).revision > revision


async def test_only_the_host_can_move_a_game_that_can_still_be_shown(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await running(hall)
        host, other = hall.people[:2]
        old, place = await hall.panel(), hall.guild.create_text_channel("elsewhere")
        assert "Only the host" in answer(await other.slash(place, "game move", game=1))
        assert "already here" in answer(await host.slash(hall.channel, "game move", game=1))
        assert "no game 77" in answer(await host.slash(place, "game move", game=77))
        await host.slash(place, "game move", game=1)
        assert labels(hall.message(old.id)) == []
        assert f"<#{place.id}>" in text(hall.message(old.id))
        hall.channel = place
        assert "Roll" in labels(await hall.panel())


async def test_a_game_cant_be_moved_out_of_its_players_sight(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await running(hall)
        host, other, third, fourth = hall.people
        place = await private_channel(hall, host, other, fourth)
        assert "hidden from Cem" in answer(await host.slash(place, "game move", game=1))
        await hall.services.games.act(1, host.id, Play(Resign()), "resigned")
        place = await private_channel(hall, *hall.people)
        assert "You left this game" in answer(await host.slash(place, "game move", game=1)), "they have no say anymore"
        await hall.services.servers.change(hall.guild.id, channels=(hall.channel.id,))
        assert f"in <#{hall.channel.id}>" in answer(await other.slash(place, "game move", game=1))
        await hall.services.servers.change(hall.guild.id, channels=())
        hall.guild.remove_member(third)
        assert "continues here" in answer(await other.slash(place, "game move", game=1)), "who left doesn't count"


async def test_a_game_cant_be_moved_to_a_channel_in_use(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await running(hall)
        place = hall.guild.create_text_channel("elsewhere")
        await hall.people[3].slash(place, "game new")
        assert "another channel" in answer(await hall.people[0].slash(place, "game move", game=1))


async def test_a_game_gets_a_thread_of_its_own(open_hall: Opened) -> None:
    async with open_hall() as hall:
        content = answer(await hall.people[0].slash(hall.channel, "game new", thread=True))
        [thread] = hall.channel.threads
        assert thread.mention in content
        assert await hall.services.repository.in_channel(thread.id) is not None
        metadata = hall.env.backend.get_channel(thread.id).thread_metadata
        assert metadata is not None
        assert metadata.auto_archive_duration == 7 * 24 * 60


async def test_the_host_is_told_of_a_thread_locked_while_harbormaster_was_away(open_hall: Opened) -> None:
    async with open_hall() as hall:
        [ann, *_] = hall.people
        await ann.slash(hall.channel, "game new", thread=True)
        [thread] = hall.channel.threads
        hall.channel = ChannelHandle(hall.env, hall.guild, hall.env.backend.get_channel(thread.id))
        await running(hall)
        await hall.bot.close()
        hall.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True, "locked": True})
        hall.env.backend.guilds[hall.guild.id].thread_ids.remove(thread.id)  # a session lists the active ones
        path = f"/channels/{thread.id}/messages/*"
        hall.env.inject_error("PATCH", path, status=400, code=50083, message="archived", times=None)
        await hall.restart(closed=True)
        await hall.env.advance_time(1)
        assert len(sent_to(ann, "Its thread is locked")) == 1


async def test_a_game_in_a_thread_needs_no_permission_to_write_in_the_channel(open_hall: Opened) -> None:
    async with open_hall() as hall:
        host, other = hall.people[:2]
        await allow(hall, send_messages=False, send_messages_in_threads=True, manage_roles=True)
        assert "**Send Messages**" in answer(await host.slash(hall.channel, "game new"))
        assert "Table 1 is open" in answer(await host.slash(hall.channel, "game new", thread=True))
        await allow(hall, send_messages=True, send_messages_in_threads=False)
        content = answer(await other.slash(hall.channel, "game new", thread=True))
        assert "**Send Messages in Threads**" in content


async def test_a_thread_without_a_table_is_archived_if_it_cant_be_deleted(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot can archive a thread that it has created, but lacks *Manage Threads* to delete it."""
    async with open_hall() as hall:

        def refuse(channel: int) -> None:
            raise BackendError(403, 50013, "Missing Permissions")

        async def opened_another(*args: object) -> None:
            raise RefereeError("not-opened/pause", when="soon")

        monkeypatch.setattr(hall.env.backend, "delete_channel", refuse)
        monkeypatch.setattr(LobbyService, "_open", opened_another)
        content = answer(await hall.people[0].slash(hall.channel, "game new", thread=True))
        assert "You just opened a table" in content
        sent = [(r.method, r.path) for r in hall.env.http_requests if r.json == {"archived": True}]
        assert [(method, path.count("/")) for method, path in sent] == [("PATCH", 2)]
        [thread] = hall.channel.threads
        metadata = hall.env.backend.get_channel(thread.id).thread_metadata
        assert metadata is not None
        assert metadata.archived


@pytest.mark.parametrize("code", [50083, 160005])
async def test_the_host_is_told_of_a_locked_thread(open_hall: Opened, long_time: None, code: int) -> None:
    """Whether or not the thread is archived, too."""
    async with open_hall() as hall:
        channel = await hall.room()
        thread = await channel.create_thread(name="game", type=discord.ChannelType.public_thread)
        hall.channel = ChannelHandle(hall.env, hall.guild, hall.env.backend.get_channel(thread.id))
        person = await running(hall)
        path = f"/channels/{thread.id}"
        hall.env.inject_error("PATCH", path, status=403, code=50013, message="no", times=None)
        path += f"/messages/{(await hall.panel()).id}"
        hall.env.inject_error("PATCH", path, status=403, code=code, message="no", times=None)
        await person.slash(hall.channel, "roll")
        await hall.env.advance_time(1)
        assert len(sent_to(hall.people[0], "Its thread is locked")) == 1
        assert TROUBLE in await hall.services.projections.visible(1)


def refuse_dms(hall: Hall, person: Any, code: int, times: int | None) -> None:
    """Have Discord refuse direct messages to a person."""
    path = f"/channels/{person.user.dm_channel.id}/messages"
    hall.env.inject_error("POST", path, status=400 if code == 40003 else 403, code=code, message="no", times=times)


def tried(hall: Hall) -> list[int]:
    """How many direct messages the bot has tried to send to each person."""
    sent = [request.path for request in hall.env.http_requests if request.method == "POST"]
    return [sent.count(f"/channels/{person.user.dm_channel.id}/messages") for person in hall.people]


async def test_a_missing_permission_is_reported_once_and_the_panel_comes_back_by_itself(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person = await running(hall)
        host, third = hall.people[0], next(p for p in hall.people[1:] if p != person)
        await allow(hall, send_messages=False, manage_roles=True)
        before = await hall.panel()
        await (await hall.panel()).delete()
        content = answer(await person.slash(hall.channel, "board"))
        await hall.env.advance_time(120)
        assert len(sent_to(host, "**Send Messages**")) == 1
        assert "**Send Messages**" in content + answer(await person.slash(hall.channel, "hand"))
        assert "Send Messages" not in answer(await person.slash(hall.channel, "hand")), "once is enough"
        assert "**Send Messages**" in answer(await third.slash(hall.channel, "hand"))
        await hall.env.advance_time(3600)
        assert len(sent_to(host, "**Send Messages**")) == 1
        await allow(hall, send_messages=True)
        await hall.env.advance_time(2)
        panel = await hall.panel()
        assert panel.id != before.id
        assert not sent_to(host, "**Send Messages**")
        await person.click(panel, label="Roll")


async def test_a_message_about_trouble_is_deleted_once_it_has_been_sent(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall() as hall:
        await running(hall)
        sent, answered, deleted = asyncio.Event(), asyncio.Event(), []

        async def post(*_: object) -> Place:
            sent.set()
            await answered.wait()
            return Place(77, 5)

        async def delete(_client: object, channel: int, message: int) -> None:
            deleted.append((channel, message))

        monkeypatch.setattr(private, "post_dm", post)
        monkeypatch.setattr(channels, "delete", delete)
        troubles = Troubles(hall.bot.app.display)
        troubles.found(1, Blocked("missing-permission", channel="#inn", permissions="Send"))
        await sent.wait()
        before = await hall.services.projections.visible(1)
        assert await troubles.lift(1, before) == TROUBLE_AGAIN_AFTER, "the panel isn't held up"
        assert deleted == []
        answered.set()
        await troubles.finished()
        assert await troubles.lift(1, before) is None
        assert deleted == [(77, 5)]
        assert TROUBLE not in await hall.services.projections.visible(1)


async def test_trouble_is_not_over_while_only_edits_are_allowed(open_hall: Opened, long_time: None) -> None:
    """Each new deadline edits the panel, but the host isn't written to each time."""
    async with open_hall() as hall:
        await hall.lobby()
        host = hall.people[0]
        await host.slash(hall.channel, "game timer", time="30 minutes")
        await host.click(await hall.panel(), label="Start")
        await allow(hall, send_messages=False, manage_roles=True)
        notices = set()
        for _ in range(6):
            await hall.env.advance_time(1800)
            notices |= {message.id for message in sent_to(host, "**Send Messages**")}
        assert len(notices) == 1
        await allow(hall, send_messages=True)
        await hall.env.advance_time(2)
        assert not sent_to(host, "**Send Messages**")


@pytest.mark.parametrize("code", [50007, 50001, None])
async def test_trouble_is_reported_to_the_next_player_who_takes_direct_messages(
    open_hall: Opened, long_time: None, code: int | None
) -> None:
    """A person who has left the server (no code) could no longer see the channel."""
    async with open_hall() as hall:
        await running(hall)
        host, other, *_ = hall.people
        if code is None:
            hall.guild.remove_member(host.user)
        else:
            refuse_dms(hall, host, code, None)
        channel = await hall.room()
        await channel.delete()
        await hall.env.advance_time(1)
        assert [len(sent_to(p, "Its channel was deleted")) for p in (host, other)] == [0, 1]
        await hall.env.advance_time(3600)
        assert sum(len(sent_to(p, "Its channel was deleted")) for p in hall.people) == 1


async def test_trouble_is_reported_even_if_harbormaster_was_killed_while_reporting_it(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await running(hall)
        host = hall.people[0]
        table = await hall.table()
        sending = moved(None, TROUBLE, Move.POST, table.version)
        await hall.services.projections.note(table.number, [sending])  # and it is killed
        channel = await hall.room()
        await channel.delete()
        await hall.env.advance_time(1)
        assert len(sent_to(host, "Its channel was deleted")) == 1


async def test_players_who_all_refuse_direct_messages_are_tried_only_once(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await running(hall)
        for person in hall.people:
            refuse_dms(hall, person, 50278, None)
        channel = await hall.room()
        await channel.delete()
        before = tried(hall)
        await hall.env.advance_time(7200)
        assert [now - then for now, then in zip(tried(hall), before, strict=True)] == [1, 1, 1, 1]


async def test_closed_direct_messages_are_tried_only_once(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        closed = hall.people[1]
        await running(hall)
        await allow(hall, send_messages=False, manage_roles=True)
        refuse_dms(hall, closed, 50007, None)
        before = tried(hall)[1]
        await hall.advance(lambda game: game.revision > 60)
        await hall.env.advance_time(STILL_FOR + 7200)
        await allow(hall, send_messages=True)
        for _ in range(8):
            await a_turn(hall)
            await hall.env.advance_time(1200)
        assert tried(hall)[1] - before == 1
        assert (await hall.services.people.settings(closed.id)).dms_closed


async def test_an_empty_thread_without_a_table_is_deleted_after_a_restart(open_hall: Opened) -> None:
    """The bot died before it opened the table. Threads stay if they have a game or if someone has written in them."""
    async with open_hall() as hall:
        place = await hall.room()
        await hall.people[0].slash(hall.channel, "game new", thread=True)
        [game] = hall.channel.threads
        empty, used = [
            await place.create_thread(name=f"The island game of {name}", type=discord.ChannelType.public_thread)
            for name in ("ann", "bob")
        ]
        await hall.restart()
        await hall.env.advance_time(30)
        assert len(hall.channel.threads) == 3, "a table may be about to be opened"
        await used.send("What shall we do here?")
        await hall.env.advance_time(40)
        assert {thread.id for thread in hall.channel.threads} == {game.id, used.id}
        assert empty.id not in (game.id, used.id)


@pytest.mark.parametrize("stored", [False, True])
async def test_a_thread_is_deleted_if_the_store_could_not_open_its_table(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """A table that was stored although the store reported an error keeps its thread."""
    async with open_hall() as hall:
        plain = LobbyService._open

        async def fails(self: LobbyService, *values: Any) -> Any:
            if stored:
                await plain(self, *values)
            raise Unavailable("the database is away")

        with monkeypatch.context() as away:
            away.setattr(LobbyService, "_open", fails)
            assert "try again" in answer(await hall.people[0].slash(hall.channel, "game new", thread=True))
        assert len(hall.channel.threads) == 1
        await hall.env.advance_time(70)
        assert len(hall.channel.threads) == int(stored)


async def test_a_table_whose_channel_is_gone_is_closed_and_left_alone(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        channel = await hall.room()
        await channel.delete()
        await hall.env.advance_time(2)
        assert (await hall.table()).status == CANCELLED
        await hall.env.advance_time(7200)
        before = len(hall.env.http_requests)
        for _ in range(6):
            await hall.env.advance_time(3600)
        assert not [r.path for r in hall.env.http_requests[before:] if str(channel.id) in r.path]
        assert not hall.bot.app.publisher.working(1)

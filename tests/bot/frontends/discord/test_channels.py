"""Channels that are closed to the bot, deleted, archived: the game is kept, and somebody is told what to do."""

from __future__ import annotations

from typing import Any

import discord

from bot.models import PANEL
from tests.bot.frontends.discord.conftest import Opened
from tests.bot.frontends.discord.hall import Hall, answer, labels, text
from tests.bot.frontends.discord.moments import at


def sent_to(person: Any, words: str) -> list[Any]:
    channel = person.user.dm_channel
    return [] if channel is None else [message for message in channel.history() if words in text(message)]


async def running(hall: Hall) -> Any:
    """A game that waits for somebody to roll; them."""
    await hall.begin()
    game = await hall.advance(at("pre_roll"))
    return await hall.person(game.to_act[0])


async def test_a_deleted_channel_is_told_to_the_host_and_the_game_goes_on_elsewhere(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person = await running(hall)
        host, other = hall.people[:2]
        place = hall.guild.create_text_channel("elsewhere")
        channel = hall.bot.get_channel(hall.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.delete()
        await hall.env.advance_time(1)
        assert len(sent_to(host, "Its channel is no more")) == 1
        hall.channel = place
        assert "goes on here" in answer(await other.slash(place, "game move", game=1))
        assert not sent_to(host, "Its channel is no more")
        marks = await hall.services.projections.visible(1)
        panel = hall.message(marks[PANEL].message)
        assert "Roll" in labels(panel)
        await person.click(panel, label="Roll")


async def test_only_the_host_takes_a_game_elsewhere_that_can_be_shown(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await running(hall)
        host, other = hall.people[:2]
        old, place = await hall.panel(), hall.guild.create_text_channel("elsewhere")
        assert "Only the host" in answer(await other.slash(place, "game move", game=1))
        assert "here already" in answer(await host.slash(hall.channel, "game move", game=1))
        assert "no game 77" in answer(await host.slash(place, "game move", game=77))
        await host.slash(place, "game move", game=1)
        assert labels(hall.message(old.id)) == []
        assert f"<#{place.id}>" in text(hall.message(old.id))
        hall.channel = place
        assert "Roll" in labels(await hall.panel())


async def test_a_busy_channel_takes_no_second_game(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await running(hall)
        place = hall.guild.create_text_channel("elsewhere")
        await hall.people[3].slash(place, "game new")
        assert "another channel" in answer(await hall.people[0].slash(place, "game move", game=1))


async def test_a_game_gets_a_thread_of_its_own_which_is_kept_open(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann = hall.people[0]
        told = answer(await ann.slash(hall.channel, "game new", thread=True))
        [thread] = hall.bot.get_channel(hall.channel.id).threads  # type: ignore[union-attr]
        assert thread.mention in told
        table = await hall.services.repository.in_channel(thread.id)
        assert table is not None
        assert thread.auto_archive_duration == 7 * 24 * 60
        await thread.edit(archived=True)
        await hall.env.advance_time(1)
        found = hall.bot.get_channel(thread.id)
        assert isinstance(found, discord.Thread)
        assert not found.archived

"""The list of a server's games: a server manager posts it, it is edited at most once a minute, players join from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.servers import Overview
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, labels, manager, reply, text


async def listing(hall: Hall, board: Any) -> tuple[discord.Message, Overview]:
    """The message with the list in a channel, and what is stored about it."""
    overview = await hall.services.servers.overview(hall.guild.id)
    assert overview is not None
    assert overview.channel == board.id
    return next(message for message in board.history() if message.id == overview.message), overview


async def test_a_servers_games_are_listed_and_can_be_joined_from_the_list(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cem = hall.people
        await manager(hall)
        board = hall.guild.create_text_channel("board")
        page = reply(await ann.slash(board, "server"))
        page = reply(await ann.click(page, label="List all games in this channel"))
        assert f"List of all games: in <#{board.id}>" in text(page)
        assert "No open tables" in text((await listing(hall, board))[0])
        await hall.lobby([bob])
        await hall.env.advance_time(59)
        assert "No open tables" in text((await listing(hall, board))[0]), "edited before a minute was over"
        await hall.env.advance_time(2)
        message, _ = await listing(hall, board)
        assert f"Table 1](https://discord.com/channels/{hall.guild.id}/{hall.channel.id})** " in text(message)
        assert "Bob · " in text(message)
        assert "**3 free seats**" in text(message)
        assert "You're" in answer(await cem.click(message, label="Join"))
        assert {member.user for member in (await hall.table()).members} == {bob.id, cem.id}
        await bob.click(await hall.panel(), label="Start")
        await hall.env.advance_time(61)
        message, overview = await listing(hall, board)
        awaited = (await hall.viewer(bob)).names[(await hall.game()).to_act[0]]
        assert f"waiting for **{awaited}**, <t:" in text(message)
        assert labels(message) == []
        await hall.env.advance_time(180)
        assert (await listing(hall, board))[1] == overview, "edited although nothing has changed"


async def test_a_server_has_one_list_which_survives_restarts_and_is_dropped_if_lost(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await manager(hall)
        board, servers, guild = hall.guild.create_text_channel("board"), hall.services.servers, hall.guild.id
        page = reply(await ann.slash(board, "server"))
        await ann.click(page, label="List all games in this channel")
        await hall.lobby([bob])
        await hall.restart()  # before the table is listed
        await hall.env.advance_time(61)
        servers = hall.services.servers
        listed, overview = await listing(hall, board)
        assert "Table 1" in text(listed)

        await servers.set_overview(guild, overview, elsewhere := replace(overview, message=overview.message + 10**9))
        assert "out of date" in answer(await ann.click(listed, label="Join"))
        assert labels(next(m for m in board.history() if m.id == listed.id)) == []
        await ann.click(await hall.panel(), label="Join")
        await hall.env.advance_time(61)
        assert await servers.overview(guild) is None, f"{elsewhere} is no more"

        page = reply(await ann.slash(hall.channel, "server"))
        page = reply(await ann.click(page, label="List all games in this channel"))
        first, _ = await listing(hall, hall.channel)
        page = reply(await ann.slash(board, "server"))
        page = reply(await ann.click(page, label="List all games in this channel"))
        await listing(hall, board)
        assert first.id not in [message.id for message in hall.channel.history()], "there is one list"
        page = reply(await ann.click(page, label="Remove the list"))
        assert "List of all games: **none**" in text(page)
        assert await servers.overview(guild) is None

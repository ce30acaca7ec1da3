"""The list of a server's games: a server manager posts it, it is edited at most once a minute, players join from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.discord.show.servers import LIST_SOON
from bot.servers import Overview
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, fill, labels, manager, reply, text


async def listing(hall: Hall, board: Any) -> tuple[discord.Message, Overview]:
    """The message with the list in a channel, and what is stored about it."""
    overview = await hall.services.servers.overview(hall.guild.id)
    assert overview is not None
    assert overview.channel == board.id
    return next(message for message in board.history() if message.id == overview.message), overview


def lose_answers(monkeypatch: pytest.MonkeyPatch, board: Any, times: int) -> list[str]:
    """Have Discord take posts in a channel, but lose its answers to the first ones. Returns the nonces as they come."""
    send, nonces = discord.PartialMessageable.send, list[str]()

    async def sent(where: discord.PartialMessageable, **fields: Any) -> discord.Message:
        message = await send(where, **fields)
        if where.id == board.id:
            nonces.append(fields.get("nonce", ""))
            if len(nonces) <= times:
                raise TimeoutError("no answer")
        return message

    monkeypatch.setattr(discord.PartialMessageable, "send", sent)
    return nonces


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


async def test_the_list_of_a_community_is_in_its_language(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless its new tables begin in another one, from when that is chosen."""
    asked = discord.http.HTTPClient.get_guild

    async def french(self: Any, *values: Any, **named: Any) -> Any:
        return {**await asked(self, *values, **named), "features": ["COMMUNITY"], "preferred_locale": "fr"}

    monkeypatch.setattr(discord.http.HTTPClient, "get_guild", french)
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await manager(hall)
        board = hall.guild.create_text_channel("board")
        await ann.click(reply(await ann.slash(board, "server")), label="List all games in this channel")
        assert "Parties sur ce serveur" in text((await listing(hall, board))[0])
        await hall.env.advance_time(60)  # the new channel has been looked at
        page = reply(await ann.click(reply(await ann.slash(board, "server")), label="New tables begin with…"))
        await fill(ann, page, "Table and pictures", language="pl")
        await hall.env.advance_time(LIST_SOON + 1)
        assert "Gry na tym serwerze" in text((await listing(hall, board))[0])


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


@pytest.mark.parametrize(("code", "removed"), [(50001, False), (50013, False), (50083, False), (50001, True)])
async def test_a_list_is_kept_while_it_cant_be_edited_unless_the_server_has_removed_the_bot(
    open_hall: Opened, code: int, removed: bool
) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await manager(hall)
        board = hall.guild.create_text_channel("board")
        await ann.click(reply(await ann.slash(board, "server")), label="List all games in this channel")
        await hall.lobby([bob])
        await hall.restart()  # so that simcord controls the bot's own timers
        await hall.env.advance_time(61)
        await ann.click(await hall.panel(), label="Join")
        where = f"/channels/{board.id}/messages/*"
        hall.env.inject_error("PATCH", where, status=403, code=code, message="not now", times=2)
        for gone in ("/guilds/*", "/channels/*") * removed:
            hall.env.inject_error("GET", gone, status=403, code=code, message="no", times=None)
        await hall.env.advance_time(61)
        assert (await hall.services.servers.overview(hall.guild.id) is None) == removed
        if not removed:
            await hall.env.advance_time(1260)
            assert "Ann" in text((await listing(hall, board))[0])


async def test_a_list_that_was_posted_but_not_noted_is_deleted(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes no more edits of the list, and two answers to posts of another one are lost."""
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await manager(hall)
        board = hall.guild.create_text_channel("board")
        page = reply(await ann.slash(board, "server"))
        await ann.click(page, label="List all games in this channel")
        first, _ = await listing(hall, board)
        path = f"/channels/{board.id}/messages/*"
        hall.env.inject_error("PATCH", path, status=400, code=30046, message="too old", times=None)
        nonces = lose_answers(monkeypatch, board, times=2)
        await hall.lobby([bob])
        await hall.env.advance_time(61)
        assert len(nonces) == 1
        await hall.restart()  # what is in doubt is stored
        await hall.env.advance_time(180)
        assert len(set(nonces)) == 3
        shown, overview = await listing(hall, board)
        assert labels(shown) == ["Join"]
        assert not overview.perhaps_in
        lists = [message.id for message in board.history() if "Games on this server" in text(message)]
        assert lists == [shown.id] != [first.id]
        requests = len(hall.env.http_requests)
        await hall.env.advance_time(900)
        assert not [r for r in hall.env.http_requests[requests:] if r.path.startswith(f"/channels/{board.id}")]


async def test_a_list_is_begun_once_in_whatever_channels_that_is_tried(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone presses the button again after an error, in the same channel and in another one."""
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await manager(hall)
        board, other = (hall.guild.create_text_channel(name) for name in ("board", "other"))

        def lists() -> list[tuple[int, int]]:
            posted = [(where.id, message) for where in (board, other) for message in where.history()]
            return [(where, message.id) for where, message in posted if "Games on this server" in text(message)]

        lose_answers(monkeypatch, board, times=3)
        for _ in range(2):
            page = reply(await ann.slash(board, "server"))
            await ann.click(page, label="List all games in this channel")
            assert len(lists()) == 1
        page = reply(await ann.slash(other, "server"))
        await ann.click(page, label="List all games in this channel")
        shown, _ = await listing(hall, other)
        assert lists() == [(other.id, shown.id)]

        page = reply(await ann.slash(board, "server"))
        await ann.click(page, label="List all games in this channel")
        assert len(lists()) == 2, "the earlier one, and one whose answer was lost"
        hall.env.inject_error(
            "POST", f"/channels/{board.id}/messages", status=403, code=50001, message="Missing Access"
        )
        await hall.env.advance_time(61)
        assert lists() == [(other.id, shown.id)], "it stays where it was"
        assert labels(reply(await ann.slash(other, "server"))).count("Remove the list") == 1


async def test_removing_a_list_removes_what_was_perhaps_posted(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await manager(hall)
        board = hall.guild.create_text_channel("board")
        lose_answers(monkeypatch, board, times=1)
        page = reply(await ann.slash(board, "server"))
        await ann.click(page, label="List all games in this channel")
        assert "Games on this server" in str([text(message) for message in board.history()])
        page = reply(await ann.slash(board, "server"))
        await ann.click(page, label="Remove the list")
        assert "Games on this server" not in str([text(message) for message in board.history()])
        assert await hall.services.servers.overview(hall.guild.id) is None

"""`/server`: what server managers set, and what follows for the others."""

from __future__ import annotations

import pytest
from simcord.actors import _component_interaction

from bot.table.table import LOBBY
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, labels, manager, parts, reply, select_with, text
from tests.bot.discord.tongues import read_locales


async def test_server_managers_decide_which_users_can_open_tables_and_whether_bots_can_play(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, _cem = hall.people
        await manager(hall)
        page = reply(await ann.slash(hall.channel, "server"))
        assert "Who can open tables: **everyone**" in text(page)
        page = reply(await ann.select(page, ["managers"], custom_id=select_with(page, "managers")))
        assert "Who can open tables: **server managers**" in text(page)
        assert "Only people who manage this server can open tables here" in answer(
            await bob.slash(hall.channel, "game new")
        )
        page = reply(await ann.select(page, ["everybody"], custom_id=select_with(page, "everybody")))
        page = reply(await ann.click(page, label="Bots allowed: on"))
        await bob.slash(hall.channel, "game new")
        assert (await hall.table()).status == LOBBY
        assert "Add a bot" not in labels(await hall.panel())
        assert "Bots aren't allowed on this server" in answer(
            await bob.slash(hall.channel, "game bot add", level="easy")
        )
        page = reply(await ann.click(page, label="Bots allowed: off"))
        assert "Add a bot" in labels(await hall.panel())
        page = reply(await ann.click(page, label="Bots allowed: on"))
        assert "Add a bot" not in labels(await hall.panel())
        other = hall.guild.create_text_channel("other")
        assert "You just opened a table" in answer(await bob.slash(other, "game new"))
        await hall.env.advance_time(60)
        assert "Bots aren't allowed" in answer(await bob.slash(other, "game learn"))
        await bob.slash(other, "game new")
        assert await hall.services.repository.latest_in(other.id, LOBBY)


async def test_a_user_who_no_longer_manages_the_server_is_refused(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await manager(hall)
        page = reply(await ann.slash(hall.channel, "server"))
        role = hall.env.backend.guilds[hall.guild.id].members[ann.id].role_ids
        role.pop()
        refused = answer(await ann.select(page, ["5"], custom_id=select_with(page, "5", "most")))
        assert "Only people who manage this server" in refused
        assert (await hall.services.servers.settings(hall.guild.id)).most == 0


async def test_a_forums_tags_are_in_the_language_of_what_all_read(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await manager(hall)
        read_locales(monkeypatch, {ann.id: "pl"}, community="fr")
        page = reply(await ann.slash(hall.channel, "server"))
        [chooses] = [c["custom_id"] for c in parts(page, 8) if c["custom_id"].split(":")[1] == "forum"]
        forum = hall.guild.create_forum_channel("games")
        stored = hall.env.backend.messages[hall.channel.id][page.id]
        data = {"component_type": 8, "custom_id": chooses, "values": [str(forum.id)]}
        await _component_interaction(ann, stored, data)
        [edit] = [request for request in hall.env.http_requests if request.method == "PATCH"]
        assert "Finie" in str(edit.json)
        assert "Koniec" not in str(edit.json)


async def test_only_a_forum_of_the_server_that_the_bot_sees_can_be_chosen(open_hall: Opened) -> None:
    """A forged choice would otherwise change the tags of another server's forum."""
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await manager(hall)
        page = reply(await ann.slash(hall.channel, "server"))
        [chooses] = [c["custom_id"] for c in parts(page, 8) if c["custom_id"].split(":")[1] == "forum"]
        foreign = hall.env.create_guild("Away").create_forum_channel("games")
        for forum in (foreign.id, hall.channel.id, 404):
            stored = hall.env.backend.messages[hall.channel.id][page.id]
            data = {"component_type": 8, "custom_id": chooses, "values": [str(forum)]}
            assert "View Channel" in answer(await _component_interaction(ann, stored, data))
            assert (await hall.services.servers.settings(hall.guild.id)).forum == 0
        assert not [request for request in hall.env.http_requests if request.method == "PATCH"]

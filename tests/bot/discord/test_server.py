"""`/server`: what server managers set, and what follows for the others."""

from __future__ import annotations

from bot.table.table import LOBBY
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, labels, manager, reply, select_with, text


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
        other = hall.guild.create_text_channel("other")
        assert "You just opened a table" in answer(await bob.slash(other, "game new"))
        await hall.env.advance_time(60)
        assert "Bots aren't allowed" in answer(await bob.slash(other, "game learn"))
        await bob.slash(other, "game new")
        assert len(await hall.services.repository.games_in(other.id, LOBBY)) == 1


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

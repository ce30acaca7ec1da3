"""What Discord says about games on the web: who can choose what, and the links to their pages."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.discord.show.readers import is_open_to_all
from bot.service.web import Site
from bot.store import Unavailable
from bot.table.acts.play import Play
from bot.table.options import HIDDEN, LIVE, ONCE_OVER
from engine.actions import Resign
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import BUTTON, Hall, manager, parts, reply, text

ADDRESS = "https://games.example.org"
PAGE = f"{ADDRESS}/games/1"


def links(message: discord.Message) -> dict[str, str]:
    """The addresses of a message's link buttons, by label."""
    return {button["label"]: button["url"] for button in parts(message, BUTTON) if "url" in button}


async def chosen(hall: Hall, server: str, **options: Any) -> None:
    """A running game, with what its server has chosen."""
    hall.services.web.site = Site(True, ADDRESS)
    await hall.services.servers.change(hall.guild.id, web=server)
    await hall.begin(**options)


async def resign(hall: Hall) -> None:
    """End the game, and have everything shown."""
    with hall.env._bot_scope():
        await hall.services.games.act(1, hall.people[0].id, Play(Resign()), "gone")
    await hall.env.advance_time(30)


async def replay(hall: Hall) -> discord.Message:
    """What comes of pressing *Replay* below the story."""
    person = hall.people[1]
    log = reply(await person.slash(hall.channel, "game log"))
    found: discord.Message = reply(await person.click(log, label="Replay"))
    return found


async def test_a_running_game_that_can_be_seen_is_linked(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await chosen(hall, LIVE, web=LIVE)
        for command in ("board", "game options"):
            assert links(reply(await hall.people[1].slash(hall.channel, command)))["Watch in the browser"] == PAGE
        await hall.options(web=ONCE_OVER)
        for command in ("board", "game options"):
            message = reply(await hall.people[1].slash(hall.channel, command))
            assert "Watch in the browser" not in links(message)
        assert "**On the web:** when the game is over" in text(message)


async def test_a_finished_game_is_linked_beside_its_page(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await chosen(hall, ONCE_OVER)
        await resign(hall)
        [posted] = [message for message in hall.channel.history() if "the replay" in text(message)]
        for message in (posted, await replay(hall)):
            assert links(message) == {"Open in the browser": PAGE}


async def test_where_the_server_shows_nothing_there_is_nothing_to_choose_and_no_link(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await chosen(hall, HIDDEN)
        assert "On the web" not in text(reply(await hall.people[0].slash(hall.channel, "game options")))
        await resign(hall)
        assert links(await replay(hall)) == {}


async def test_without_pages_no_one_reads_of_them(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        await manager(hall)
        for command in ("server", "game options"):
            said = text(reply(await hall.people[0].slash(hall.channel, command)))
            assert "web" not in said.casefold()


async def test_only_what_discord_says_makes_a_channel_private(open_hall: Opened) -> None:
    """Where it says nothing, a game isn't gone."""
    async with open_hall(2) as hall:
        where = hall.bot, hall.guild.id, hall.channel.id
        assert await is_open_to_all(*where)
        hall.env.inject_error("*", "*", status=500, times=None)
        with pytest.raises(Unavailable):
            await is_open_to_all(*where)
        hall.env.backend.faults.clear()
        hall.env.inject_error("*", "*", status=403, times=None)
        assert not await is_open_to_all(*where)
        assert not await is_open_to_all(hall.bot, None, hall.channel.id)

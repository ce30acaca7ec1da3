"""Games on the web, served by the real process: chosen in Discord, followed, across a restart and a stop."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import aiohttp

from bot.table.options import LIVE
from tests.bot.web.visitor import Answer, Stream
from tests.wire.messages import walk
from tests.wire.model import Permission
from tests.wire.party import Party, party
from tests.wire.process import free_port

ADDRESS = "https://games.example.org"
SOON = 3.0
"""Seconds that a stop takes at most while someone follows a game."""


async def shown_while_it_runs(table: Party) -> None:
    """Begin a game that all can see, as server and host want it."""
    owner = table.people[0]
    page = (await owner.slash(table.channel, "server")).messages[0]
    chosen = await owner.select(page, [LIVE], custom_id="Games on the web")
    assert "Games on the web: **also while they run**" in chosen.text
    await table.begin(web=LIVE)
    options = await owner.slash(table.channel, "game options")
    assert "**On the web:** also while the game runs" in options.text
    board = await table.people[1].slash(table.channel, "board")
    for it in (options, board):
        assert f"{ADDRESS}/games/1" in [part.get("url") for m in it.messages for part in walk(m.components)]


async def asked(session: aiohttp.ClientSession, path: str = "/games/1") -> Answer:
    """What comes for a request, as soon as the process serves games."""
    while True:
        async with session.get(path) as response:
            if response.status != 503:
                return Answer(response.status, dict(response.headers), await response.read())
        await asyncio.sleep(0.05)


async def test_a_game_is_followed_across_a_restart_and_until_the_stop(tmp_path: Path) -> None:
    port = free_port()
    env = {"HARBORMASTER_PAGES": str(port), "HARBORMASTER_PAGES_ADDRESS": ADDRESS}
    async with (
        party(tmp_path, people=3, env=env, messages=False) as table,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session,
    ):
        await shown_while_it_runs(table)
        page = await asked(session)
        assert page.status == 200
        async with session.get(f"/games/1/events?from={page.mark}") as response:
            await table.step()
            news = await Stream(response).next()
            assert news is not None
            assert (news.kind, len(news.data["moments"])) == ("more", 1)

        await table.bot.restart()
        assert (await asked(session)).mark == news.mark
        async with session.get("/games/1/events", headers={"Last-Event-ID": page.mark}) as response:
            again = await Stream(response).next()
            assert again == news

        async with session.get(f"/games/1/events?from={news.mark}") as response:
            began = time.perf_counter()
            assert await table.bot.stop() == 0
            assert time.perf_counter() - began < SOON
            assert await Stream(response).next() is None
        log = table.bot.log.read_text()
        assert not any(word in log for word in ("Traceback", "ERROR", "never retrieved")), log


async def test_a_game_in_a_private_channel_is_not_on_the_web(tmp_path: Path) -> None:
    port = free_port()
    env = {"HARBORMASTER_PAGES": str(port), "HARBORMASTER_PAGES_ADDRESS": ADDRESS}
    async with (
        party(tmp_path, people=3, env=env, messages=False) as table,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session,
    ):
        staff, home = table.wire.staff, table.wire.world.home
        staff.allow(table.channel, home.of_bot, Permission.VIEW_CHANNEL)
        staff.deny(table.channel, home.everyone, Permission.VIEW_CHANNEL)
        for person in table.people:
            staff.allow(table.channel, person.human, Permission.VIEW_CHANNEL)
        owner = table.people[0]
        page = (await owner.slash(table.channel, "server")).messages[0]
        await owner.select(page, [LIVE], custom_id="Games on the web")
        await table.begin(web=LIVE)
        board = await owner.slash(table.channel, "board")
        assert not [part for m in board.messages for part in walk(m.components) if ADDRESS in part.get("url", "")]
        assert (await asked(session)).status == 404

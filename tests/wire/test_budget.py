"""What an action costs of Discord's limit: a whole game, tokens that expire, a share of the limit, a proxy."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

import render
from bench.requests import GOAL, PACES, JumpingLoop, is_exempt, measure
from engine.actions import EndTurn, Roll
from tests.bot.discord.doing import by_commands, by_components
from tests.wire import users
from tests.wire.calls import Request
from tests.wire.openings import begun, main_step, on_turn, roll_step
from tests.wire.party import BOT, Party, party
from tests.wire.process import BotProcess
from tests.wire.server import WireServer


def counted(table: Party) -> list[Request]:
    """Requests that count against the limit of the whole bot."""
    return [request for request in table.wire.requests if not is_exempt(request)]


@pytest.mark.soak
def test_an_action_costs_at_most_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole game of four, with all that is gathered on the way. `python -m bench.requests` shows what for."""
    pictures: dict[str, bytes] = {}

    def once(name: str, draw: Callable[..., bytes]) -> Callable[..., bytes]:
        def drawn(*of: object, **details: object) -> bytes:
            if name not in pictures:
                pictures[name] = draw(*of, **details)
            return pictures[name]

        return drawn

    monkeypatch.setattr(render, "board", once("board", render.board))
    monkeypatch.setattr(render, "hand", once("hand", render.hand))
    monkeypatch.setattr(users, "TYPING", 0.01)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        [account] = runner.run(measure(PACES["at one sitting"], 1))
    assert account.actions["roll"] > 20
    assert account.cost <= GOAL, account.total(account.counted)


# --- tokens


async def test_a_clicks_token_is_used_to_edit_its_panel_until_the_panel_closes(tmp_path: Path) -> None:
    """Also for what is done by commands, and when the panel is put away."""
    async with party(tmp_path, 5, position=await roll_step(tmp_path)) as table:
        person, panel = await on_turn(table), await table.panel()
        await by_components(table, person, Roll())
        await table.settled()
        while (await table.game()).view(None).step.kind != "main":
            await table.step()
        table.wire.requests.clear()
        await by_commands(table, await on_turn(table), EndTurn())
        await table.settled()
        await table.panel_current()
        assert not panel.interactive
        assert table.wire.calls(f"PATCH /channels/{table.channel.id}/") == []


async def test_an_expired_token_is_replaced_by_a_direct_edit(tmp_path: Path) -> None:
    """The bot then edits directly, and doesn't try this token again."""
    async with party(tmp_path, 5, position=await roll_step(tmp_path)) as table:
        person, panel = await on_turn(table), await table.panel()
        rolled = await by_components(table, person, Roll())
        await table.settled()
        while (await table.game()).view(None).step.kind != "main":
            await table.step()
        for it in table.wire.world.interactions.values():
            it.expired = True
        asked = len(rolled.requests)
        await by_commands(table, await on_turn(table), EndTurn())
        await table.settled()
        await table.panel_current()
        assert not panel.interactive
        assert len(table.wire.calls(f"PATCH /channels/{table.channel.id}/messages/{panel.id}")) == 1
        assert len(rolled.requests) <= asked + 1


# --- a share of the limit


async def test_requests_stay_within_the_configured_share_of_the_limit(tmp_path: Path) -> None:
    """Never more than this in a second. Requests with a limit of their own don't wait."""
    async with party(tmp_path, 5, position=await begun(tmp_path), env={"HARBORMASTER_REQUESTS": "2"}) as table:
        table.wire.requests.clear()
        for _ in range(4):
            await table.step()
        times = [request.at for request in counted(table)]
        assert len(times) > 6
        for first, fifth in zip(times, times[4:], strict=False):  # two seconds, less half a second for the way
            assert fifth - first > 1.5, times
        answers = [request for request in table.wire.requests if is_exempt(request)]
        assert any(b.at - a.at < 0.4 for a, b in itertools.pairwise(answers))
        await table.panel_current()


@asynccontextmanager
async def proxy(wire: WireServer, seen: list[str]) -> AsyncIterator[str]:
    """A proxy as hosts use it. It forwards requests on Discord's own paths, and its answers have no limits."""

    async def hand_on(request: web.Request) -> web.Response:
        seen.append(f"{request.method} {request.path}")
        headers = {k: v for k, v in request.headers.items() if k in ("Authorization", "Content-Type")}
        body = await request.read()
        url = wire.world.base + request.path_qs
        async with session.request(request.method, url, headers=headers, data=body or None) as answer:
            kept = {k: v for k, v in answer.headers.items() if k == "Content-Type"}
            return web.Response(status=answer.status, body=await answer.read(), headers=kept)

    app = web.Application(client_max_size=2**26)
    app.router.add_route("*", "/{rest:.*}", hand_on)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    async with aiohttp.ClientSession() as session:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
        finally:
            await runner.cleanup()


async def test_all_requests_go_through_the_proxy_and_only_it_enforces_the_limit(tmp_path: Path) -> None:
    seen: list[str] = []
    database = tmp_path / "game.db"
    world = (await main_step(tmp_path)).laid_out(database)
    async with WireServer(world=world) as wire, proxy(wire, seen) as address:
        env = {"HARBORMASTER_PROXY": address, "HARBORMASTER_REQUESTS": "1"}
        async with BotProcess(wire, BOT, database, env) as bot:
            await bot.start()
            alice = wire.users[0]
            began = asyncio.get_running_loop().time()
            rooms = [wire.world.table, wire.world.tavern, wire.world.dock]
            await asyncio.gather(*(alice.slash("board", channel=room) for room in rooms))
            await asyncio.gather(*(alice.slash("game new", channel=room) for room in rooms[1:]))
            await wire.until(lambda: len([m for m in wire.messages(wire.world.dock) if m.interactive]) == 1)
            await wire.settled(0.2)
            took = asyncio.get_running_loop().time() - began
            sent = [r for r in wire.requests if not is_exempt(r)]
            assert len(sent) > took + 2, (took, sent)
            assert sorted(f"{r.method} /api/v10{r.path}" for r in wire.requests) == sorted(seen)
            assert wire.unserved == []
            assert sorted(set(wire.undescribed)) == []

"""The HTTP port of the real process, and processes that end themselves: a stuck loop, a silent gateway, a full disk."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from bot.process import UNCLEAN_EXIT
from tests.wire.party import BOT, Party, party
from tests.wire.process import BotProcess, free_port
from tests.wire.server import WireServer
from tests.wire.trouble import full_disk, needs_limits

HASTY = """
import signal, sys, time
from bot.cli import main
from bot.discord import app
from bot.monitoring import health as monitoring
monitoring.LATE_BEATS, monitoring.STUCK_BEATS = 2, 5
app.UNREADY_AFTER, app.GIVE_UP_AFTER = 5.0, 10.0
monitoring.WRITE_AFTER, monitoring.UNWRITABLE_FOR = 1.0, 10.0
signal.signal(signal.SIGUSR2, lambda *_: time.sleep(60))
sys.exit(main())
"""
"""The bot with little patience. SIGUSR2 makes its event loop hang."""
SOON = 30.0


class Port:
    """The HTTP port of a bot."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session

    async def get(self, path: str) -> tuple[int, str]:
        """Status and text, or (0, "") if nothing answers."""
        try:
            async with self._session.get(path) as answer:
                return answer.status, await answer.text()
        except aiohttp.ClientConnectionError:
            return 0, ""

    async def until(self, path: str, status: int, within: float = SOON) -> str:
        """Ask until this status comes. Returns the text."""
        end = time.perf_counter() + within
        while (answer := await self.get(path))[0] != status:
            assert time.perf_counter() < end, f"{path} doesn't answer {status}: {answer}"
            await asyncio.sleep(0.1)
        return answer[1]


@contextlib.asynccontextmanager
async def port_of(number: int) -> AsyncIterator[Port]:
    timeout = aiohttp.ClientTimeout(total=5.0)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{number}", timeout=timeout) as session:
        yield Port(session)


@contextlib.asynccontextmanager
async def watched(folder: Path, argv: list[str]) -> AsyncIterator[tuple[Party, Port]]:
    number = free_port()
    env = {"HARBORMASTER_HTTP": str(number), "HARBORMASTER_LOG_FORMAT": "json"}
    async with party(folder, argv=argv, env=env) as table, port_of(number) as port:
        yield table, port


@contextlib.asynccontextmanager
async def hasty(folder: Path) -> AsyncIterator[tuple[WireServer, BotProcess, Port]]:
    number = free_port()
    env = {"HARBORMASTER_HTTP": str(number)}
    argv = [sys.executable, "-c", HASTY, "run"]
    async with (
        WireServer() as wire,
        BotProcess(wire, argv, folder / "games.db", env) as bot,
        port_of(number) as port,
    ):
        wire.gateway.heartbeat = 2.0
        await bot.start()
        yield wire, bot, port


async def test_health_readiness_and_metrics_are_served_during_a_game(tmp_path: Path) -> None:
    async with watched(tmp_path, BOT) as (table, port):
        assert await port.until("/healthz", 200) == "loop: ok\n"
        ready = await port.until("/readyz", 200)
        assert ready == "loop: ok\ngateway: ok\nrequests: ok\nstore: ok\nprojections: ok\njobs: ok\n"
        await table.begin()
        for _ in range(4):
            await table.step()
        status, text = await port.get("/metrics")
        assert status == 200
        assert "harbormaster_actions_total 4.0" in text
        for line in (
            r'harbormaster_acknowledgement_seconds_count\{kind="action"\} \d\d',
            r'harbormaster_showing_seconds_count\{kind="table"\} \d',
            r'harbormaster_drawing_seconds_count\{kind="board"\} \d',
            r'harbormaster_game_cache_lookups_total\{result="hit"\} \d',
            r'harbormaster_board_cache_lookups_total\{result="hit"\} \d',
            r'harbormaster_discord_requests_total\{answer="2xx",kind="POST interactions/callback"\} \d\d',
            r'harbormaster_discord_requests_total\{answer="2xx",kind="POST channels/messages"\} \d',
            r'harbormaster_discord_requests_total\{answer="1xx",kind="gateway"\} 1.0',
        ):
            assert re.search(f"^{line}", text, re.MULTILINE), f"{line}\n{text}"
        labels = " ".join(re.findall(r"^harbormaster_\w+\{(.*)\}", text, re.MULTILINE))
        assert not re.search(r"\d{5}", labels.replace("le=", "")), "no label carries an id"
        for secret in (table.wire.token, *(person.human.name for person in table.people)):
            assert secret not in text
        assert await table.bot.stop() == 0
        lines = [json.loads(line) for line in table.bot.log.read_text().splitlines()]
        assert {"time", "level", "logger", "message"} <= set(lines[0])


async def test_a_stuck_event_loop_is_reported_and_ends_the_process(tmp_path: Path) -> None:
    async with hasty(tmp_path) as (_, bot, port):
        await port.until("/readyz", 200)
        bot.signal(signal.SIGUSR2)
        assert "the event loop has been stuck for" in await port.until("/readyz", 503)
        assert "the event loop has been stuck for" in (await port.get("/healthz"))[1]
        assert await bot.ended(SOON) == UNCLEAN_EXIT
        assert "The event loop has been stuck for 5 s; it ends as it is" in bot.tail(1000)


@pytest.mark.soak
async def test_a_gateway_with_only_heartbeats_is_healthy_and_a_silent_one_ends_the_process(tmp_path: Path) -> None:
    async with hasty(tmp_path) as (wire, bot, port):
        await port.until("/readyz", 200)
        await asyncio.sleep(12.0)
        assert (await port.get("/readyz"))[0] == 200
        wire.gateway.deaf = True
        assert "gateway: nothing has come from Discord's gateway for 5 s" in await port.until("/readyz", 503)
        assert await bot.ended(SOON) == UNCLEAN_EXIT
        log = bot.tail(1000)
        assert "Not ready (gateway): nothing has come" in log
        assert "so that its supervisor starts it again (gateway): nothing has come" in log
        assert "Traceback" not in log


@pytest.mark.soak
async def test_without_a_gateway_harbormaster_is_alive_but_not_ready(tmp_path: Path) -> None:
    async with watched(tmp_path, BOT) as (table, port):
        await port.until("/readyz", 200)
        table.wire.gateway.open = False
        await table.wire.gateway.drop()
        assert "gateway: not connected" in await port.until("/readyz", 503)
        assert (await port.get("/healthz"))[0] == 200
        table.wire.gateway.open = True
        await port.until("/readyz", 200)
        await table.bot.says(r"Ready again \(gateway\)")
        assert await table.bot.stop() == 0


@pytest.mark.soak
@needs_limits
async def test_a_store_that_cant_be_written_ends_the_process(tmp_path: Path) -> None:
    async with hasty(tmp_path) as (_, bot, port):
        await port.until("/readyz", 200)
        with full_disk(bot):
            assert "store: the store can't be written" in await port.until("/readyz", 503)
            assert await bot.ended(SOON) == UNCLEAN_EXIT
        assert "so that its supervisor starts it again (store)" in bot.tail(1000)
        await bot.start()
        assert await bot.stop() == 0


async def test_a_port_in_use_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        env = {"HARBORMASTER_HTTP": address}
        async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "games.db", env) as bot:
            await bot.launch()
            assert await bot.ended() == 1
            assert bot.tail(1000).count("\n") == 0
            assert f" HARBORMASTER_HTTP: {address} can't be listened on: " in bot.tail()

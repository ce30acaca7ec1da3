"""The gateway and all requests fail together, or the gateway alone: no process ends, and all games go on afterward."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import NewDatabase
from tests.wire.cluster import cluster
from tests.wire.openings import main_step
from tests.wire.party import BOT, party
from tests.wire.process import BotProcess
from tests.wire.server import WireServer
from tests.wire.trouble import blackout

MEND, PASSES = 2, 1
SOON = 20.0
"""Seconds within which a process is connected again, even if discord.py itself was about to repeat a request."""


@pytest.mark.parametrize(
    "kind",
    [
        *("503", "garbled"),
        *(
            pytest.param(kind, marks=pytest.mark.soak)
            for kind in ("500", "502", "504", "520", "429", "401", "403", "404")
        ),
        *(pytest.param(kind, marks=pytest.mark.soak) for kind in ("reset", "hang")),
    ],
)
async def test_a_process_survives_a_blackout_of_discord(tmp_path: Path, kind: str) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        ready = table.wire.gateway.ready
        async with blackout(table.wire, 4.0, kind):
            pass
        await table.wire.until(lambda: table.wire.gateway.ready > ready, SOON, "it isn't connected again")
        await table.step()
        await table.panel_current()
        assert "Traceback" not in table.bot.log.read_text()
        assert await table.bot.stop() == 0


async def test_a_process_survives_answers_that_make_no_sense_right_after_its_login(tmp_path: Path) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "games.db") as bot:
        faults = [
            wire.fault(where, 200, body='"nothing"') for where in ("PUT /applications", "emojis", "GET /gateway/bot")
        ]
        faults.append(wire.fault("GET /gateway/bot", 503, times=2))
        await bot.start()
        assert [fault.hits for fault in faults] == [1, 1, 1, 2]
        assert "Traceback" not in bot.log.read_text()


@pytest.mark.parametrize("fault", [{"status": 503}, {"status": 200, "body": "<html>"}, {"status": 200, "body": "[]"}])
async def test_an_outage_at_the_start_ends_the_process_with_one_sentence(tmp_path: Path, fault: dict[str, Any]) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "games.db") as bot:
        wire.fault("GET /users/@me", **fault)
        await bot.launch()
        assert await bot.ended() == PASSES
        assert "Discord can't be reached" in bot.tail().splitlines()[-1]
        assert "Traceback" not in bot.log.read_text()


async def test_a_token_that_was_replaced_ends_the_process_with_one_sentence(tmp_path: Path) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "games.db") as bot:
        await bot.start()
        wire.gateway.token = "another"
        await wire.gateway.drop()
        assert await bot.ended() == MEND
        assert "Discord refuses the token" in bot.tail().splitlines()[-1]
        assert "Traceback" not in bot.log.read_text()


async def test_processes_with_shared_shards_survive_a_blackout(tmp_path: Path, new_database: NewDatabase) -> None:
    async with cluster(tmp_path, new_database(), processes=2, shards=2) as table:
        await table.launch()
        for party_ in table.parties:
            await party_.begin()
        async with blackout(table.wire, 6.0, "503"):
            pass
        await table.whole(30.0)
        for party_ in table.parties:
            await party_.step()
            await party_.panel_current()


async def test_a_session_is_resumed_soon_after_the_gateway_was_away(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        gateway = table.wire.gateway
        gateway.open = False
        gateway.cut()
        await asyncio.sleep(15.0)
        gateway.open = True
        began = time.perf_counter()
        await table.wire.until(lambda: gateway.resumed, 10.0, "it isn't connected again")
        print(f"connected after {time.perf_counter() - began:.1f} s")
        await table.step()
        assert gateway.ready == 1


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        (4004, MEND, "Discord refuses the token"),
        (4010, MEND, "code 4010"),
        (4011, PASSES, "on more shards"),
        (4012, MEND, "code 4012"),
        (4013, MEND, "code 4013"),
        (4014, MEND, "Server Members Intent"),
    ],
)
async def test_a_connection_that_discord_refuses_for_good_ends_the_process_with_one_sentence(
    tmp_path: Path, code: int, status: int, reason: str
) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "games.db") as bot:
        await bot.start()
        await wire.gateway.drop(code)
        assert await bot.ended() == status
        assert reason in bot.tail().splitlines()[-1]
        assert "Traceback" not in bot.log.read_text()

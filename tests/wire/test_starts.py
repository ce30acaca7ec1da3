"""The sessions that Discord allows in a day. If none is left, it ends all of them and revokes the token."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wire.openings import main_step
from tests.wire.party import BOT, party
from tests.wire.process import BotProcess
from tests.wire.server import WireServer


async def test_harbormaster_waits_if_it_is_started_too_often(tmp_path: Path) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "x.db") as bot:
        starts, token = wire.gateway.starts, wire.token
        starts.total, starts.used, starts.within = 30, 15, 6.0
        await bot.launch()
        await wire.until(lambda: "kept in reserve" in bot.tail(), 20.0)
        assert (wire.gateway.sessions, wire.token) == ([], token)
        await wire.until(lambda: wire.gateway.ready, 20.0)


@pytest.mark.soak
async def test_a_session_that_ends_repeatedly_doesnt_use_up_the_session_starts(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        gateway, token = table.wire.gateway, table.wire.token
        gateway.starts.total, gateway.starts.used, gateway.starts.within = 30, 9, 14.0
        ready = gateway.ready
        await gateway.invalidate()
        await table.wire.until(lambda: gateway.ready > ready, 15.0)
        await gateway.invalidate()
        await table.wire.until(lambda: "kept in reserve" in table.bot.tail(), 15.0)
        assert table.wire.token == token
        await table.wire.until(lambda: gateway.ready > ready + 1, 40.0)
        await table.step()
        await table.panel_current()

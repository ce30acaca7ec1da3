"""A second process on the same file refuses to start, names the first, and doesn't disturb it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.house import ROOT
from tests.wire.party import BOT, party


async def test_a_second_process_ends_and_the_first_goes_on(tmp_path: Path) -> None:
    async with party(tmp_path, 1) as table:
        await table.begin()
        urls = {
            "HARBORMASTER_REST_BASE": table.wire.rest_base,
            "HARBORMASTER_GATEWAY": table.wire.gateway_url,
        }
        second = await asyncio.create_subprocess_exec(
            *BOT, cwd=ROOT, env={**table.bot.env, **urls}, stderr=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(60):  # far more than it takes, as other tests run meanwhile
            _, errors = await second.communicate()
        assert second.returncode == 1
        last = errors.decode().splitlines()[-1]
        assert f" The database file {table.bot.database} is in use by " in last
        assert f"process {table.bot.pid} on host " in last
        assert b"Traceback" not in errors
        for _ in range(5):
            await table.step()
        await table.panel_current()
        await table.bot.restart()  # SIGKILL has released the lock
        await table.step()

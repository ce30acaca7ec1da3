"""The clock of a bot on a file is set while it runs. Clicks are answered as before."""

from __future__ import annotations

from pathlib import Path

from tests.wire.clocks import with_clock
from tests.wire.openings import main_step
from tests.wire.party import party


async def test_clicks_are_answered_after_the_clock_is_changed(tmp_path: Path) -> None:
    wrong = tmp_path / "clock"
    async with party(tmp_path, 5, argv=with_clock(wrong), position=await main_step(tmp_path)) as table:
        await table.step()
        for off in (300.0, 0.0, -300.0):
            wrong.write_text(str(off))
            for _ in range(2):
                before = (await table.read()).revision
                await table.step()
                assert (await table.read()).revision > before

"""The clock of a bot on a file is set while it runs. Clicks are answered as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wire.clocks import with_clock
from tests.wire.party import party


@pytest.mark.parametrize("off", [300.0, -300.0])
async def test_clicks_are_answered_after_the_clock_is_changed(tmp_path: Path, off: float) -> None:
    wrong = tmp_path / "clock"
    async with party(tmp_path, 5, argv=with_clock(wrong)) as table:
        await table.begin()
        await table.step()
        wrong.write_text(str(off))
        for _ in range(3):
            before = (await table.read()).revision
            await table.step()
            assert (await table.read()).revision > before

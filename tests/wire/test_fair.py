"""However fast one person clicks, others are answered."""

from __future__ import annotations

from pathlib import Path

from tests.wire.openings import main_step
from tests.wire.party import party

CLICKS = 1000


async def test_a_thousand_clicks_of_one_person_hold_up_no_other(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        ann, bob = table.people[:2]
        panel = await table.panel()
        await bob.slash(table.channel, "hand")
        for _ in range(CLICKS):
            await ann.human.click(panel, "My hand", wait=False)
        hand = await bob.slash(table.channel, "hand")
        waited = hand.latency()["last"]
        assert waited < 2.0
        await table.wire.settled(0.5, 30)
        await ann.click(panel, label="My hand")

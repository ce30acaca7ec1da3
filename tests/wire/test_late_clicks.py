"""Clicks that arrive when Discord no longer takes a first answer. They cost no refused request, and harm nothing."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from bot.discord.context import CLOCKS_APART
from tests.wire.calls import COMPONENT
from tests.wire.openings import main_step, roll_step
from tests.wire.party import party


async def test_clicks_made_while_the_connection_was_lost_are_ignored(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await roll_step(tmp_path)) as table:
        game = await table.game()
        person, other = await table.person(game.to_act[0]), table.people[0]
        panel, wire = await table.panel(), table.wire
        await asyncio.sleep(CLOCKS_APART)  # otherwise they could be from before this process
        wire.gateway.losing = 4
        await person.human.click(panel, "Roll", wait=False)
        await person.human.slash("roll", {}, channel=table.channel, wait=False)
        await other.human.slash("hand", {}, channel=table.channel, wait=False)
        await person.human.click(panel, "My hand", wait=False)
        await asyncio.sleep(5.0)
        await wire.gateway.drop()
        await table.bot.says("RESUMED")
        await asyncio.sleep(1.0)
        late = [*wire.world.interactions.values()][-4:]
        assert [r for it in late for r in it.requests] == [], "nobody waits for an answer any more"
        assert "could not be" not in table.bot.log.read_text()
        assert (await table.read()).revision == len(game.records)
        await person.click(await table.panel(), label="Roll")
        await table.settled(len(game.records) + 1)


@pytest.mark.soak
async def test_a_command_acknowledged_before_a_kill_is_answered_after_the_restart(tmp_path: Path) -> None:
    """A command that still says "thinking" is answered, although the process that acknowledged it is dead."""
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        game = await table.game()
        person, wire = await table.person(game.to_act[0]), table.wire
        fault = wire.fault(r"POST /interactions/.*/callback", effect=True, reply_delay=8.0)
        doing = asyncio.create_task(person.human.slash("hand", {}, channel=table.channel))
        await wire.until(lambda: fault.hits)
        await asyncio.sleep(0.3)
        table.bot.signal(signal.SIGKILL)
        await table.bot.ended()
        it = await doing
        await asyncio.sleep(4.0)
        await table.bot.start()
        await wire.gateway.dispatch("INTERACTION_CREATE", it.payload)
        await wire.until(lambda: len(it.requests) > 1, 15.0)
        await table.settled()
        assert [r for r in it.requests if r.code] == []


async def test_buttons_that_only_messages_of_earlier_releases_have_still_build(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        game = await table.game()
        person, panel = await table.person(game.to_act[0]), await table.panel()
        for piece in ("road", "settlement", "city"):
            data = {"custom_id": f"hb:place:{table.number}::{piece}", "component_type": 2}
            it = await table.done(person.human.raw(COMPONENT, data, source=panel))
            assert piece in it.text, "the question where, or what is missing"

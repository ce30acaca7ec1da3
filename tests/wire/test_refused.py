"""What happens when Discord refuses something: games that don't depend on it go on, and people learn why."""

from __future__ import annotations

import asyncio
from pathlib import Path

from engine.resources import RESOURCES
from tests.wire.model import Permission
from tests.wire.openings import main_step
from tests.wire.party import party


async def test_a_game_goes_on_in_its_new_channel_if_the_message_of_its_last_turn_cant_be_edited(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        wire, world = table.wire, table.wire.world
        wire.staff.deny(table.channel, world.bot, Permission.VIEW_CHANNEL)
        await wire.told()
        game = await table.game()
        first = game.view(None).on_turn
        assert first is not None
        await (await table.person(first)).slash(table.channel, "end", check=False)
        await table.stored(game.revision + 1)
        await table.people[0].slash(world.dock, "game move", game=table.number)
        table.place = world.dock
        await table.settled()
        turn = (await table.game()).turn
        while not (view := (await table.game()).view(None)).offers:
            if view.step.kind != "main" or view.on_turn is None:
                await table.step()
                continue
            person, hand = await table.person(view.on_turn), (await table.game()).state.hands[view.on_turn]
            kind = next(k for k, n in enumerate(hand) if n)
            give, get = RESOURCES[kind], RESOURCES[(kind + 1) % 5]
            await person.slash(world.dock, "trade offer", give=f"1 {give}", get=f"1 {get}")
        await table.settled()
        assert (await table.game()).turn >= turn
        assert [m for m in wire.messages(world.dock) if not m.is_panel and "offer" in m.text.lower()]
        assert not [m for m in world.messages.values() if "stuck" in m.text and not m.deleted], "not in the new channel"


async def test_a_hand_that_cant_be_sent_does_not_count_as_a_game_that_is_stuck(tmp_path: Path) -> None:
    async with party(tmp_path, people=2) as table:
        direct = table.wire.world.dm(table.people[1].human)
        table.wire.fault(f"(POST|PATCH|DELETE) /channels/{direct.id}/messages", code=50001, times=10**6)
        await table.gather()
        await table.people[0].click(await table.panel(), label="Start")
        while not (await table.read()).records:  # noqa: ASYNC110 (another process stores them)
            await asyncio.sleep(0.05)
        for _ in range(6):
            person, action = await table.choose()
            assert table.last_read is not None
            record = table.last_read.revision
            await table.do(person, action)
            await table.stored(record + 1)
            await table.panel_current()
        assert not [m for m in table.wire.world.messages.values() if "stuck" in m.text]


async def test_who_starts_a_game_learns_why_discord_refuses_it(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        world = table.wire.world
        await table.gather()
        panel = await table.panel()
        table.wire.staff.time_out(world.home, world.bot, 3600.0)
        it = await table.people[0].click(panel, label="Start")
        assert "timeout on this server" in it.text
        assert "Traceback" not in table.bot.log.read_text()

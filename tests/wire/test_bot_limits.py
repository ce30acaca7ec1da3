"""The bot under Discord's limits: headers of long windows, long refusals, and registration or login refused."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from tests.wire.openings import main_step, on_turn
from tests.wire.party import BOT, Party, Person, party
from tests.wire.process import BotProcess
from tests.wire.rates import DAY, Limit
from tests.wire.server import WireServer
from tests.wire.trouble import no_first_answers


@pytest.mark.parametrize("shown", [(50_000, 48_773, 102_737.719), (50, 49, 300.0)])
async def test_a_long_limit_window_with_requests_left_stops_nothing(
    tmp_path: Path, shown: tuple[int, int, float]
) -> None:
    """Discord sent such headers for messages (discord-api-docs #5646)."""
    async with party(tmp_path, limits=True) as table:
        await table.begin()
        for name in ("create message", "edit message"):
            table.wire.rates.set(name, Limit(5, 5.0, shown=shown))
        for _ in range(8):
            await table.step()
        await table.panel_current()
        assert "could not be shown" not in table.bot.log.read_text()


@pytest.mark.soak
async def test_a_long_limit_stops_only_its_channel_and_is_not_retried(tmp_path: Path) -> None:
    async with party(tmp_path, limits=True) as table:
        await table.begin()
        other = Party(table.wire, table.bot, [], random.Random(1), number=2, place=table.wire.world.tavern)
        other.people = [Person(other, human) for human in table.wire.users[:4]]
        await other.begin()
        where = f"(POST|PATCH) /(channels/{table.channel.id}/messages|webhooks/.*/messages/@original)"
        fault = table.wire.fault(where, 429, times=99, retry_after=60.0)
        person, action = await table.choose()
        await table.do_and_forget(person, action)
        await table.wire.until(lambda: fault.hits)
        fault.where = f"(POST|PATCH) /channels/{table.channel.id}/messages"
        for _ in range(4):  # success elsewhere is no reason to ask again
            await other.step()
        await asyncio.sleep(6.0)
        assert fault.hits <= 2, "one request for each kind of them"
        answer = await table.people[0].slash(table.channel, "board")
        assert "Discord is slowing me down" in answer.text


async def test_a_long_limit_of_a_clicks_token_holds_up_neither_the_game_message_nor_another_answer(
    tmp_path: Path,
) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        no_first_answers(table.wire)
        person = await on_turn(table)
        await person.human.click(await table.panel(), "My hand")
        await table.settled()
        edits = table.wire.fault("PATCH /webhooks/", 429, times=2, retry_after=45.0)
        await person.human.click(await table.panel(), "End turn")
        await table.wire.until(edits.struck(1))
        assert await table.panel_current(5.0) < 5.0
        hand = await person.human.slash("hand", channel=table.channel)
        await table.wire.until(lambda: "cards" in hand.text, 5.0, "the hand comes in another way")
        assert edits.hits == 2


async def test_a_long_limit_on_everything_is_asked_for_once_and_told(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        everything = table.wire.fault(
            "(POST|PATCH|DELETE|GET) /(channels|guilds|users)/", 429, times=99, retry_after=40.0, scope="global"
        )
        await (await on_turn(table)).human.click(await table.panel(), "End turn")
        await table.wire.until(everything.struck(1))
        for person in table.people:
            answer = await person.slash(table.channel, "board")
        await table.wire.settled(0.5)
        assert everything.hits == 1
        assert "Discord is slowing me down" in answer.text


@pytest.mark.parametrize("refused", ["too many new commands", "too fast"])
async def test_harbormaster_starts_even_if_command_registration_is_refused(tmp_path: Path, refused: str) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "game.db") as bot:
        if refused == "too fast":
            wire.fault("PUT /applications", 429, times=99, retry_after=3600.0)
        else:
            wire.world.creates.limit = Limit(0, DAY, fixed=True)
        await bot.start()
        await bot.says("Discord doesn't take the commands: .*The commands from before still work")
        assert "Traceback" not in bot.log.read_text()
        assert await bot.stop() == 0


async def test_a_host_learns_that_activities_keep_the_commands_from_being_registered(tmp_path: Path) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "game.db") as bot:
        wire.world.commands[0] = [{"id": "7", "application_id": "1", "version": "1", "type": 4, "name": "launch"}]
        await bot.start()
        await bot.says("switch them off in the developer portal, under Activities > Settings")
        assert "Traceback" not in bot.log.read_text()


async def test_login_waits_until_a_ban_of_the_address_ends(tmp_path: Path) -> None:
    async with WireServer() as wire, BotProcess(wire, BOT, tmp_path / "game.db") as bot:
        wire.invalid.ban_for = 2.0
        wire.invalid.ban()
        await bot.start()
        text = bot.log.read_text()
        assert "Discord has banned this address" in text
        assert "Discord refuses the login for now" in text
        assert "Traceback" not in text
        assert len(wire.calls("GET /users/@me")) == 2

"""Each answer that Discord refuses becomes words, and a game that can't be shown says why to someone."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord.show.messages import SIGNS
from tests.wire.calls import Interaction
from tests.wire.faults import KNOWN
from tests.wire.messages import LOADING
from tests.wire.openings import main_step, on_turn
from tests.wire.party import Party, Person, party
from tests.wire.trouble import no_first_answers

CODES = sorted(code for code, (status, _text) in KNOWN.items() if 400 <= status < 500 and status != 429)
SILENT = (10062, 40060)
"""Codes of a first answer that comes too late, or twice: Discord itself says so to the person, or has answered them."""
CALLBACK, ORIGINAL, FOLLOWUP = "POST /interactions/", r"PATCH /webhooks/.*/@original", r"POST /webhooks/[0-9]+/[^/]+$"
FILES = '"attachments": \\[{'


async def asked(table: Party, person: Person, route: str) -> Interaction:
    """Ask for the hand, so that it is answered by this route."""
    human = person.human
    if route != CALLBACK and not any(fault.cut for fault in table.wire.faults):
        no_first_answers(table.wire)
    if route == FOLLOWUP:
        return await human.click(await table.panel(), "My hand")
    return await human.slash("hand", channel=table.channel)


def reads(it: Interaction) -> str:
    """What the person reads in the end."""
    waits = it.response is not None and it.response.flags & LOADING and not it.response.deleted
    return "" if waits else "\n".join(message.text for message in it.messages if message is not it.source)


@pytest.mark.parametrize("route", [CALLBACK, ORIGINAL, FOLLOWUP])
async def test_whatever_an_answer_is_refused_for_the_person_reads_words(tmp_path: Path, route: str) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        person = await on_turn(table)
        for code in CODES:
            if route == CALLBACK and code in SILENT:
                continue
            fault = table.wire.fault(route, code=code)
            it = await asked(table, person, route)
            await table.wire.until(fault.struck(1), what=str(code))
            await table.wire.until(lambda it=it: reads(it), 10.0, f"nothing after {code}")  # type: ignore[misc]
            await table.wire.settled(0.05)
        table.wire.requests.clear()  # what was refused here broke no limit


async def test_a_hand_comes_without_its_picture_where_files_are_refused(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        table.wire.fault("/(webhooks|interactions)/", code=400001, about=FILES, times=99)
        for route in (CALLBACK, ORIGINAL, FOLLOWUP):
            it = await asked(table, await on_turn(table), route)
            await table.wire.until(lambda it=it: reads(it), 20.0, f"nothing at {route}")  # type: ignore[misc]
            await table.wire.settled(0.3, 20.0)
            assert "cards" in reads(it)
            assert "no pictures" in reads(it)
            assert it.messages[-1].interactive, "the buttons are there"
        assert "refuses the answer" in table.bot.log.read_text()


async def test_where_files_are_refused_a_game_is_shown_without_its_picture(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        limited = table.wire.fault("(messages|webhooks|callback)", code=400001, about=FILES, times=999)
        await (await on_turn(table)).human.click(await table.panel(), "End turn")
        await table.settled()
        panel = await table.panel()
        assert "no pictures" in panel.text
        assert panel.interactive
        board = await (await on_turn(table)).human.slash("board", channel=table.channel)
        await table.wire.settled(0.3, 20.0)
        assert reads(board)
        limited.times = 0
        await (await on_turn(table)).human.click(await table.panel(), "Roll")
        await table.settled()
        assert (await table.panel()).files


async def test_an_emoji_that_was_deleted_is_replaced_at_once(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        person = await on_turn(table)
        table.wire.world.emoji.clear()
        it = await person.human.click(await table.panel(), "Offer a trade")
        await table.wire.settled(0.3, 20.0)
        assert any(message.interactive for message in it.messages if message.only_for), table.wire.story()
        await table.wire.until(lambda: len(table.wire.world.emoji) == len(SIGNS), what="they are uploaded again")
        table.wire.requests.clear()  # the first answer named an emoji that was gone


async def test_who_plays_and_one_more_learn_what_discord_says_about_a_game_that_stands_still(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        table.wire.fault(rf"(POST|PATCH) /channels/{table.channel.id}/messages", code=200000, times=999)
        table.wire.fault("PATCH /webhooks/", code=200000, times=999)
        it = await (await on_turn(table)).human.click(await table.panel(), "End turn")
        host = table.people[0].human
        said = "blocked by automatic moderation"
        await table.wire.until(lambda: any(said in m.text for m in table.wire.dms(host)), 10.0, "the host is told")
        it = await (await on_turn(table)).human.click(await table.panel(), "My hand")
        await table.wire.until(lambda: said in it.text, 10.0, "who plays is told")

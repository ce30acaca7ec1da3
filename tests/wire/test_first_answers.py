"""What a click leads to is the answer to it if it is ready soon; whatever comes of that answer, all is right soon."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.discord.talk.dispatch import FIRST_ANSWER_WITHIN, INSISTS
from tests.wire.calls import Interaction, Request
from tests.wire.messages import Message
from tests.wire.openings import on_turn, roll_step
from tests.wire.party import DEFERRED, DEFERRED_UPDATE, MESSAGE, UPDATE, Party, party
from tests.wire.trouble import locked, settle_in

CALLBACK = "POST /interactions/.*/callback"
SAYS = r'"type": (4|7)'
"""In the requests of first answers that say something."""


@pytest_asyncio.fixture
async def rolling(tmp_path: Path) -> AsyncIterator[Party]:
    """A table where a player must roll. No one has clicked yet since the bot's start."""
    async with party(tmp_path, 5, position=await roll_step(tmp_path)) as found:
        await settle_in(found.wire)
        yield found


async def roll(table: Party, **how: Any) -> Interaction:
    """Let the player on turn roll."""
    return await (await on_turn(table)).human.click(await table.panel(), "Roll", **how)


async def is_right(table: Party, records: int, within: float = 15.0) -> None:
    """Check that this many records are stored, and that all see how the game stands."""
    await table.settled(records, within)
    assert (await table.read()).revision == records, "it was done twice"
    await table.panel_current(within)


def sent(it: Interaction) -> list[Request]:
    return [request for request in it.requests if request.answered]


# --- in one request


async def test_a_roll_is_answered_by_the_new_game_message_and_nothing_else(rolling: Party) -> None:
    before, panel = (await rolling.read()).revision, await rolling.panel()
    it = await roll(rolling)
    await is_right(rolling, before + 1)
    assert it.kind == UPDATE
    assert it.response is panel
    assert len(sent(it)) == 1
    assert sent(it)[0].files, "the new board"
    assert not rolling.wire.calls("PATCH"), "no other edit"


async def test_the_end_of_a_turn_is_answered_by_what_stays_of_its_message(table: Party) -> None:
    panel, person = await table.panel(), await on_turn(table)
    await settle_in(table.wire)
    it = await person.human.click(panel, "End turn")
    await table.settled()
    assert it.kind == UPDATE
    assert not panel.interactive
    assert not table.wire.calls(f"/messages/{panel.id}")
    assert await table.panel() is not panel
    await table.panel_current()


async def test_what_only_the_person_learns_is_the_answer_if_nothing_else_changes(rolling: Party) -> None:
    """But for a click on the game message: its token is wanted for that."""
    person, panel = await on_turn(rolling), await rolling.panel()
    command = await person.slash(rolling.channel, "trade want", check=False, get="nothing at all")
    assert (command.kind, len(sent(command))) == (MESSAGE, 1)
    click = await person.click(panel, label="More")
    assert (click.kind, len(sent(click))) == (DEFERRED_UPDATE, 2)
    menu = click.messages[-1]
    opened = await person.click(menu, label="Pause, leave, change…")
    assert (opened.kind, len(sent(opened))) == (UPDATE, 1)
    assert opened.response is menu


async def test_two_people_who_click_at_once_are_both_answered(tmp_path: Path) -> None:
    async with party(tmp_path, 5, people=3) as table:
        host, *joining = table.people
        await host.slash(table.channel, "game new")
        await settle_in(table.wire)
        panel = await table.panel()
        clicks = await asyncio.gather(*(person.human.click(panel, "Join") for person in joining))
        await table.settled()
        assert {it.kind for it in clicks} <= {UPDATE, DEFERRED_UPDATE}
        assert UPDATE in {it.kind for it in clicks}
        assert [request for it in clicks for request in sent(it) if not request.accepted] == []
        for person in joining:
            assert person.human.name in panel.text


# --- too late


async def test_what_takes_long_is_acknowledged_and_shown_by_the_token(rolling: Party) -> None:
    before = (await rolling.read()).revision
    async with locked(rolling.bot.database, 1.5):
        began = time.perf_counter()
        it = await roll(rolling)
        assert FIRST_ANSWER_WITHIN - 0.1 < time.perf_counter() - began < 1.4
        assert it.kind == DEFERRED_UPDATE
    await is_right(rolling, before + 1)
    assert [request.path.rpartition("/")[2] for request in sent(it)] == ["callback", "@original"]


@pytest.mark.soak
async def test_a_command_that_takes_long_says_that_it_thinks(rolling: Party) -> None:
    async with locked(rolling.bot.database, 1.5):
        it = await (await on_turn(rolling)).human.slash("roll")
        assert it.kind == DEFERRED
    await rolling.wire.until(lambda: "rolled" in it.text)


async def test_an_answer_that_is_long_on_its_way_is_overtaken_by_an_acknowledgment(rolling: Party) -> None:
    """As on a line on which the picture takes seconds."""
    before = (await rolling.read()).revision
    rolling.wire.fault(CALLBACK, about=SAYS, delay=2.7)
    began = time.perf_counter()
    it = await roll(rolling)
    assert INSISTS - 0.1 < time.perf_counter() - began < 2.5
    assert it.kind == DEFERRED_UPDATE
    await is_right(rolling, before + 1)


async def test_a_click_that_reaches_a_busy_process_late_is_acknowledged_at_once(rolling: Party) -> None:
    before = (await rolling.read()).revision
    rolling.bot.signal(signal.SIGSTOP)
    it = await roll(rolling, wait=False)
    await asyncio.sleep(2.3)
    rolling.bot.signal(signal.SIGCONT)
    await rolling.wire.until(lambda: it.callback, 1.0, "nothing came in time")
    assert it.kind == DEFERRED_UPDATE
    await is_right(rolling, before + 1)


# --- what becomes of the answer


FAULTS: list[tuple[dict[str, Any], int]] = [
    ({"cut": True}, DEFERRED_UPDATE),
    ({"cut": True, "effect": True}, UPDATE),
    ({"status": 503}, DEFERRED_UPDATE),
    ({"status": 500}, UPDATE),  # discord.py tries the same again
    ({"status": 200, "body": "<html>", "effect": True}, UPDATE),
    ({"code": 10008}, DEFERRED_UPDATE),
    ({"code": 50027}, DEFERRED_UPDATE),
    ({"code": 160007}, DEFERRED_UPDATE),
    ({"code": 50035}, DEFERRED_UPDATE),
    ({"status": 429, "retry_after": 45.0}, DEFERRED_UPDATE),
    ({"status": 429, "retry_after": 0.2}, UPDATE),
]
"""What becomes of an answer, and how the click is answered in the end."""


async def test_after_an_answer_that_fails_the_click_is_acknowledged_and_all_is_shown(tmp_path: Path) -> None:
    async with party(tmp_path, 5, people=2) as table:
        host, other = table.people
        await host.slash(table.channel, "game new")
        await settle_in(table.wire)
        for n, (fault, kind) in enumerate(FAULTS):
            spoilt = table.wire.fault(CALLBACK, about=SAYS, **fault)
            it = await other.human.click(await table.panel(), "Leave" if n % 2 else "Join")
            await table.settled()
            assert spoilt.hits, fault
            assert it.kind == kind, fault
            assert (other.human.name in (await table.panel()).text) == (not n % 2), fault
            assert len(table.panels()) == 1
        assert "Traceback" not in table.bot.log.read_text()
        table.wire.requests.clear()  # what was refused here broke no limit


async def test_an_answer_that_could_not_replace_a_private_message_can_be_overtaken_too(rolling: Party) -> None:
    """The clicked message is gone, and it takes seconds to learn that."""
    person = await on_turn(rolling)
    page = (await person.human.slash("help")).response
    assert page is not None
    rolling.wire.fault(CALLBACK, about='"type": 7', code=10008, delay=INSISTS + 0.3)
    it = await person.human.click(page, "Rules")
    assert it.kind == DEFERRED_UPDATE
    await rolling.wire.until(lambda: page.history, what="the page shows the rules")
    assert "Traceback" not in rolling.bot.log.read_text()
    rolling.wire.requests.clear()  # the first answer was refused


async def test_an_interaction_that_another_process_has_acknowledged_is_shown_all_the_same(rolling: Party) -> None:
    before = (await rolling.read()).revision
    fault = rolling.wire.fault(CALLBACK, delay=0.5, times=9)
    it = await roll(rolling, wait=False)
    await rolling.wire.until(lambda: fault.hits)
    it.callback, it.response = {"type": DEFERRED_UPDATE}, it.source
    await is_right(rolling, before + 1)
    assert {request.code for request in sent(it)} == {40060}


async def test_what_is_stored_is_shown_though_discord_takes_no_answer_anymore(rolling: Party) -> None:
    before = (await rolling.read()).revision
    rolling.wire.fault(CALLBACK, code=10062, times=9)
    it = await roll(rolling, wait=False)
    await is_right(rolling, before + 1)
    assert it.callback is None
    assert len(sent(it)) <= 3


@pytest.mark.parametrize("code", [400001, pytest.param(40005, marks=pytest.mark.soak)])
async def test_where_pictures_are_refused_the_answer_comes_without_them(rolling: Party, code: int) -> None:
    before, panel = (await rolling.read()).revision, await rolling.panel()
    refused = rolling.wire.fault("(messages|webhooks|callback)", code=code, about=r'"attachments": \[{', times=99)
    it = await roll(rolling)
    await rolling.settled(before + 1)
    assert refused.hits == 1
    assert it.kind == UPDATE
    assert "no pictures" in panel.text
    assert panel.interactive


async def test_if_only_answers_take_no_new_files_the_game_message_is_edited_in_another_way(rolling: Party) -> None:
    """discord-api-docs #7529, an open bug for some clients."""
    before, panel = (await rolling.read()).revision, await rolling.panel()
    rolling.wire.world.losing_uploads = frozenset({"update"})
    it = await roll(rolling)
    await is_right(rolling, before + 1)
    assert it.kind == DEFERRED_UPDATE
    assert rolling.panels() == [panel]
    rolling.wire.requests.clear()  # the first answer was refused


@pytest.mark.soak
async def test_an_emoji_that_was_deleted_costs_a_click_no_answer(rolling: Party) -> None:
    before = (await rolling.read()).revision
    rolling.wire.world.emoji.clear()
    it = await roll(rolling)
    await is_right(rolling, before + 1)
    assert it.kind in (UPDATE, DEFERRED_UPDATE)
    rolling.wire.requests.clear()  # the first answer named an emoji that was gone


@pytest.mark.soak
async def test_a_private_first_answer_that_gets_lost_is_sent_again(rolling: Party) -> None:
    rolling.wire.fault(CALLBACK, about=SAYS, cut=True)
    it = await (await on_turn(rolling)).human.slash("hand")
    await rolling.wire.until(lambda: private(it), 5.0, "nothing was told")
    await rolling.wire.settled(0.3)
    assert len(private(it)) == 1


def private(it: Interaction) -> list[Message]:
    return [message for message in it.messages if message.only_for and not message.deleted]


# --- outages and kills


async def test_in_an_outage_what_cant_be_acknowledged_isnt_carried_out(table: Party) -> None:
    """But for the first click of it."""
    before, panel, person = (await table.read()).revision, await table.panel(), await on_turn(table)
    await settle_in(table.wire)
    table.wire.fault("^(POST|PATCH|DELETE) ", 503, times=1_000_000)
    await person.human.click(panel, "End turn", wait=False)
    await table.stored(before + 1)
    await table.wire.settled(0.3)
    asked = len(table.wire.calls("/callback"))
    await person.human.slash("undo", wait=False)
    await table.wire.until(lambda: len(table.wire.calls("/callback")) > asked)
    await table.wire.settled(0.3)
    assert (await table.read()).revision == before + 1
    table.wire.faults.clear()
    await table.panel_current(40.0)


@pytest.mark.parametrize("how", [{"delay": 60.0}, {"reply_delay": 60.0}], ids=["before", "after"])
@pytest.mark.parametrize("again", [pytest.param(False, marks=pytest.mark.soak), True], ids=["", "delivered again"])
async def test_a_kill_while_the_answer_is_on_its_way_loses_and_repeats_nothing(
    rolling: Party, how: dict[str, Any], again: bool
) -> None:
    """Before or after Discord has it."""
    before = (await rolling.read()).revision
    fault = rolling.wire.fault(CALLBACK, **how)
    it = await roll(rolling, wait=False)
    await rolling.wire.until(lambda: fault.hits)
    await asyncio.sleep(0.1)
    await rolling.bot.kill()
    assert (await rolling.read()).revision == before + 1
    assert (it.kind == UPDATE) == ("reply_delay" in how)
    rolling.wire.faults.clear()
    await rolling.bot.start()
    if again:
        with contextlib.suppress(TimeoutError):
            await rolling.wire.deliver(it)
    await is_right(rolling, before + 1)
    await rolling.step()
    await rolling.panel_current()

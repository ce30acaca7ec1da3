"""Whatever kept the bot from showing something: soon after it is over, all is right without another click."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.projections import PANEL, Kind, Name
from engine.actions import EndTurn
from tests.wire.calls import Interaction
from tests.wire.messages import LOADING, Message
from tests.wire.openings import begun, main_step
from tests.wire.party import Party, party
from tests.wire.trouble import HANG, change, locked, no_first_answers, outage, until_stored

SHOWS = r"^(PATCH|POST|DELETE) /(channels|webhooks|users)/"
"""All requests except the acknowledgment of what people do."""


@pytest_asyncio.fixture
async def setup(tmp_path: Path) -> AsyncIterator[Party]:
    """A game in its first placements."""
    async with party(tmp_path, 5, position=await begun(tmp_path)) as found:
        yield found


def public(table: Party) -> str:
    """Requests that show something to all. What people do by commands is shown only by these."""
    return rf"^(PATCH|POST) /channels/{table.channel.id}/messages"


async def act(table: Party) -> None:
    """Let a player act by a command, and wait until that is stored."""
    person, action = await table.choose()
    before = (await table.read()).revision
    await table.do_and_forget(person, action)
    await table.stored(before + 1)


async def ending(table: Party) -> asyncio.Task[None]:
    """Let the player on turn end it. Returns the moment it is stored."""
    game = await table.game()
    person = await table.person(game.to_act[0])
    doing = asyncio.create_task(table.do_and_forget(person, EndTurn()))
    await until_stored(table.bot.database, len(game.records) + 1)
    return doing


async def end_turn(table: Party) -> None:
    """Let the player on turn end it. It is stored, and answered if possible."""
    await (await ending(table))


async def right(table: Party, within: float, since: str) -> float:
    """Wait until the panel is right. Prints and returns how long it took."""
    seconds = await table.panel_current(within)
    print(f"right {seconds:.1f} s after {since}")
    return seconds


async def pinged(table: Party) -> Message:
    """The panel. The awaited player got exactly one notification of it."""
    [panel] = table.panels()
    game = await table.game()
    awaited = (await table.person(game.to_act[0])).human
    assert [p.user for p in table.wire.world.pings if p.message is panel] == [awaited]
    return panel


# --- what isn't Discord's fault


async def test_the_panel_is_updated_after_a_file_lock_ends(table: Party) -> None:
    """Locked for longer than the bot's writes wait. The panel of the new turn comes without another click."""
    [before] = table.panels()
    doing = await ending(table)
    async with locked(table.bot.database, 8.0):
        await doing
    await right(table, 10.0, "the lock's end")
    assert await pinged(table) is not before


async def test_the_panel_is_updated_after_an_unexpected_error_ends(table: Party) -> None:
    """Here the file refuses every note of what is shown."""
    refusal = "WHEN NEW.version > 0 BEGIN SELECT RAISE(ABORT, 'not now'); END"
    change(table.bot.database, f"CREATE TRIGGER refused BEFORE INSERT ON shown {refusal}")
    await end_turn(table)
    await table.bot.says("not now")
    change(table.bot.database, "DROP TRIGGER refused")
    await right(table, 15.0, "the last error")
    await pinged(table)
    await table.settled(within=15.0)


@pytest.mark.soak
async def test_overdue_updates_are_found_again(table: Party) -> None:
    """Even if the bot knows nothing of it."""
    table.wire.requests.clear()
    change(table.bot.database, "UPDATE shown SET version = 0 WHERE kind IN ('panel', 'hand')")
    assert PANEL in (await table.read()).due
    began = time.perf_counter()
    while PANEL in (await table.read()).due:
        assert time.perf_counter() < began + 35.0, "nobody looks"
        await asyncio.sleep(0.5)
    print(f"shown after {time.perf_counter() - began:.1f} s")
    await table.panel_current()
    stored = await table.read()
    # also the hand of the awaited player, who was called already
    assert set(stored.resting) == {Name(Kind.HAND, user=person.id) for person in table.people}
    for person in table.people:
        assert not table.wire.calls(f"/channels/{table.wire.world.dm(person.human).id}/messages")


# --- Discord


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [
        ("500", 20.0),
        *(pytest.param(k, s, marks=pytest.mark.soak) for k in ("500", "503", "reset", "hang") for s in (40.0, 240.0)),
    ],
)
async def test_the_panel_is_updated_after_an_outage(table: Party, kind: str, seconds: float) -> None:
    async with outage(table.wire, seconds, kind, SHOWS) as fault:
        await end_turn(table)
    await right(table, 60.0, "the outage's end")
    assert fault.hits
    await pinged(table)
    await table.settled(within=60.0)


async def test_the_panel_is_updated_after_three_connection_resets(setup: Party) -> None:
    fault = setup.wire.fault(public(setup), cut=True, times=3)
    began = time.perf_counter()
    for times in (1, 2, 3):
        await act(setup)
        await setup.wire.until(fault.struck(times))
    print(f"three resets in {time.perf_counter() - began:.1f} s")
    await right(setup, 15.0, "the last reset")


@pytest.mark.soak
@pytest.mark.parametrize("effect", [False, True])
async def test_the_panel_is_updated_after_a_request_hangs(table: Party, effect: bool) -> None:
    """Before or after it has been carried out."""
    how: dict[str, Any] = {"reply_delay": HANG} if effect else {"delay": HANG}
    fault = table.wire.fault(public(table), **how)
    await end_turn(table)
    if effect:  # the panel is there, but the bot can't know it
        await table.wire.until(lambda: fault.hits)
        await act(table)
    await right(table, 30.0, "the action")
    assert fault.hits


async def test_a_successful_request_elsewhere_triggers_waiting_updates(setup: Party) -> None:
    """Here a new table in another channel."""
    fault = setup.wire.fault(public(setup), 503, times=1_000_000)
    for times in (1, 2, 3):
        await act(setup)
        await setup.wire.until(fault.struck(times))
    setup.wire.faults.clear()
    await setup.people[0].slash(setup.wire.world.tavern, "game new")
    await right(setup, 10.0, "a success elsewhere")


# --- what people are told


def told(it: Interaction) -> bool:
    """Whether there is an answer: the bot is no longer "thinking"."""
    return it.response is not None and not it.response.flags & LOADING


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 500, "times": 3},
        pytest.param({"status": 503, "times": 3}, marks=pytest.mark.soak),
        {"cut": True},
        pytest.param({"cut": True, "times": 3}, marks=pytest.mark.soak),
        {"cut": True, "effect": True},
        {"code": 50027},
        pytest.param({"delay": HANG}, marks=pytest.mark.soak),
    ],
    ids=str,
)
async def test_an_answer_that_couldnt_be_sent_is_sent_later(table: Party, fault: dict[str, Any]) -> None:
    no_first_answers(table.wire)
    spoilt = table.wire.fault("^PATCH /webhooks/.*@original", **fault)
    person = table.people[1]
    it = await person.human.slash("hand")
    began = time.perf_counter()
    await table.wire.until(lambda: spoilt.hits)
    await table.wire.until(lambda: told(it), 30.0, "the bot thinks for ever")
    print(f"answered {time.perf_counter() - began:.1f} s after {fault}")
    await table.wire.settled(0.5)
    assert [list(m.files) for m in it.messages] == [["hand.png"]]


async def test_a_refusal_that_couldnt_be_sent_is_sent_later(table: Party) -> None:
    """The answer to a click, as a message of its own."""
    no_first_answers(table.wire)
    spoilt = table.wire.fault("^POST /webhooks/", cut=True)
    on_turn = await table.person((await table.game()).to_act[0])
    other = next(person for person in table.people if person is not on_turn)
    it = await other.human.click(await table.panel(), "End turn")
    await table.wire.until(lambda: spoilt.hits)
    await table.wire.until(lambda: it.followups, 30.0, "nobody tells why it isn't done")
    await table.wire.settled(0.5)
    [only] = it.followups
    assert only.only_for is other.human


# --- silence


async def test_a_gateway_without_events_is_logged(tmp_path: Path) -> None:
    position = await main_step(tmp_path)
    async with party(tmp_path, position=position, env={"HARBORMASTER_SILENCE": "2"}) as table:
        table.wire.gateway.losing = 1
        lost = await table.people[0].human.slash("hand", wait=False)
        line = await table.bot.says("No event from Discord for", within=8.0)
        assert "Traceback" not in line
        assert lost.callback is None
        assert (await table.people[0].slash(table.channel, "hand")).text  # apart from the line, it just goes on


async def test_a_signal_makes_harbormaster_log_its_status(table: Party) -> None:
    """By SIGUSR1: it logs one line, and the game goes on."""
    table.wire.fault(public(table), 503, times=1_000_000)
    await end_turn(table)
    await table.wire.until(lambda: table.wire.faults[0].hits)
    table.bot.signal(signal.SIGUSR1)
    line = await table.bot.says(r"\bStatus:", within=5.0)
    print(line)
    table.wire.faults.clear()
    await right(table, 60.0, "the outage's end")

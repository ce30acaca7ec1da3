"""Stopping: what was acknowledged is answered, what is due is shown. And the process ends even on a full disk."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from engine.actions import EndTurn
from tests.wire.calls import Interaction
from tests.wire.chaos import Told, is_stored
from tests.wire.messages import LOADING
from tests.wire.openings import begun, main_step
from tests.wire.party import BOT, Party, answered, party
from tests.wire.preloaded import WORKERS
from tests.wire.process import BotProcess
from tests.wire.server import WireServer
from tests.wire.trouble import full_disk, needs_limits, until_stored

STOPS = 10.0
"""The most seconds for a stop with commands in flight."""
GIVES_UP = 15.0
"""Seconds within which it must end on a full disk."""
MORE = (0.01, 0.02, 0.05, 0.08, 0.12, 0.2)
"""Seconds between an action and a stop that only `make soak` tries."""
FULL_DISKS = 60
MAPPED = 32768
"""Bytes that SQLite maps from a second file in WAL mode. Without them it can't even read."""


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Party]:
    """A table where a player has rolled and can end the turn. A process draws."""
    async with party(tmp_path, 5, position=await main_step(tmp_path), env={WORKERS: "1"}) as found:
        yield found


def told(it: Interaction) -> bool:
    """Whether there is an answer, and not just "thinking"."""
    return any(m.text and not m.flags & LOADING for m in it.messages if m is not it.source)


def clean(table: Party) -> None:
    """Check that the log has nothing that a host would worry about."""
    log = table.bot.log.read_text()
    for word in ("Traceback", "ERROR", "Session is closed", "was destroyed", "never retrieved", "never awaited"):
        assert word not in log, log


# --- commands in flight

ASKED = ("hand", "board", "stats", "game log", "board")


@pytest.mark.parametrize("slow", ["PATCH", "POST", ""], ids=["edits", "posts", "drawing"])
async def test_every_acknowledged_command_is_answered_before_the_stop(table: Party, slow: str) -> None:
    """With slow requests, or many pictures to draw. What is due is shown as well."""
    if slow:
        table.wire.fault(rf"^{slow} /(webhooks|channels)/", delay=1.5, times=1_000_000)
    game = await table.game()
    on_turn = await table.person(game.to_act[0])
    asking = [asyncio.create_task(p.human.slash(path)) for path in ASKED for p in table.people]
    asking.append(asyncio.create_task(on_turn.human.slash("end")))
    sent = await asyncio.gather(*asking)
    began = time.perf_counter()
    assert await table.bot.stop(STOPS) == 0
    print(f"stopped in {time.perf_counter() - began:.1f} s, {sum(not told(it) for it in sent)} left thinking")
    assert [it.payload["data"]["name"] for it in sent if not told(it)] == []
    clean(table)
    stored = await table.read()
    assert stored.records[len(game.records) :] == [] or told(sent[-1])
    assert stored.due == []
    await table.panel_current()
    table.wire.faults.clear()
    await table.bot.start()
    await table.step()
    await table.panel_current()


async def test_pending_updates_are_shown_before_the_stop(table: Party) -> None:
    game = await table.game()
    person = await table.person(game.to_act[0])
    table.wire.fault(r"^(POST|PATCH|DELETE) /channels/", delay=0.5, times=1_000_000)
    doing = asyncio.create_task(table.do_and_forget(person, EndTurn()))
    await until_stored(table.bot.database, len(game.records) + 1)
    assert await table.bot.stop(STOPS) == 0
    await doing
    clean(table)
    assert (await table.read()).due == []
    await table.panel_current()


@pytest.mark.parametrize("after", [0.0, 0.03, *(pytest.param(s, marks=pytest.mark.soak) for s in MORE)])
@pytest.mark.parametrize("late", [False, True])
async def test_an_action_at_the_moment_of_a_stop_is_done_completely_or_not_at_all(
    table: Party, after: float, late: bool
) -> None:
    """Before or after SIGTERM. Either it is done, shown and answered, or it isn't done, and perhaps not answered."""
    game = await table.game()
    person = await table.person(game.to_act[0])
    table.wire.fault("^PATCH /webhooks/", delay=1.0, times=1_000_000)
    await asyncio.gather(*(p.human.slash("hand") for p in table.people))  # these make the stop take a second
    if late:
        table.bot.signal(signal.SIGTERM)
        await asyncio.sleep(after)
        it = await person.human.slash("end", wait=False)
    else:
        it = await person.human.slash("end", wait=False)
        await asyncio.sleep(after)
        table.bot.signal(signal.SIGTERM)
    assert await table.bot.ended(STOPS) == 0
    clean(table)
    stored = await table.read()
    done = str(it.id) in stored.made_by
    print(f"{'done' if done else 'not done'}: {it.text!r}")
    assert it.callback is None or told(it), "it thinks for ever"
    assert stored.revision == len(game.records) + done
    if done:
        assert told(it)
    else:
        assert "ended" not in it.text
    await table.panel_current()
    assert stored.due == []
    table.wire.faults.clear()
    await table.bot.start()
    if not done:
        await table.do(person, EndTurn())
    await table.settled(len(game.records) + 1)
    await table.panel_current()


# --- full disks


@needs_limits
async def test_a_stop_on_a_full_disk_ends_and_says_why(table: Party) -> None:
    with full_disk(table.bot):
        table.bot.signal(signal.SIGTERM)
        began = time.perf_counter()
        assert await table.bot.ended(GIVES_UP) != 0
        print(f"ended after {time.perf_counter() - began:.1f} s")
    assert re.search(r"(?i)disk|database|file", table.bot.tail(5)), table.bot.tail()
    await table.bot.start()
    await table.step()
    await table.panel_current()


@needs_limits
@pytest.mark.parametrize("dealt", [False, True])
async def test_a_start_on_a_full_disk_ends_with_an_explanation(tmp_path: Path, dealt: bool) -> None:
    """With a new file, and with one that has a running game."""
    database = tmp_path / "game.db"
    world = (await begun(tmp_path)).laid_out(database) if dealt else None
    async with WireServer(world=world) as wire, BotProcess(wire, BOT, database) as bot:
        await start_in_vain(bot, 0)
        await bot.start()  # the attempt has broken nothing
        assert await bot.stop() == 0


@needs_limits
async def test_a_start_on_a_disk_that_has_become_full_ends_with_an_explanation(table: Party) -> None:
    """The file can be read, and the one next to it mapped, but nothing can be written."""
    await table.step()
    await table.bot.kill()
    log = table.bot.database.with_name(table.bot.database.name + "-wal")
    assert log.stat().st_size > MAPPED
    await start_in_vain(table.bot, MAPPED)
    await table.bot.start()
    await table.step()
    await table.panel_current()


async def start_in_vain(bot: BotProcess, room: int) -> None:
    """Start on a full disk. It must end with a sentence."""
    bot.log.write_text("")
    await bot.launch(room)
    began = time.perf_counter()
    assert await bot.ended(GIVES_UP) != 0
    print(f"ended after {time.perf_counter() - began:.1f} s: {bot.tail(1)}")
    assert "Traceback" not in bot.tail(1000), bot.tail()
    assert re.search(r"(?i)disk|database|file", bot.tail(1)), bot.tail()


@needs_limits
async def test_players_are_told_while_the_disk_is_full_and_the_game_goes_on_afterwards(table: Party) -> None:
    """People who act meanwhile are told that it isn't done. Afterwards the game goes on."""
    game = await table.game()
    person = await table.person(game.to_act[0])
    with full_disk(table.bot):
        it = await table.do(person, EndTurn())
        await table.wire.until(lambda: told(it))
    assert (await table.read()).revision == len(game.records)
    await table.do(person, EndTurn())
    await table.settled(len(game.records) + 1)
    await table.panel_current()
    assert await table.bot.stop() == 0


@needs_limits
@pytest.mark.soak
async def test_what_is_acknowledged_while_a_disk_fills_up_is_stored(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """The disk has room for some bytes of a change, or for all. Then it is cleared again."""
    acknowledged = 0
    async with party(tmp_path, 8) as table:
        await table.begin(target=10)
        log = table.bot.database.with_name(table.bot.database.name + "-wal")
        for _ in range(FULL_DISKS):
            person, action = await table.choose()
            before = (await table.read()).revision
            with full_disk(table.bot, log.stat().st_size + table.rng.randrange(100_000)):
                it = await table.do(person, action)
                await table.wire.until(lambda it=it: answered(it))  # type: ignore[misc]
                stored = await table.read()
            assert is_stored(Told(it, action, before), stored), f"{action} was acknowledged and is lost"
            acknowledged += stored.revision > before
            await table.settled()
            await table.step()
        (await table.read()).check_once(table.delivered)
    record_property("full disks", FULL_DISKS)
    record_property("actions answered, and found in the store", acknowledged)


@needs_limits
@pytest.mark.parametrize("late", [False, True])
async def test_an_action_that_was_refused_is_not_carried_out_when_it_is_redelivered(table: Party, late: bool) -> None:
    """Discord delivers again what a session has missed. By then the person has tried again, or changed their mind."""
    game = await table.game()
    person = await table.person(game.to_act[0])
    with full_disk(table.bot):
        it = await person.human.slash("end")
        await table.wire.until(lambda: told(it))
    answers = [m.text for m in it.messages]
    await table.bot.kill()
    if late:  # it comes when Discord takes no first answer anymore
        table.wire.gateway.starts.apart = 5.0
    await table.bot.start()
    asked = len(it.requests)
    await table.wire.deliver(it)
    await table.wire.until(lambda: len(it.requests) > asked)  # the bot has begun with it
    await table.settled()
    assert (await table.read()).revision == len(game.records)
    assert [m.text for m in it.messages] == answers
    await table.do(person, EndTurn())
    await table.settled(len(game.records) + 1)

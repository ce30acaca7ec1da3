"""Campaigns (make soak): the bot is killed at each kind of request, and each kind of request fails in each way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.wire.campaign import (
    KINDS,
    Account,
    Moment,
    play,
    posted_twice,
    put_away,
    right_again,
    told_is_stored,
    until_hit,
)
from tests.wire.openings import main_step
from tests.wire.party import READY, Party, party

Record = Callable[[str, object], None]
pytestmark = pytest.mark.soak

LONG = 600.0
"""Seconds for which a request waits until the bot is killed."""
ROUNDS = 3

FAULTS: dict[str, dict[str, Any]] = {
    "400": {"status": 400},
    "403": {"status": 403},
    "404": {"status": 404},
    "429": {"status": 429, "retry_after": 0.5},
    "500": {"status": 500},
    "502": {"status": 502},
    "503": {"status": 503},
    "reset": {"cut": True},
    "reset after its effect": {"cut": True, "effect": True},
    "hangs for 10 s": {"delay": 10.0},
    "10008": {"code": 10008},
    "10062": {"code": 10062},
    "30046": {"code": 30046, "times": 5},
    "40060": {"code": 40060},
    "50013": {"code": 50013},
    "50027": {"code": 50027},
}


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("name", KINDS)
async def test_nothing_is_lost_when_harbormaster_is_killed_at_each_kind_of_request(
    tmp_path: Path, name: str, when: str, record_property: Record
) -> None:
    """Killed before or after it takes effect. What people were told is stored, once, and shown in one panel. Nothing is
    posted twice.

    In round n this happens at the n-th request of the kind.
    """
    kind, account = KINDS[name], Account(f"killed {when} the effect of {name}")
    async with party(tmp_path, position=await main_step(tmp_path), limits=True) as table:
        await kind.prepare(table)
        for number in range(ROUNDS):
            await a_running_game(table)
            how = {"delay" if when == "before" else "reply_delay": LONG}
            fault = kind.fault(table, number, **how)
            moment = await until_hit(table, kind, fault)
            if moment is None:
                account.counts["not reached"] += 1
                table.wire.faults.clear()
                continue
            await table.bot.kill()
            table.wire.faults.clear()
            problems = await told_is_stored(table, moment, kind.do is play)
            await table.bot.start()
            await asyncio.sleep(READY)
            problems += await right_again(table, account)
            problems += await posted_twice(table, moment)
            await play(table)
            problems += await right_again(table, account)
            account.counts["kills"] += 1
            account.problems += [f"kill {number + 1}: {problem}" for problem in problems]
        (await table.read()).check_once({str(it) for it in ids(table)})
    account.close(record_property)


@pytest.mark.parametrize("name", KINDS)
async def test_the_panel_recovers_when_each_kind_of_request_fails_in_each_way(
    tmp_path: Path, name: str, record_property: Record
) -> None:
    """Each fails once, in the middle of a game. The panel is right within a minute, and no traceback is logged."""
    kind, account = KINDS[name], Account(f"faults of {name}")
    async with party(tmp_path, position=await main_step(tmp_path), limits=True) as table:
        await kind.prepare(table)
        for what, how in FAULTS.items():
            await a_running_game(table)
            fault = kind.fault(table, **how)
            moment = await until_hit(table, kind, fault)
            if moment is None:
                account.counts["not reached"] += 1
                table.wire.faults.clear()
                continue
            await moment.doing
            problems = await right_again(table, account)
            table.wire.faults.clear()
            problems += unexpected(table, moment)
            account.counts["faults"] += 1
            account.problems += [f"{what}: {problem}" for problem in problems]
        (await table.read()).check_once({str(it) for it in ids(table)})
    account.close(record_property)


def unexpected(table: Party, moment: Moment) -> list[str]:
    """The last line of each traceback in the log."""
    lines, found = moment.logged(table).splitlines(), []
    for n, line in enumerate(lines):
        if "Traceback (most recent call last)" in line:
            end = next((text for text in lines[n + 1 :] if text[:1].strip()), "")
            found.append(f"traceback: {end}")
    return found


def ids(table: Party) -> list[int]:
    """Ids of all interactions."""
    return [it.id for it in table.wire.world.interactions.values()]


async def a_running_game(table: Party) -> None:
    """Make sure that a game is running: the present one, or its rematch."""
    if (await table.game()).outcome is not None:
        over = await table.panel()
        await table.rematch()
        put_away(over)  # its buttons stay, which is right
        for _ in range(17):
            await play(table)
            await table.settled()

"""A process is killed while it holds a job, such as a reminder, an order or a deadline: another one does it, once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from bot.projections import Kind, Name
from bot.service import Services
from bot.service.orders import DELAY
from bot.store import open_store
from bot.table.options import DAY, DECIDE, REMIND
from bot.table.preferences import DM
from engine.actions import Action, DecideFor, DeclineFor, DeclineOffer, Expire, MakeOffer, Roll
from engine.game import Game
from engine.resources import single
from tests.bot.playground import ANN, BOB, CEM, Playground, do_due
from tests.bot.service.tables import HOUR, in_step, paced, rolled, until, wait_of, window
from tests.forks import fork

TAKEN, DONE = "taken", "done"
"""Where the process stops: when it has taken the job, or has stored the result and not yet dropped the job."""


async def hold(here: Connection, database: Path | str, clock: float, moment: str) -> None:
    """Be the process that dies: do what is due at that time, up to the moment; then report the moment, and hang."""
    store = await open_store(database)
    services = Services.of(store, now=lambda: clock)
    services.ownership.has(1, (0,), inf)

    async def hang(*_: Any) -> None:
        here.send(moment)
        await asyncio.sleep(3600)

    if moment == DONE:
        setattr(store, "drop_job", hang)  # noqa: B010
    else:
        setattr(services.jobs, "_do", hang)  # noqa: B010
    await do_due(services)


@dataclass(frozen=True)
class Due:
    """Something that becomes due: the game's number, the time, and the actions that it adds to the game's records."""

    number: int
    at: float
    records: Sequence[type[Action]]


Case = Callable[[Playground], Awaitable[Due]]


async def reminder(ground: Playground) -> Due:
    table = await paced(ground, REMIND, int(DAY))
    return Due(table.number, wait_of(await ground.table(table.number)).since + 3 * HOUR + 5, ())


async def reminder_by_message(ground: Playground) -> Due:
    for user in (ANN, BOB, CEM):
        await ground.services.people.change_settings(user, choices={"reminders": DM, "direct": 7})
    return await reminder(ground)


async def order(ground: Playground) -> Due:
    table = await ground.begun(ANN, BOB, CEM, target=20)
    table, game = await until(ground, table.number, in_step("pre_roll"))
    await ground.services.orders.give(table.number, table.user_at(game, game.to_act[0]), roll=True)
    return Due(table.number, ground.clock + DELAY[1] + 1, (Roll,))


async def decision(ground: Playground) -> Due:
    """A settlement and its road are placed for a player who is late."""
    table = await paced(ground, DECIDE)
    return Due(table.number, ground.clock + HOUR + 5, (DecideFor, DecideFor))


async def answer(ground: Playground) -> Due:
    """One of two players has declined an offer, and the other one doesn't answer."""
    table = await paced(ground, DECIDE)
    rng = random.Random(3)
    while True:
        table, game = await rolled(ground, table.number)
        [seat] = game.to_act
        if any(hand := game.state.hands[seat]):
            break
        await ground.step(table.number, rng)
    kind = next(k for k, n in enumerate(hand) if n)
    offer = MakeOffer(single(kind), single((kind + 1) % 5))
    table = (await ground.play(table.number, table.user_at(game, seat), offer)).table
    first, second = (wait for wait in table.waits if wait.offer)
    ground.clock += HOUR / 2  # an answer restarts the time of the offer's maker
    await ground.play(table.number, table.user_at(game, first.seat), DeclineOffer(first.serial))
    return Due(table.number, (second.until or 0) + 1, (DeclineFor,))


async def knights(ground: Playground) -> Due:
    """The window for knights closes."""
    table, _ = await window(ground)
    assert table.deadline is not None
    return Due(table.number, table.deadline.at + 1, (Expire,))


HELD = [
    *((case, moment) for case in (reminder, order, decision) for moment in (TAKEN, DONE)),
    *((case, DONE) for case in (reminder_by_message, answer, knights)),
]


@pytest.mark.on_databases
@pytest.mark.parametrize(("case", "moment"), HELD, ids=lambda value: getattr(value, "__name__", value))
async def test_a_job_held_by_a_killed_process_is_done_once(ground: Playground, case: Case, moment: str) -> None:
    due = await case(ground)
    before, revision = await ground.table(due.number), await ground.revision(due.number)
    ground.clock = due.at
    await ground.close()
    process, received = fork(hold, ground.database, ground.clock, moment)
    assert received.recv() == moment
    process.kill()
    process.join()

    await ground.open()
    stored = await ground.revision(due.number)
    assert stored == revision + (len(due.records) if moment == DONE else 0)
    for _ in range(3):  # no matter how often
        await do_due(ground.services)
        ground.clock += 61
    game, table = await ground.game(due.number), await ground.table(due.number)
    records = game.records[revision:]
    assert [type(record.action) for record in records] == list(due.records)
    assert Game.replay(game.config, game.records).hash() == game.hash()
    if not due.records:
        assert (wait_of(table).reminded, table.version) == (1, before.version + 1)
        user = table.user_at(game, wait_of(table).seat)
        by_message = Name(Kind.REMINDER, user=user) in await ground.store.visible(due.number)
        assert by_message == (case is reminder_by_message) == (not wait_of(table).pinged)
    if case is order:
        mine = await ground.services.orders.of(due.number, table.user_at(game, records[0].actor))
        assert [deed.order for deed in mine.done] == ["roll"]

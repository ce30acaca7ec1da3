"""When direct messages can be opened: one turn for each person, no matter how often it is tried."""

from __future__ import annotations

import pytest

from bot.service.people import LONGEST_QUEUE, OPENINGS_APART, OPENINGS_AT_ONCE
from bot.store.base import CALL_JOB
from tests.bot.playground import ANN, BOB, CEM, Playground


async def test_repeated_attempts_for_one_user_take_only_one_turn(ground: Playground) -> None:
    directs = ground.services.directs
    for _ in range(2 * OPENINGS_AT_ONCE):  # as in an outage
        assert await directs.wait(1) == 0
    waits = [await directs.wait(user) for user in range(2, OPENINGS_AT_ONCE + 2)]
    assert waits[:-1] == [0] * (OPENINGS_AT_ONCE - 1)
    assert waits[-1] is not None
    assert 0 < waits[-1] <= OPENINGS_APART


async def test_no_one_waits_longer_than_two_hours_for_a_turn(ground: Playground) -> None:
    directs = ground.services.directs
    waits = [await directs.wait(user) for user in range(1, 100)]
    given = [wait for wait in waits if wait is not None]
    assert len(given) == len(waits) - waits.count(None) < 50
    assert LONGEST_QUEUE - 2 * OPENINGS_APART < max(given) <= LONGEST_QUEUE
    assert waits[len(given) :] == [None] * waits.count(None)
    ground.clock += OPENINGS_APART + 100
    assert await directs.wait(100) is not None, "there is room again"
    assert await directs.wait(101) is None


@pytest.mark.on_databases
async def test_direct_messages_that_are_open_are_used_in_all_games_at_once(ground: Playground) -> None:
    """In other processes, too, where each game's turn to open them would be later."""
    numbers = [(await ground.begun(ANN, BOB, CEM, channel=channel)).number for channel in (50, 51)]
    await ground.services.people.change_settings(BOB, choices={"direct": 7})
    jobs = await ground.store.due_jobs(ground.clock, 9)
    assert [job.game for job in jobs if job.name.startswith(CALL_JOB)] == (numbers if ground.store.shared else [])


@pytest.mark.on_databases
async def test_whom_a_message_was_promised_is_known_after_a_restart(ground: Playground) -> None:
    directs = ground.services.directs
    for user, at in ((ANN, 300.0), (BOB, 200.0), (CEM, 100.0)):
        await directs.promise(user, at)
    await directs.promise(CEM, None)
    await directs.promise(BOB, 250.0)
    await ground.kill()
    assert list((await ground.services.directs.promised()).items()) == [(BOB, 250.0), (ANN, 300.0)]
    await ground.services.privacy.forget(ANN)
    assert await ground.services.directs.promised() == {BOB: 250.0}

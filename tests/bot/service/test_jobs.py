"""Jobs are done at their time, by the process that owns the game, or by its next owner if that one dies."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from math import inf

import pytest

from bot.service import jobs as module
from bot.service.jobs import Jobs
from bot.service.reach import UNDECIDED_AGAIN_AFTER, Undecided
from bot.service.shards import Ownership
from bot.store import Damaged, Shards, Store, Unavailable, open_store
from bot.store.base import Job
from tests.bot.playground import ANN, Playground


def doing(store: Store, ground: Playground, done: list[str], *, shards: Sequence[int] = (0,)) -> Jobs:
    """The jobs of a process that adds the names of what it does to `done`, and has these of two shards."""
    ownership = Ownership(store, lambda: ground.clock)
    ownership.has(2, shards, inf)
    jobs = Jobs(store, ownership, lambda: ground.clock)

    async def do(job: Job) -> None:
        done.append(job.name)
        await asyncio.sleep(0.01)

    jobs.when("remind", do)
    return jobs


@pytest.mark.on_databases
async def test_a_job_is_done_once_at_its_time(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that has the game's shard does it, whichever process has set it."""
    monkeypatch.setattr(module, "SEARCH_EVERY", 0.05)
    number = (await ground.lobby(ANN)).number
    other = await open_store(ground.database)
    done = list[str]()
    workers = [doing(ground.store, ground, done)]
    if ground.store.shared:
        workers.append(doing(other, ground, done, shards=(1,)))
    for jobs in workers:
        await jobs.start()
    start = ground.clock
    for n in range(10):
        await workers[-1].set(Job(number, f"remind:{n}", start + 0.05))
    ground.clock = start + 1
    await asyncio.sleep(0.3)
    assert sorted(done) == [f"remind:{n}" for n in range(10)]
    for jobs in workers:
        await jobs.close()
    await other.close()


async def test_a_start_does_not_wait_for_jobs(ground: Playground) -> None:
    """A restarted process is on Discord immediately, however many bots have to go on playing."""
    number = (await ground.lobby(ANN)).number
    jobs, end = doing(ground.store, ground, []), asyncio.Event()

    async def do(job: Job) -> None:
        await end.wait()

    jobs.when("remind", do)
    await ground.store.set_job(Job(number, "remind", ground.clock - 1))
    await asyncio.wait_for(jobs.start(), 5)
    assert jobs.busy == 1
    end.set()
    await jobs.close()
    assert await ground.store.next_job(0.0) is None


async def test_a_failed_job_is_tried_again(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    number = (await ground.lobby(ANN)).number
    done = list[str]()
    jobs = doing(ground.store, ground, done)
    failing = [True]

    async def fail(job: Job) -> None:
        if failing.pop():
            failing.append(False)
            raise Unavailable("it is locked")
        done.append("at last")

    jobs.when("shaky", fail)
    await ground.store.set_job(Job(number, "shaky", ground.clock))
    await jobs.start()
    assert done == []
    assert "the job shaky could not be done: it is locked" in caplog.text
    ground.clock += module.JOB_AGAIN_AFTER + 1
    await jobs._look()
    assert done == ["at last"]
    assert await ground.store.next_job(0.0) is None
    await jobs.close()


async def test_a_job_that_waits_for_certainty_is_tried_again_within_seconds(
    ground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    number, tries = (await ground.lobby(ANN)).number, 0
    jobs = doing(ground.store, ground, [])

    async def doubt(job: Job) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise Undecided("Discord doesn't answer")

    jobs.when("unsure", doubt)
    await ground.store.set_job(Job(number, "unsure", ground.clock))
    await jobs.start()
    for _ in range(2):
        ground.clock += UNDECIDED_AGAIN_AFTER
        await jobs._look()
    assert tries == 3
    assert await ground.store.next_job(0.0) is None
    assert not [record for record in caplog.records if record.levelname == "WARNING"]
    await jobs.close()


@pytest.mark.on_databases
async def test_a_process_that_gets_a_shard_does_its_leftover_jobs(ground: Playground) -> None:
    """What was left by a process that has died, or has begun a job and not finished it."""
    number, done = (await ground.lobby(ANN)).number, list[str]()
    jobs = doing(ground.store, ground, done, shards=())
    await jobs.set(Job(number, "remind", ground.clock))
    await jobs.start()
    assert done == ([] if ground.store.shared else ["remind"])
    jobs._ownership.has(2, (0,), inf)
    await jobs._tasks.finished()
    assert done == ["remind"]
    await jobs.close()


async def test_a_job_set_again_while_it_is_being_done_is_done_again(ground: Playground) -> None:
    number, done = (await ground.lobby(ANN)).number, list[str]()
    jobs = doing(ground.store, ground, done)

    async def set_anew(job: Job) -> None:
        done.append(job.name)
        if len(done) == 1:
            await jobs.set(replace(job, times=0))

    jobs.when("again", set_anew)
    await jobs.start()
    await jobs.set(Job(number, "again", ground.clock))
    await asyncio.sleep(0.1)
    assert done == ["again", "again"]
    assert await ground.store.due_jobs(ground.clock, 9) == []
    await jobs.close()


@pytest.mark.parametrize("error", [Unavailable("it is locked"), Damaged(None), ValueError("a row is odd")])
async def test_jobs_are_looked_for_again_after_any_error(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    number, done = (await ground.lobby(ANN)).number, list[str]()
    jobs = doing(ground.store, ground, done)
    await ground.store.set_job(Job(number, "remind", ground.clock))

    async def fail() -> None:
        jobs.check_by(nothing)
        raise error

    async def nothing() -> None:
        pass

    monkeypatch.setattr(module, "SEARCH_AGAIN_AFTER", 0.01)
    jobs.check_by(fail)
    await jobs._look()
    await asyncio.sleep(0.1)
    assert done == ["remind"]
    await jobs.close()


async def test_no_timer_is_left_when_there_are_no_jobs(ground: Playground) -> None:
    jobs = doing(ground.store, ground, [])
    await jobs.start()
    assert jobs.next == float("inf")
    assert jobs._timer is None
    await jobs.close()


async def test_a_slow_job_does_not_hold_up_others(ground: Playground) -> None:
    number = (await ground.lobby(ANN)).number
    done, finish = list[str](), asyncio.Event()
    jobs = doing(ground.store, ground, done)

    async def slow(job: Job) -> None:
        await finish.wait()
        done.append(job.name)

    jobs.when("slow", slow)
    await jobs.set(Job(number, "slow", ground.clock))
    looking = asyncio.create_task(jobs._look())
    await asyncio.sleep(0.05)
    await jobs.set(Job(number, "remind:1", ground.clock))
    await jobs._look()
    assert done == ["remind:1"]
    finish.set()
    await looking
    assert done == ["remind:1", "slow"]
    await jobs.close()


async def test_a_job_set_while_the_next_one_is_looked_up_is_not_missed(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, next_job = doing(ground.store, ground, []), ground.store.next_job

    async def slowly(after: float, shards: Shards | None = None) -> float | None:
        next_time = await next_job(after, shards)  # the answer is on its way when another connection stores a job
        jobs.expect(ground.clock + 5)
        return next_time

    monkeypatch.setattr(ground.store, "next_job", slowly)
    await jobs._look()
    assert jobs.next == ground.clock + 5
    await jobs.close()


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of warnings and errors in the log."""
    return [record.getMessage() for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.on_databases
async def test_a_job_that_begins_late_is_logged(ground: Playground, caplog: pytest.LogCaptureFixture) -> None:
    number, done = (await ground.lobby(ANN)).number, list[str]()
    jobs = doing(ground.store, ground, done)
    await jobs.start()
    await jobs.set(Job(number, "remind", ground.clock + 60))
    await jobs.set(Job(number, "remind:2", ground.clock + 60))  # that it exists, and for whom, is secret (M)
    assert jobs.late == 0
    ground.clock += 75  # but the timer of the jobs hasn't noticed
    assert jobs.late == 15
    jobs.hurry()
    await asyncio.sleep(0.1)
    assert jobs.late == 0
    assert sorted(done) == ["remind", "remind:2"]
    assert said(caplog) == [f"Game {number}: the job remind is done 15 s late"]
    await jobs.close()


async def test_a_job_due_before_the_start_or_tried_again_is_not_logged_as_late(
    ground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    number, done = (await ground.lobby(ANN)).number, list[str]()
    jobs = doing(ground.store, ground, done)

    async def fail(job: Job) -> None:
        raise Unavailable("it is locked")

    jobs.when("shaky", fail)
    await ground.store.set_job(Job(number, "remind", ground.clock - 600))
    await ground.store.set_job(Job(number, "shaky", ground.clock - 600))
    await jobs.start()
    await asyncio.sleep(0.1)
    ground.clock += module.JOB_AGAIN_AFTER + 1
    await jobs._look()
    assert done == ["remind"]
    assert said(caplog) == [f"Game {number}: the job shaky could not be done: it is locked"] * 2
    await jobs.close()


async def test_hanging_jobs_are_given_up_so_that_others_are_done(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "MOST_JOBS", 2)
    monkeypatch.setattr(module, "LONGEST_JOB", 0.5)
    number, done = (await ground.lobby(ANN)).number, list[str]()
    jobs, begun = doing(ground.store, ground, done), asyncio.Barrier(3)  # two that hang, and this test

    async def hang(job: Job) -> None:
        await begun.wait()
        await asyncio.Event().wait()

    jobs.when("hang", hang)
    await jobs.start()
    for name in ("hang:1", "hang:2", "remind"):
        await jobs.set(Job(number, name, ground.clock))
    async with asyncio.timeout(10):
        await begun.wait()
        ground.clock += 15
        assert (jobs.late, done) == (15, [])
        await jobs._tasks.finished()
    assert (jobs.late, jobs.busy, done) == (0, 0, ["remind"])
    given_up = f"Game {number}: the job hang is given up after 0 s, and comes again"
    assert said(caplog) == [given_up, given_up, f"Game {number}: the job remind is done 15 s late"]
    await jobs.close()

"""A forgotten job that is due is noticed, logged once, and done."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from bot.discord.app import JobsCheck
from bot.metrics import Metrics
from bot.monitoring.health import STARTING, Health
from bot.service.jobs import Jobs
from bot.store.base import Job
from tests.bot.playground import ANN, Playground


async def test_a_forgotten_due_job_is_logged_once_and_done(
    ground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    number, names = (await ground.lobby(ANN)).number, list[str]()
    jobs = Jobs(ground.store, ground.services.ownership, lambda: ground.clock)

    async def do(job: Job) -> None:
        names.append(job.name)

    jobs.when("remind", do)
    client: Any = SimpleNamespace(store=None, app=SimpleNamespace(services=SimpleNamespace(jobs=jobs)))
    health = Health({"jobs": JobsCheck(client).look}, Metrics(), lambda: None)
    await health.look()
    assert health.problems == {"jobs": STARTING}
    client.store = ground.store
    await jobs.start()
    await jobs.set(Job(number, "remind", ground.clock + 60))
    for passed in (65, 7, 7):
        ground.clock += passed
        await health.look()
        await asyncio.sleep(0.1)
    await health.look()
    assert names == ["remind"]
    assert {record.getMessage() for record in caplog.records[-3:]} == {
        "Not ready (jobs): what is due has not been begun for 12 s; 0 jobs are under way",
        f"Game {number}: the job remind is done 12 s late",
        "Ready again (jobs)",
    }
    await jobs.close()

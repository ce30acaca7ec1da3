"""What the checks find, what the log says about it, and when the process gives up."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.metrics import Metrics
from bot.monitoring import health
from bot.monitoring.health import CHECK_EVERY, FINE, STARTING, STOPPING, UNWRITABLE_FOR, Checkup, Health, Writable
from bot.store import Unavailable


class Bench:
    """A `Health` with one check, whose finding can be set."""

    def __init__(self) -> None:
        self.finding = FINE
        self.gave_up = 0
        self.metrics = Metrics()
        self.health = Health({"store": self.look}, self.metrics, self.give_up)

    async def look(self) -> Checkup:
        return self.finding

    def give_up(self) -> None:
        self.gave_up += 1

    @property
    def gauge(self) -> float | None:
        return self.metrics.registry.get_sample_value("harbormaster_check_ok", {"check": "store"})


async def test_a_change_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    bench = Bench()
    assert bench.health.problems == {"store": STARTING}
    for finding in (FINE, FINE, Checkup("full"), Checkup("still full"), FINE):
        bench.finding = finding
        await bench.health.look()
        assert bench.health.problems == {"store": finding.problem}
        assert bench.gauge == (not finding.problem)
    assert [r.getMessage() for r in caplog.records] == ["Not ready (store): full", "Ready again (store)"]
    assert bench.gave_up == 0


async def test_harbormaster_gives_up_only_once(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    bench.finding = Checkup("full for long", hopeless=True)
    for _ in range(3):
        await bench.health.look()
    assert bench.gave_up == 1
    assert [r.levelname for r in caplog.records].count("CRITICAL") == 1


async def test_a_check_that_raises_is_a_problem_but_doesnt_end_the_process(caplog: pytest.LogCaptureFixture) -> None:
    async def broken() -> Checkup:
        raise ZeroDivisionError

    bench = Bench()
    checker = Health({"odd": broken, "store": bench.look}, bench.metrics, bench.give_up)
    await checker.look()
    assert checker.problems == {"odd": "the check has failed; the log says why", "store": ""}
    assert "ZeroDivisionError" in caplog.text
    assert bench.gave_up == 0


async def test_a_check_that_hangs_doesnt_hold_up_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hanging() -> Checkup:
        await asyncio.Event().wait()
        return FINE

    monkeypatch.setattr(health, "CHECK_EVERY", 0.05)
    bench = Bench()
    bench.finding = Checkup("full for long", hopeless=True)
    checks = {"slow": hanging, "store": bench.look}
    checker = Health(checks, bench.metrics, bench.give_up)
    checker.start()
    await asyncio.sleep(0.12)
    assert checker.problems == {"slow": "no answer within 0 s", "store": "full for long"}
    assert bench.gave_up == 1
    checker.stop()


async def test_a_stopping_process_is_not_ready() -> None:
    bench = Bench()
    bench.health.start()
    await asyncio.sleep(0.01)
    assert bench.health.problems == {"store": ""}
    bench.health.stop()
    assert bench.health.problems == {"store": STOPPING}
    assert bench.gauge == 0


# --- whether the store can write


class Disk:
    """Something to write to, which can fail or hang."""

    def __init__(self) -> None:
        self.writes = 0
        self.error: Exception | None = None
        self.free = asyncio.Event()
        self.free.set()

    async def write(self) -> None:
        self.writes += 1
        await self.free.wait()
        if self.error is not None:
            raise self.error


async def test_the_check_writes_only_if_nothing_was_stored_lately(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk()
    check = Writable(disk.write)
    assert await check.look() == FINE
    assert await check.look() == FINE
    assert disk.writes == 1
    monkeypatch.setattr(health, "WRITE_AFTER", 0.0)
    check.stored()
    await check.look()
    assert disk.writes == 2
    monkeypatch.setattr(health, "WRITE_AFTER", 60.0)
    check.stored()
    await check.look()
    assert disk.writes == 2


async def test_a_failing_write_is_retried_at_each_look_and_hopeless_in_the_end() -> None:
    disk = Disk()
    disk.error = Unavailable("database or disk is full")
    check = Writable(disk.write)
    findings = [await check.look() for _ in range(int(UNWRITABLE_FOR / CHECK_EVERY))]
    assert {finding.problem for finding in findings} == {"the store can't be written: database or disk is full"}
    assert [finding.hopeless for finding in findings] == [False] * (len(findings) - 1) + [True]
    assert disk.writes == len(findings)
    disk.error = None
    assert await check.look() == FINE
    disk.error = ValueError("a hand")
    assert (await Writable(disk.write).look()).problem == "the store can't be written: ValueError"


async def test_no_write_begins_while_another_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "WRITE_WITHIN", 0.01)
    disk = Disk()
    disk.free.clear()
    check = Writable(disk.write)
    assert [(await check.look()).problem for _ in range(3)] == ["a write has taken more than 0 s"] * 3
    disk.free.set()
    assert await check.look() == FINE
    assert disk.writes == 1

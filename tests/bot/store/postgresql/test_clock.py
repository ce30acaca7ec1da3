"""The clock that processes share follows the database's clock, whatever happens to a machine's own clock."""

from __future__ import annotations

import random
import time

import pytest

from bot.store import MustEnd, open_store
from bot.store.postgresql.database import CLOCKS_APART, SharedClock
from tests.postgres import NewDatabase

DAY = 86_400.0


@pytest.mark.parametrize("seed", range(20))
def test_the_clock_is_right_or_the_process_must_end_despite_set_clocks_and_sleep(seed: int) -> None:
    """Between two looks it is wrong by at most the time that the machine slept; a process that can't be right ends."""
    rng = random.Random(seed)
    real, slept, off, ended = 1e9, 0.0, 0.0, 0
    clock = SharedClock(wall=lambda: real + off, steady=lambda: real - slept)
    clock.compare(real, real)
    for _ in range(20_000):
        real += 3.0
        fate = rng.random()
        if fate < 0.01:
            off += rng.choice((-300.0, 300.0, 5.0, -5.0, 0.5))
        elif fate < 0.02:
            nap = rng.uniform(1.0, DAY / 3)
            real, slept = real + nap, slept + nap
        before = real + off
        theirs = real + rng.uniform(0.0, 2.0)
        real = theirs + rng.uniform(0.0, 8.0)
        if abs(off) > CLOCKS_APART + 10.0:
            with pytest.raises(MustEnd):
                clock.compare(before, theirs)
            ended, off = ended + 1, 0.0
            clock.compare(real, real)
            continue
        try:
            clock.compare(before, theirs)
        except MustEnd:
            assert abs(off) > CLOCKS_APART
            off = 0.0
            clock.compare(real, real)
        assert abs(clock() - real) <= 8.0 + 1e-3, "it is late by the answer's way at most"
    assert ended > 10


async def test_a_process_with_a_wrong_clock_must_end(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    off, now = [0.0], time.time
    monkeypatch.setattr(time, "time", lambda: now() + off[0])
    store = await open_store(new_database())
    await store.check()
    assert store.time() == pytest.approx(now(), abs=2.0)
    for off[0] in (20.0, -20.0):
        with pytest.raises(MustEnd, match=r"clock is [12][0-9] s"):
            await store.check()
        assert store.time() == pytest.approx(now(), abs=2.0), "nobody's deadline moves"
    await store.close()

"""Clocks and chance of the machine, replaced: the program gets simulated time, by the clock of the simulated machine
on which it runs, and bytes that follow from the seed. Call `install` before anything else is imported: names and
defaults that are bound at the import keep what they found."""

from __future__ import annotations

import datetime
import itertools
import os
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from simloom._context import current_host

EPOCH = 1_790_000_000.0
"""What Discord's clock says at the beginning, in seconds since the epoch."""
REAL: Callable[[], float] = time.perf_counter
"""The clock of the machine that simulates, for speed only."""


class Clock(Protocol):
    """The clock of a simulated machine."""

    ahead: float
    """Seconds by which it is ahead of Discord's."""


class _Universe:
    """What all clocks go by."""

    now: Callable[[], float] = staticmethod(lambda: 0.0)
    chance = random.Random(0)
    seeds: Iterator[bytes] = iter(())


def begin(now: Callable[[], float], seed: int) -> None:
    """From now on, simulated time is what `now` says, and chance follows from the seed."""
    _Universe.seeds = (random.Random(f"seed {seed} {n}").randbytes(64) for n in itertools.count())
    _Universe.now, _Universe.chance = staticmethod(now), random.Random(f"chance {seed}")  # type: ignore[assignment]
    random.seed(f"global {seed}")


def entropy(count: int) -> bytes:
    """Bytes for the seed of the next game, whatever else has asked for bytes."""
    return next(_Universe.seeds)[:count]


def wall() -> float:
    """Seconds since the epoch, by the clock of the machine that asks."""
    host = current_host.get()
    return EPOCH + _Universe.now() + (host.clock.ahead if host else 0.0)


def steady() -> float:
    """Seconds by a clock that no one sets."""
    return _Universe.now()


class _Kind(type):
    """Dates made by C code are dates, too."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _DATE)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, _DATE)


_DATE = datetime.datetime


class _Date(_DATE, metaclass=_Kind):
    """`datetime.datetime` by the simulated clock."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return _DATE.fromtimestamp(wall(), tz)


def _bytes(count: int) -> bytes:
    return _Universe.chance.randbytes(count)


_SEED = random.Random.seed


def _seed(self: random.Random, a: Any = None, version: int = 2) -> None:
    """As `random.Random.seed`. Chance without a seed follows from the universe's: C code would ask the machine."""
    _SEED(self, _Universe.chance.getrandbits(64) if a is None else a, version)


def install() -> None:
    """Replace the clocks, the random bytes and the seeds of this process for good."""
    for name, clock in (("time", wall), ("monotonic", steady), ("perf_counter", steady)):
        setattr(time, name, clock)
        setattr(time, f"{name}_ns", lambda clock=clock: int(clock() * 1e9))
    datetime.datetime = _Date  # type: ignore[misc]
    os.urandom = _bytes
    random._urandom = _bytes  # type: ignore[attr-defined]
    random.Random.seed = _seed  # type: ignore[method-assign]

"""The clock of all processes that share a database: the database's own, advanced between looks by a clock that no one
sets."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.store.errors import MustEnd

NOW = "extract(epoch FROM clock_timestamp())::float8"
"""SQL for what the database's clock says, in seconds since the epoch."""
APART = 3.0
"""Seconds by which this machine's clock can differ from the database's before the process must end."""


class SharedClock:
    """The shared clock: calling it gives the seconds since the epoch, once `compare` was called."""

    def __init__(self, wall: Callable[[], float] | None = None, steady: Callable[[], float] = time.monotonic) -> None:
        """`wall`: this machine's clock; `steady`: a clock that no one sets. Both in seconds."""
        self._wall, self._steady = wall or time.time, steady
        self._offset: float | None = None

    def __call__(self) -> float:
        assert self._offset is not None, "the database's clock hasn't been read yet"
        return self._steady() + self._offset

    def compare(self, before: float, theirs: float) -> None:
        """Set this clock: the database said `theirs` after this machine's clock said `before`. Raises `MustEnd` if they
        differ too much."""
        off = ahead(before, theirs, self._wall())
        if abs(off) > APART:
            which = "ahead of" if off > 0 else "behind"
            raise MustEnd(f"this machine's clock is {abs(off):.0f} s {which} the database's; set both, best by NTP")
        self._offset = theirs - self._steady()

    def before(self) -> float:
        """The time to note before a question, for `check`; 0 as long as this clock isn't set."""
        return 0.0 if self._offset is None else self()

    def check(self, before: float, theirs: float) -> None:
        """Check this clock: it said `before` before a transaction in which the database said `theirs`. Raises `MustEnd`
        if it is off."""
        if before and abs(off := ahead(before, theirs, self())) > APART:
            self._offset = theirs - self._steady()  # for what must still be handed on
            raise MustEnd(f"this process's clock is off by {abs(off):.0f} s")


def ahead(before: float, theirs: float, after: float) -> float:
    """Seconds by which a clock is certainly ahead of another one, which said `theirs` between `before` and `after`;
    negative: behind."""
    return max(before - theirs, 0.0) or min(after - theirs, 0.0)

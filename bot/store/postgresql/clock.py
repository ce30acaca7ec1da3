"""The clock that all who share a database go by: the database's, which moves on here by one that nobody sets."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.store.errors import MustEnd

NOW = "extract(epoch FROM clock_timestamp())::float8"
"""What the database's clock says, in seconds since the epoch."""
APART = 3.0
"""Seconds by which this machine's clock may differ from the database's."""


class SharedClock:
    """Seconds since the epoch, once `compare` was called."""

    def __init__(self, wall: Callable[[], float] | None = None, steady: Callable[[], float] = time.monotonic) -> None:
        """`wall`: this machine's clock; `steady`: one that nobody sets. Both in seconds."""
        self._wall, self._steady = wall or time.time, steady
        self._offset: float | None = None

    def __call__(self) -> float:
        assert self._offset is not None, "nobody has looked at the database's clock yet"
        return self._steady() + self._offset

    def compare(self, before: float, theirs: float) -> None:
        """The database said `theirs` after this machine's clock said `before`; raises `MustEnd`."""
        off = ahead(before, theirs, self._wall())
        if abs(off) > APART:
            which = "ahead of" if off > 0 else "behind"
            raise MustEnd(f"this machine's clock is {abs(off):.0f} s {which} the database's; set both, best by NTP")
        self._offset = theirs - self._steady()

    def before(self) -> float:
        """What it says before something is asked; 0 where nobody goes by it."""
        return 0.0 if self._offset is None else self()

    def check(self, before: float, theirs: float) -> None:
        """The database said `theirs` in a transaction before which this clock said `before`; raises `MustEnd` where
        what goes by it would be wrong."""
        if before and abs(off := ahead(before, theirs, self())) > APART:
            self._offset = theirs - self._steady()  # for what is still to be handed on
            raise MustEnd(f"this process's clock is off by {abs(off):.0f} s")


def ahead(before: float, theirs: float, after: float) -> float:
    """Seconds by which a clock is certainly ahead of another that said `theirs` meanwhile; less than 0: behind."""
    return max(before - theirs, 0.0) or min(after - theirs, 0.0)

"""When Discord last sent an event: a connection can answer heartbeats and still bring no events."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)


class Pulse:
    """Notes each event of the gateway, and logs when none has come for long; then each time the silence has doubled."""

    def __init__(self, latency: Callable[[], float], silence: float) -> None:
        """`latency` returns how long the latest heartbeat took, `silence` is how long a silence can be; in seconds."""
        self._latency = latency
        self._silence = silence
        self._patience = silence
        self._last = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def age(self) -> float:
        """Seconds since the latest event."""
        return time.monotonic() - self._last

    def beat(self) -> None:
        """Note an event."""
        self._last = time.monotonic()
        if self._timer is None or self._patience != self._silence:
            self._patience = self._silence
            self._watch()

    def close(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()

    def _watch(self) -> None:
        self.close()
        self._timer = asyncio.get_running_loop().call_later(max(self._patience - self.age, 0.0), self._look)

    def _look(self) -> None:
        if self.age >= self._patience:
            latency = self._latency() * 1000
            log.warning("No event from Discord for %d s, although the latest heartbeat took %d ms", self.age, latency)
            self._patience *= 2
        self._watch()

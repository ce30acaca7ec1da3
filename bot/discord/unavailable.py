"""Servers that Discord has made unavailable, as in a partial outage: no one can see a game there or act in it."""

from __future__ import annotations

import time
from collections.abc import Collection
from math import inf

from bot.service.reach import LONG_OUTAGE
from bot.service.shards import shard_of

CREATED_WITHIN = 60.0
"""Seconds within which Discord describes the servers of a new session, all of which it calls unavailable at first."""
LONGEST_UNAVAILABLE = 6 * 3600.0
"""Seconds after which a server counts as available, whatever Discord said: it might not have said that it is back."""


class UnavailableServers:
    """The unavailable servers on this process's shards."""

    def __init__(self) -> None:
        self._since: dict[int, float] = {}
        """Since when they count as unavailable, by `time.monotonic`; that can be still to come."""
        self._back = set[int]()
        """Servers that are available again, of whose games it isn't noted yet that they were out of reach."""

    def session(self, guilds: Collection[int], shard: int, of: int) -> None:
        """A session of a shard has begun, one out of `of`: its servers are unavailable until they are described."""
        since = time.monotonic() + CREATED_WITHIN
        others = {guild: at for guild, at in self._since.items() if shard_of(guild, of) != shard}
        self._since = others | {guild: self._since.get(guild, since) for guild in guilds}

    def gone(self, guild: int) -> None:
        """A server has become unavailable."""
        self._since[guild] = min(self._since.get(guild, inf), time.monotonic())

    def there(self, guild: int) -> bool:
        """A server is available. Returns whether it was unavailable for long. Then it counts as such until `noted`."""
        long = time.monotonic() - self._since.pop(guild, inf) >= LONG_OUTAGE
        if long:
            self._back.add(guild)
        return long

    def noted(self, guild: int) -> None:
        """It is noted that a server's games were out of reach."""
        self._back.discard(guild)

    def removed(self, guild: int) -> None:
        """A server has removed Harbormaster."""
        self._since.pop(guild, None)
        self._back.discard(guild)

    def seconds(self, guild: int | None, heard: float = inf) -> float | None:
        """Seconds for which a server has been unavailable; less than 0: it isn't yet described; None: it is available.

        `heard`: seconds for which this process has heard all that Discord says of it. What it heard before that can be
        out of date.
        """
        if guild in self._back:
            return LONG_OUTAGE
        if guild is None or guild not in self._since:
            return None
        seconds = time.monotonic() - self._since[guild]
        if seconds > min(heard, LONGEST_UNAVAILABLE):
            del self._since[guild]
            return None
        return seconds

    @property
    def long(self) -> set[int]:
        """Servers that have been unavailable for long."""
        known = {guild: self.seconds(guild) for guild in {*self._since, *self._back}}
        return {guild for guild, seconds in known.items() if seconds is not None and seconds >= LONG_OUTAGE}

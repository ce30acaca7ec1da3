"""What outlives a connection to the gateway: sessions with their events, and how many more sessions can begin."""

from __future__ import annotations

import asyncio
import contextlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.wire.model import Json

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11


class Connection:
    """One WebSocket, compressed as the client asked (zlib-stream, or not at all).

    Payloads arrive in order, `delay` seconds later. `under_way` counts those that haven't arrived.
    """

    def __init__(self, socket: web.WebSocketResponse, compress: str | None, delay: Callable[[], float]) -> None:
        self.socket = socket
        self.under_way = 0
        self.received: list[float] = []  # when the client's latest payloads came
        self._zlib = zlib.compressobj() if compress == "zlib-stream" else None
        self._delay = delay
        self._last: asyncio.Task[None] | None = None

    async def send(self, op: int, data: Any = None, event: str | None = None, seq: int | None = None) -> None:
        """Send one payload."""
        text = json.dumps({"op": op, "d": data, "t": event, "s": seq}, separators=(",", ":"))
        payload: str | bytes = text
        if self._zlib is not None:
            payload = self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
        seconds = self._delay()
        if not seconds and not self.under_way:
            await self._put(payload)
            return
        self.under_way += 1
        self._last = asyncio.create_task(self._later(seconds, self._last, payload))

    async def _put(self, payload: str | bytes) -> None:
        if isinstance(payload, str):
            await self.socket.send_str(payload)
        else:
            await self.socket.send_bytes(payload)

    async def _later(self, seconds: float, before: asyncio.Task[None] | None, payload: str | bytes) -> None:
        try:
            await asyncio.sleep(seconds)
            if before is not None and not before.done():
                await asyncio.wait({before})
            await self._put(payload)
        except ConnectionError:
            pass  # the client is gone and gets it by a resume
        finally:
            self.under_way -= 1


@dataclass(eq=False)
class Session:
    """What outlives a connection: every event with its number. `over`: it can no longer be resumed."""

    id: str
    intents: int
    connection: Connection | None
    shard: int = 0
    shards: int = 1
    events: list[tuple[str, Json]] = field(default_factory=list)
    over: bool = False
    lost: float = 0.0
    """When the connection was lost, if there is none."""

    def gets(self, guild: int | None) -> bool:
        """Whether its shard gets the events of a guild (None: of direct messages)."""
        return ((guild >> 22) % self.shards if guild else 0) == self.shard

    async def send(self, number: int) -> None:
        """Send event `number` (from 1) if there is a connection."""
        event, data = self.events[number - 1]
        if self.connection is not None:
            with contextlib.suppress(ConnectionError):  # the bot has just gone; a resume will fetch it
                await self.connection.send(DISPATCH, data, event, number)

    async def dispatch(self, event: str, data: Json) -> None:
        """Number an event, store it and send it."""
        self.events.append((event, data))
        await self.send(len(self.events))


@dataclass
class Starts:
    """The sessions that can begin: `total` a day, and one in `apart` seconds for each rate_limit_key."""

    total: int = 1000
    within: float = 86_400.0
    concurrency: int = 1
    apart: float = 5.0
    used: int = 0
    _since: float | None = None
    _last: dict[int, float] = field(default_factory=dict)

    def json(self, now: float) -> Json:
        """The session start limit object."""
        since = self._renew(now)
        after = since + self.within - now if self.used else 0.0
        left = max(self.total - self.used, 0)
        return {
            "total": self.total,
            "remaining": left,
            "reset_after": int(after * 1000),
            "max_concurrency": self.concurrency,
        }

    def spend(self, now: float) -> bool:
        """Count a start. Returns False if none was left."""
        self._renew(now)
        if self.used >= self.total:
            return False
        self.used += 1
        return True

    def too_soon(self, shard: int, now: float) -> bool:
        """Whether another session with this shard's key has just begun. If not, this one counts as begun."""
        key = shard % self.concurrency
        if key in self._last and now - self._last[key] < self.apart:
            return True
        self._last[key] = now
        return False

    def _renew(self, now: float) -> float:
        """Return when the day began: with its first start."""
        if self._since is not None and now - self._since >= self.within:
            self.used = 0
        if self._since is None or not self.used:
            self._since = now
        return self._since

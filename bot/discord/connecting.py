"""Connecting to Discord: where it is reached, what it says about its gateway, and the connections, one for each shard
that this process has.

The gateway says how many shards there are, and how many more sessions it allows. With none left, it ends all of them
and resets the token.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.shard import EventItem, EventType, Shard

from bot.discord.shard import ENDED, RETRY, HeldShard, is_final, opened
from bot.discord.show import channels
from bot.metrics import Metrics
from bot.settings import Settings
from bot.store import Store, Unavailable
from bot.store.base import Session
from bot.tasks import in_own_context

log = logging.getLogger(__name__)


def aim(settings: Settings) -> None:
    """Have discord.py use the addresses in the settings from now on."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # voice isn't needed
    if settings.proxy:  # such proxies take the path that Discord would get
        Route.BASE = settings.proxy + yarl.URL(Route.BASE).path
    elif settings.rest_base:
        Route.BASE = settings.rest_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


def unreachable(settings: Settings, reason: object) -> str:
    """What the host is told if nothing answers there."""
    for setting, address in (("HARBORMASTER_PROXY", settings.proxy), ("HARBORMASTER_REST_BASE", settings.rest_base)):
        if address:
            return f"Discord can't be reached through {address}, which {setting} names ({reason}); does it run?"
    return f"Discord can't be reached ({reason}); is this machine online? Start again when it is."


SESSION_RESERVE = 20
"""Number of Discord's sessions per day that are kept for the host, who might have to start Harbormaster again."""
LONGEST_SESSION_WAIT = 600.0
"""Most seconds until Discord is asked again whether it allows more."""


@dataclass(frozen=True, slots=True)
class GatewayLimits:
    """Discord's answer about its gateway."""

    shards: int
    """How many shards there should be."""
    concurrency: int
    """How many sessions can begin at a time."""
    remaining: int
    """How many more sessions can begin."""
    reset: float
    """Seconds until more can."""


async def gateway_limits(http: HTTPClient) -> GatewayLimits:
    """Ask Discord about its gateway. Raises Discord's errors, and `ValueError` if the answer can't be read."""
    try:
        shards, _, limits = await http.get_bot_gateway()
        remaining, reset = int(limits["remaining"]), limits["reset_after"] / 1000.0
        return GatewayLimits(int(shards), int(limits["max_concurrency"]), remaining, reset)
    except discord.GatewayNotFound as error:  # discord.py's name for whatever Discord has answered
        raise error.__cause__ or error from None
    except (KeyError, TypeError) as error:
        raise ValueError(f"Discord's answer about the gateway can't be read ({error!r})") from None


async def session_in(http: HTTPClient) -> float:
    """Ask Discord in how many seconds a new session can begin: only Discord knows how many sessions other processes and
    earlier starts have begun. Raises as `gateway_limits` does."""
    gateway = await gateway_limits(http)
    if gateway.remaining > SESSION_RESERVE:
        return 0.0
    wait = gateway.reset + 1.0
    log.error(
        "Discord allows only %d more sessions for the next %.0f minutes, which are kept in reserve: Harbormaster was "
        "started or cut off too often, and waits.",
        gateway.remaining,
        wait / 60.0,
    )
    return min(wait, LONGEST_SESSION_WAIT)


SESSIONS_APART = 5.5
"""Seconds between two new sessions: Discord's five, plus the time that one message can take longer than another."""
RENEWED = channels.Backoff((5.0, 10.0, 20.0, 40.0, 80.0))
"""Seconds until the next new session of a shard, by how many in a row ended before they began: Discord counts them."""
TOKEN_REFUSED = 60.0
"""Seconds for which Discord must refuse the token until it is taken to be invalid. In outages it can refuse any."""
EXPECTED = (*channels.FAILED, *ENDED, discord.DiscordException, Unavailable)
"""Errors that need no traceback in the log."""


class ConnectedClient(discord.AutoShardedClient):
    """A client whose shards can be connected and let go of one by one, with their sessions handed on."""

    def __init__(self, now: Callable[[], float], metrics: Metrics, **options: Any) -> None:
        """`now` in seconds since the epoch."""
        super().__init__(**options)
        self._now, self.metrics = now, metrics
        self._shared_store: Store | None = None
        self._shard_numbers: Sequence[int] = ()
        self._mine: set[int] = set()
        self.hearing: set[int] = set()
        """Shards whose connections bring people's clicks, as far as Discord has said."""
        self.again = 0.0
        """When Discord will be tried again after a failure, by `time.perf_counter`."""
        self._concurrency = 1
        self._turns: dict[int, float] = {}
        """When the next session can begin, by the time of the event loop and Discord's key for limits."""
        self._to_connect: asyncio.Queue[int] = asyncio.Queue()
        self._over: set[int] = set()
        """Shards whose session can't be resumed."""
        self._failures: Counter[int] = Counter()
        self._unbegun: Counter[int] = Counter()
        """How many sessions of a shard in a row have ended before they began."""
        self._unauthorized = 0.0
        self._unreadable: set[tuple[str, type[Exception]]] = set()

    def share_through(self, store: Store) -> None:
        """Set the store through which processes share the shards. To be called before `connect`."""
        self._shared_store = store if store.shared else None

    @property
    def online(self) -> bool:
        """Whether every shard of this process is connected; a process can have none for a while."""
        ready = (self._session(shard) is not None and self._connected[shard].ws.open for shard in self._mine)
        return bool(self._shard_numbers) and all(ready)

    @property
    def heard(self) -> float:
        """When the quietest shard last sent something, even an answer to a heartbeat, by `time.perf_counter`. 0 if a
        shard isn't connected; now if this process has none, or 0 before the start."""
        return min(map(self._heard, self._mine), default=time.perf_counter() if self._shard_numbers else 0.0)

    def silence(self, shard: int) -> float | None:
        """Seconds for which a shard has sent nothing, not even an answer to a heartbeat; None: it isn't ours."""
        return time.perf_counter() - self._heard(shard) if shard in self._mine else None

    def _heard(self, shard: int) -> float:
        connected = self._connected.get(shard)
        return 0.0 if connected is None else connected.heard

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Begin a new session, whose turn has come."""
        self._turns[(shard_id or 0) % self._concurrency] = asyncio.get_running_loop().time() + SESSIONS_APART

    async def _turn(self, shard: int) -> None:
        """Wait until a new session can begin: one at a time among all processes. There must be no connection yet, whose
        heartbeats no one would read."""
        key = shard % self._concurrency
        wait = self._turns.get(key, 0.0) - asyncio.get_running_loop().time()
        if self._shared_store is not None:
            now = self._now()
            wait = await self._shared_store.reserve_turn(key, now, SESSIONS_APART) - now
        await asyncio.sleep(max(wait, 0.0))

    def _own(self) -> None:
        """Called when this process gets or loses shards."""

    # --- by private parts of discord.py

    @property
    def _connected(self) -> dict[int, HeldShard]:
        found: dict[int, HeldShard] = self._AutoShardedClient__shards  # type: ignore[attr-defined]
        return found

    def is_held(self, shard: Shard) -> bool:
        """Whether this process still has a shard."""
        return self._connected.get(shard.id) is shard

    def may_be_lost(self) -> bool:
        """Whether another process might have this process's shards by now."""
        return False

    def _event(self, item: EventItem) -> None:
        self._AutoShardedClient__queue.put_nowait(item)  # type: ignore[attr-defined]

    def _session(self, shard: int) -> Session | None:
        """The session that another process could resume, if there is one."""
        connected = self._connected.get(shard)
        return None if connected is None else connected.session

    async def _disconnect(self, shard: int) -> Session | None:
        """Let go of a shard. Returns its session, which can be resumed."""
        self._mine.discard(shard)
        self._own()
        self.hearing.discard(shard)
        if (connected := self._connected.get(shard)) is None:
            return None
        connected._cancel_task()
        session = self._session(shard)
        del self._connected[shard]
        await connected.let_go()
        return session

    async def _connect(self) -> None:
        """Connect shards of this process, one after the other."""
        while True:
            shard = await self._to_connect.get()
            known = self._connected.get(shard)
            if shard not in self._mine or (known is not None and known.running):
                continue
            try:
                ws = await self._opened(shard)
            except Exception as error:
                self._failures[shard] += 1
                try:
                    self._connect_in(self.failed(shard, error, self._failures[shard]), shard)
                except Exception as final:  # `connect` raises it
                    self._event(EventItem(EventType.terminate, None, final))
                    return
                continue
            del self._failures[shard]
            if ws is None:
                continue
            if known is None:
                known = self._connected[shard] = HeldShard(ws, self, self, self._event)
            known.go_on(ws)
            if shard not in self._mine:  # lost meanwhile
                await self._disconnect(shard)

    async def _opened(self, shard: int) -> DiscordWebSocket | None:
        """A connection that resumes the session of a shard's previous process, or begins a new one. None: not yet, or
        not anymore."""
        session = None
        if self._shared_store is not None and shard not in self._over:
            session = await self._shared_store.session(shard)
        if session is None:
            if wait := await session_in(self.http):
                self.again = time.perf_counter() + wait
                self._connect_in(wait, shard)
                return None
            await self._turn(shard)
        if shard not in self._mine:  # given away while waiting for a turn
            return None
        ws = await opened(self, self, shard, session, self._failures[shard])
        self._over.discard(shard)
        return ws

    def _connect_in(self, seconds: float, shard: int) -> None:
        in_own_context(asyncio.get_running_loop().call_later, seconds, self._to_connect.put_nowait, shard)

    # --- what goes wrong

    def renew(self, shard: int, began: bool) -> None:
        """Begin a new session for a shard, whose last one had begun properly, or not."""
        self._over.add(shard)
        self._unbegun[shard] = 0 if began else self._unbegun[shard] + 1
        self._connect_in(RENEWED.after(self._unbegun[shard]), shard)

    def failed(self, shard: int | None, error: Exception, failures: int) -> float:
        """Note that so many attempts to connect a shard, or (None) to ask about the gateway, have failed in a row.
        Returns the seconds until the next one.

        Whatever has happened counts as an outage. Raises an error only if it shows that Discord refuses for good.
        """
        self._check_final(error)
        wait = RETRY.after(failures, error)
        self.again = time.perf_counter() + wait
        log.warning(
            "%s, next try in %.0f s: %s",
            "Discord's gateway can't be asked about" if shard is None else f"Shard {shard} can't be connected",
            wait,
            str(error) or type(error).__name__,
            exc_info=None if isinstance(error, (*EXPECTED, ValueError)) else error,
        )
        return wait

    def _check_final(self, error: Exception) -> None:
        if is_final(error):
            raise error
        now = time.monotonic()
        if not (isinstance(error, discord.HTTPException) and error.status == 401):
            self._unauthorized = 0.0
        elif now - (self._unauthorized or now) >= TOKEN_REFUSED:
            raise discord.LoginFailure(str(error)) from None
        else:
            self._unauthorized = self._unauthorized or now

    def unread(self, event: str, error: Exception) -> None:
        """Note an event, by its name, that could not be read. It is dropped, and all else goes on."""
        name = event if event in self._connection.parsers else "other"
        self.metrics.unreadable.labels(name).inc()
        known, self._unreadable = self._unreadable, self._unreadable | {(name, type(error))}
        trace = None if (name, type(error)) in known else error
        log.error("An event that can't be read is dropped: %s: %r", name, error, exc_info=trace)


class Pulse:
    """When Discord last sent an event: a connection can answer heartbeats and still bring no events.

    Logs when none has come for long; then each time the silence has doubled.
    """

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
            latency = self._latency() * 1000  # not finite before a heartbeat was answered, or without a connection
            took = f"although the latest heartbeat took {latency:.0f} ms" if isfinite(latency) else "nor a heartbeat"
            log.warning("No event from Discord for %d s, %s", self.age, took)
            self._patience *= 2
        self._watch()

"""What is sent to Discord: how many requests of which kind, how long they wait, and whether Discord answers them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import inf
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import yarl
from cachetools import LRUCache

from bot.discord.interaction import now
from bot.discord.limits import HeldBack, seconds_in
from bot.metrics import Metrics
from bot.service.reach import LONG_OUTAGE

WORDS = frozenset(
    (
        *("applications", "bot", "callback", "channels", "commands", "gateway", "guilds", "interactions"),
        *("members", "messages", "oauth2", "threads", "typing", "users", "webhooks"),
    )
)
"""All parts of an address that its kind can contain: no id, no token."""

_asked: ContextVar[float | None] = ContextVar("asked", default=None)
"""When the present request was asked for; None once its first try is sent."""


def kind_of(method: str, url: yarl.URL) -> str:
    """The family of a request: "PATCH channels/messages", "POST interactions/callback"; "gateway": a connection."""
    if url.scheme in ("ws", "wss"):
        return "gateway"
    return f"{method} {'/'.join(part for part in url.parts if part in WORDS) or 'other'}"


def answer_of(status: int) -> str:
    """The class of an answer, such as "2xx"; 429 stands alone."""
    return "429" if status == 429 else f"{status // 100}xx"


MOST_CHANNELS = 2000
"""Channels whose answers are remembered."""


@dataclass(slots=True)
class Answers:
    """Whether Discord answers. Times are seconds of `time.monotonic`.

    Between two good answers that are less than `LONG_OUTAGE` apart there is no outage worth the name, whatever has
    failed in between. If they are further apart, and something has failed, Discord can have been away for all that
    time: `back` says when that was over.
    """

    good: float = -inf
    """When Discord last did what was asked."""
    failing: float | None = None
    """Since when it has failed at all that was asked; None: it doesn't fail."""
    away: float = -inf
    """When it first failed in that time."""
    back: float = -inf

    def answered(self, at: float) -> None:
        """Note a good answer."""
        if self.failing is not None and at - self.good >= LONG_OUTAGE:
            self.away, self.back = self.failing, at
        self.good, self.failing = at, None

    def failed(self, at: float) -> None:
        """Note that a request failed through Discord's fault, or got no answer."""
        if self.failing is None:
            self.failing = at


def channel_in(url: yarl.URL) -> int:
    """The channel that a request is about; 0: it is about none."""
    _before, _, after = url.path.partition("/channels/")
    number = after.partition("/")[0]
    return int(number) if number.isdecimal() else 0


class Traffic:
    """Counts all that a client sends: `trace` is for its session, and `time_waits` for the waiting before."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._said: tuple[float, float] | None = None
        """The time by Discord's latest answer, to a second, and when the answer came, by `time.monotonic`."""
        self._all = Answers()
        self._channels: LRUCache[int, Answers] = LRUCache(MOST_CHANNELS)
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._sent)
        self.trace.on_request_end.append(self._answered)
        self.trace.on_request_exception.append(self._failed)

    def now(self) -> float:
        """Seconds since the epoch by Discord's clock, however this machine's clock is set; by that one until Discord
        has answered something."""
        if self._said is None:
            return now()
        date, at = self._said
        return date + time.monotonic() - at

    def failing(self, channel: int) -> float:
        """Seconds for which Discord has failed at all that was asked about a channel; 0: it doesn't fail."""
        failing = self._of(channel).failing
        return 0.0 if failing is None else time.monotonic() - failing

    def outage(self, channel: int) -> tuple[float, float]:
        """How many seconds ago Discord began to fail, at all or about a channel, when it was last away, perhaps for
        long, and how many seconds ago it was back; infinite if it wasn't away.

        discord.py tries a request again by itself, so its caller doesn't learn of an outage that ended in between.
        Connections to the gateway don't count."""
        latest, now = max(self._all, self._of(channel), key=lambda answers: answers.back), time.monotonic()
        return now - latest.away, now - latest.back

    def note(self, channel: int, what: Callable[[Answers, float], None]) -> None:
        """Note of a channel, and of all that is asked, `what` has happened to a request; 0: it is about no channel."""
        for number in {0, channel}:
            what(self._of(number), time.monotonic())

    def _of(self, channel: int) -> Answers:
        return self._channels.setdefault(channel, Answers()) if channel else self._all

    def time_waits(self, client: discord.Client) -> None:
        """Count the time that requests wait because a limit is known to be used up.

        Interactions' tokens have their own limits, for which discord.py waits elsewhere; that isn't counted.
        """
        request = client.http.request

        async def timed(*values: Any, **named: Any) -> Any:
            token = _asked.set(time.monotonic())
            try:
                return await request(*values, **named)
            finally:
                _asked.reset(token)

        client.http.request = timed  # type: ignore[method-assign]

    async def _sent(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        since = _asked.get()
        if since is not None:
            _asked.set(None)  # another try has its own wait, which is counted with the answer that caused it
            self._metrics.rate_limit_wait.inc(time.monotonic() - since)

    async def _answered(self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        response = params.response
        if response.status < 300:
            self._note(params.url, Answers.answered)
        elif response.status >= 500 or response.status == 408:  # 408: from a rate-limit proxy that got no answer
            self._note(params.url, Answers.failed)
        self._metrics.requests.labels(kind_of(params.method, params.url), answer_of(response.status)).inc()
        with contextlib.suppress(KeyError, ValueError):
            date = parsedate_to_datetime(response.headers["Date"]).timestamp()
            self._said = date + 0.5, time.monotonic()
        if response.status == 429:
            self._metrics.rate_limit_wait.inc(seconds_in(response.headers.get("Retry-After", ""), 0.0))

    async def _failed(
        self, session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self._metrics.requests.labels(kind_of(params.method, params.url), "error").inc()
        if not isinstance(params.exception, HeldBack):
            self._note(params.url, Answers.failed)

    def _note(self, url: yarl.URL, what: Callable[[Answers, float], None]) -> None:
        if kind_of("", url) != "gateway":
            self.note(channel_in(url), what)

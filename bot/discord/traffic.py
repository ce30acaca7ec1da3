"""Counts the requests that discord.py sends, by kind and answer, and how long they wait for rate limits."""

from __future__ import annotations

import contextlib
import time
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from math import inf
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import yarl

from bot.discord.rate_limit import seconds_in
from bot.discord.show.recent import now
from bot.metrics import Metrics

WORDS = frozenset(
    [
        "applications",
        "bot",
        "callback",
        "channels",
        "commands",
        "gateway",
        "guilds",
        "interactions",
        "members",
        "messages",
        "oauth2",
        "threads",
        "typing",
        "users",
        "webhooks",
    ]
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


class Traffic:
    """Counts all that a client sends: `trace` is for its session, and `time_waits` for the waiting before."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._said: tuple[float, float] | None = None
        """The time by Discord's latest answer, to a second, and when the answer came, by `time.monotonic`."""
        self._trouble = -inf
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

    @property
    def calm(self) -> float:
        """Seconds since a request failed through Discord's fault, or got no answer, even if discord.py's next try of it
        succeeded. Connections to the gateway don't count."""
        return time.monotonic() - self._trouble

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
        if response.status >= 500 or response.status == 408:  # 408: from a rate-limit proxy that got no answer
            self._note_trouble(params.url)
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
        self._note_trouble(params.url)

    def _note_trouble(self, url: yarl.URL) -> None:
        if kind_of("", url) != "gateway":
            self._trouble = time.monotonic()

"""Counts the requests that discord.py sends, by kind and answer, and how long they wait for rate limits."""

from __future__ import annotations

import time
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import yarl

from bot.metrics import RATE_LIMIT_WAIT, REQUESTS

WORDS = frozenset(
    "applications bot callback channels commands gateway guilds interactions members messages oauth2 threads typing users "
    "webhooks".split()
)
"""All parts of an address that its kind may have: no id, no token."""

_asked: ContextVar[float | None] = ContextVar("asked", default=None)
"""When the request was asked for whose first try is yet to be sent."""


def kind_of(method: str, url: yarl.URL) -> str:
    """The family of a request: "PATCH channels/messages", "POST interactions/callback"; "gateway": a connection."""
    if url.scheme in ("ws", "wss"):
        return "gateway"
    return f"{method} {'/'.join(part for part in url.parts if part in WORDS) or 'other'}"


def answer_of(status: int) -> str:
    """The class of an answer, such as "2xx"; 429 stands alone."""
    return "429" if status == 429 else f"{status // 100}xx"


def trace() -> aiohttp.TraceConfig:
    """Counts whatever is sent through a session."""
    found = aiohttp.TraceConfig()
    found.on_request_start.append(_sent)
    found.on_request_end.append(_answered)
    found.on_request_exception.append(_failed)
    return found


def time_waits(client: discord.Client) -> None:
    """Have the time counted that requests wait before they are sent, because a limit is known to be used up."""
    request = client.http.request

    async def timed(*values: Any, **named: Any) -> Any:
        token = _asked.set(time.monotonic())
        try:
            return await request(*values, **named)
        finally:
            _asked.reset(token)

    client.http.request = timed  # type: ignore[method-assign]


async def _sent(session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
    since = _asked.get()
    if since is not None:
        _asked.set(None)  # another try has its own wait, which is counted with the answer that caused it
        RATE_LIMIT_WAIT.inc(time.monotonic() - since)


async def _answered(session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
    response = params.response
    REQUESTS.labels(kind_of(params.method, params.url), answer_of(response.status)).inc()
    if response.status == 429:
        RATE_LIMIT_WAIT.inc(_seconds(response.headers.get("Retry-After", "")))


async def _failed(session: Any, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams) -> None:
    REQUESTS.labels(kind_of(params.method, params.url), "error").inc()


def _seconds(text: str) -> float:
    try:
        return max(float(text), 0.0)
    except ValueError:
        return 0.0

"""Games for browsers, without Discord: `/games/7` is the page of a game that anyone can see, and `/games/7/events` says
what happens in it while it runs. All else isn't there."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import BrokenExecutor
from types import TracebackType
from typing import Self

from aiohttp import ETag, web
from aiohttp.typedefs import Handler

from bot.metrics import Metrics
from bot.monitoring.requests import NotTaken, serving
from bot.service import Services
from bot.service.web import TooMany
from bot.settings import Listen
from bot.store import Unavailable
from bot.tasks import Worker, in_own_context
from bot.web.bounds import ASKING, Bounds, address_of
from bot.web.pages import Made, Pages
from bot.web.readers import Reader, Readers
from bot.words.page import not_found, not_now, too_many

log = logging.getLogger(__name__)

PATH = re.compile("/games/([1-9][0-9]{0,14})(/events)?")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
    "Server": "Harbormaster",
}
"""What goes with every answer."""
NEVER_OLD = {"Cache-Control": "no-cache"}
"""A browser can keep it, but asks whether it is still the same."""
STAY_ALIVE = 20.0
"""Seconds after which a stream without news says that it is there, and looks whether the game can still be seen."""
SEND_WITHIN = 30.0
"""Seconds in which a reader must take what is sent."""
ASK_WITHIN, IDLE = 10.0, 75.0
"""Seconds in which a new connection must bring a whole request, and for which it stays open for the next one."""
REFUSED_AFTER = 3.0
"""Seconds after which a browser gets to know that there is nothing for it. Before, Discord is asked about a private
game (for less than that), but not about none: how long it takes must not tell them apart (section M)."""
STOP_WITHIN = 1.0
"""Seconds until answers that are under way are given up when Harbormaster stops."""
RETRY = 3000
"""Milliseconds after which a browser tries again to follow."""


class Website:
    """Serves games to browsers in the present event loop, while it is entered."""

    def __init__(
        self,
        listen: Listen | None,
        services: Callable[[], Services | None],
        worker: Worker,
        metrics: Metrics | None = None,
    ) -> None:
        """`listen`: where; None: nowhere. `services`: those of the open store; None: it isn't open. `worker` makes the
        pages. `metrics`: the counters, by default new ones."""
        self._listen, self._services, self._worker = listen, services, worker
        self._metrics = metrics or Metrics()
        self._bounds = Bounds()
        self._pages: Pages | None = None
        self._readers: Readers | None = None
        self._runner: web.AppRunner | None = None
        self._asked = set[web.RequestHandler]()
        """The connections that have brought a request."""
        self._watching: asyncio.Task[None] | None = None
        self._closed = False
        self.port = 0
        """The port on which games are served; 0: they aren't."""

    async def __aenter__(self) -> Self:
        """Begin; raises `SettingsError` if the port can't be used."""
        if self._listen is not None:
            app = web.Application(middlewares=[self._answer_all])
            app.on_response_prepare.append(self._begin)
            self._runner = await serving(
                app,
                self._listen,
                "HARBORMASTER_PAGES",
                handler_cancellation=True,
                shutdown_timeout=STOP_WITHIN,
                keepalive_timeout=IDLE,
            )
            self.port = self._runner.addresses[0][1]
            self._watching = in_own_context(asyncio.create_task, self._close_idle(self._runner))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
        await self._worker.stop(STOP_WITHIN)

    async def close(self) -> None:
        """Stop serving: all who follow a game are sent away at once."""
        self._closed = True
        if self._watching is not None:
            self._watching.cancel()
        if self._readers is not None:
            self._readers.close()
        if self._runner is not None:
            runner, self._runner = self._runner, None
            await runner.cleanup()

    async def _close_idle(self, runner: web.AppRunner) -> None:
        """Close connections that bring no request, again and again: each takes an open file."""
        since = dict[web.RequestHandler, float]()
        loop = asyncio.get_running_loop()
        while runner.server is not None:
            await asyncio.sleep(ASK_WITHIN / 2)
            since = {one: since.get(one, loop.time()) for one in runner.server.connections}
            self._asked &= since.keys()
            for connection in since.keys() - self._asked:
                if loop.time() - since[connection] >= ASK_WITHIN:
                    connection.force_close()

    # --- answers

    async def _begin(self, request: web.Request, response: web.StreamResponse) -> None:
        """An answer begins: count it, and add what goes with every answer, also with aiohttp's own."""
        response.headers.update(HEADERS)
        if request.method == "HEAD":  # a page asks this before it loads again, and in a sandboxed frame has no origin
            response.headers["Access-Control-Allow-Origin"] = "*"
        asked = PATH.fullmatch(request.path)
        kind = "other" if asked is None else "events" if asked[2] else "page"
        self._metrics.web_answers.labels(kind, str(response.status)).inc()

    @web.middleware
    async def _answer_all(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer whatever is asked: aiohttp's routes don't match every path."""
        return await self._answer(request)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self._asked.add(request.protocol)
        if request.transport is not None:
            request.transport.set_write_buffer_limits(0)  # what is sent is also taken
        try:
            response = await self._found(request)
            await _within(_sent(request, response))
            return response
        except TimeoutError:
            if request.transport is not None:
                request.transport.abort()
            raise NotTaken("the reader takes nothing") from None

    async def _found(self, request: web.Request) -> web.StreamResponse:
        asked = PATH.fullmatch(request.path)
        if asked is None or request.method not in ("GET", "HEAD"):
            return _text(404, not_found())
        address = address_of(request.remote, request.headers.getall("X-Forwarded-For", []))
        if not self._bounds.take(address):
            return _text(429, too_many())
        services = self._services()
        if services is None or self._closed:
            return _text(503, not_now())
        if self._pages is None or self._readers is None:
            self._pages, self._readers = Pages(services, self._worker), Readers(services.web.versions)
        began = time.monotonic()
        try:
            response = await self._asked_for(request, address, asked)
        except (Unavailable, BrokenExecutor) as error:
            log.info("A page can't be served: %s", error)
            response = _text(503, not_now())
        except TooMany:
            response = _text(429, too_many())
        if response.status >= 400:
            await asyncio.sleep(began + REFUSED_AFTER - time.monotonic())
        return response

    async def _asked_for(self, request: web.Request, address: str, asked: re.Match[str]) -> web.StreamResponse:
        """A page or events."""
        assert self._pages is not None
        assert self._readers is not None
        number = int(asked[1])

        def afford(times: float) -> bool:
            return self._bounds.take(address, ASKING * times)

        if not asked[2]:
            return _page(request, await self._pages.of(number, afford))
        with self._bounds.stream(address) as allowed, self._readers.one(number) as reader:
            if not allowed:
                raise TooMany
            with self._metrics.web_followers.track_inprogress():
                return await _events(request, self._pages, self._readers, reader, afford)


def _text(status: int, sentence: str, headers: Mapping[str, str] = NEVER_OLD) -> web.Response:
    again = {} if status == 404 else {"Retry-After": "10"}
    response = web.Response(status=status, text=sentence + "\n", headers={**headers, **again})
    response.force_close()
    return response


def _page(request: web.Request, made: Made | None) -> web.Response:
    if made is None:
        return _text(404, not_found())
    headers = {**NEVER_OLD, "Content-Security-Policy": made.policy, "Vary": "Accept-Encoding"}
    known = request.if_none_match or ()
    if any(tag.value in (made.digest, "*") for tag in known):
        response = web.Response(status=304, headers=headers)
    elif _takes_gzip(request):
        response = web.Response(body=made.packed, headers={**headers, "Content-Encoding": "gzip"})
    else:
        response = web.Response(body=made.data, headers=headers)
    if response.status == 200:
        response.content_type, response.charset = "text/html", "utf-8"
    response.etag = ETag(made.digest, is_weak=True)  # whether it is compressed makes no difference
    return response


def _takes_gzip(request: web.Request) -> bool:
    return bool(re.search(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))", request.headers.get("Accept-Encoding", "")))


async def _sent(request: web.Request, response: web.StreamResponse) -> None:
    await response.prepare(request)
    await response.write_eof()


async def _within(sending: Awaitable[object]) -> None:
    """Send something; raises `TimeoutError` if the reader doesn't take it."""
    async with asyncio.timeout(SEND_WITHIN):
        await sending


# --- following


async def _events(
    request: web.Request, pages: Pages, readers: Readers, reader: Reader, afford: Callable[[float], bool]
) -> web.StreamResponse:
    """Send what a page lacks, now and after each change, until the game is over or can't be seen."""
    if (found := await pages.course(reader.number, afford)) is None:
        return _text(404, not_found())
    # A page in a sandboxed frame has no origin. What is sent is public, and no one is logged in here.
    headers = {"Cache-Control": "no-store", "Access-Control-Allow-Origin": "*", "X-Accel-Buffering": "no"}
    response = web.StreamResponse(headers={**headers, "Content-Type": "text/event-stream; charset=utf-8"})
    response.force_close()  # which is the stream's end in HTTP/1.0
    await response.prepare(request)
    if request.method == "HEAD":
        return response
    mark = request.headers.get("Last-Event-ID") or request.query.get("from", "")
    sign = f"retry: {RETRY}\n\n"
    while found is not None and (course := found[1]) is not None and (news := course.since(mark)) is not None:
        if mark != course.mark:
            sign += f"id: {course.mark}\nevent: more\ndata: {news}\n\n"
        if sign:
            await _within(response.write(sign.encode("utf-8", "backslashreplace")))
        mark, reader.version = course.mark, found[0].version
        reader.changed.clear()
        sign = "" if await readers.wait(reader, STAY_ALIVE) else ":\n\n"
        if readers.closed:
            return response
        try:
            found = await pages.course(reader.number, known=found)
        except (Unavailable, BrokenExecutor) as error:
            log.info("No one can follow a game right now: %s", error)
            return response  # it has begun, so nothing else can be answered: the browser asks again
    await _within(response.write(f"{sign}event: reset\ndata:\n\n".encode()))
    return response

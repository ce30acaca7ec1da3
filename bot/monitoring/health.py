"""Whether Harbormaster is well. Checks run every few seconds, among them whether the store can write: they say what is
wrong, and whether only a restart can help. A thread next to the event loop answers at the three addresses of the HTTP
port (/healthz, /readyz and /metrics), and notices when the loop is stuck."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from aiohttp import web
from prometheus_client.aiohttp import make_aiohttp_handler

from bot.metrics import Metrics
from bot.monitoring.requests import serving
from bot.settings import Listen
from bot.store import Unavailable
from bot.tasks import in_own_context

# --- checks

log = logging.getLogger(__name__)

CHECK_EVERY = 5.0
"""Seconds between two looks. How long something has lasted is measured in looks, so that a process that was suspended
doesn't take the pause for an outage."""
STARTING = "Harbormaster is starting"
STOPPING = "Harbormaster is stopping"


@dataclass(frozen=True, slots=True)
class Checkup:
    """What a check has found."""

    problem: str = ""
    """What is wrong, for the host; empty when all is well."""
    hopeless: bool = False
    """Whether the problem has lasted so long that the process should restart."""


Check = Callable[[], Awaitable[Checkup]]
FINE = Checkup()


class Health:
    """Runs all checks, and keeps their latest findings by the name of the check."""

    def __init__(self, checks: Mapping[str, Check], metrics: Metrics, give_up: Callable[[], None]) -> None:
        """`give_up`: asks the process to stop, with an exit status after which its supervisor starts it again."""
        self._checks = checks
        self._metrics = metrics
        self._give_up = give_up
        self._given_up = False
        self._task: asyncio.Task[None] | None = None
        self.problems = dict.fromkeys(checks, STARTING)
        """What is wrong, by check; empty where nothing is. Other threads can read it: it is replaced, never changed."""

    def start(self) -> None:
        """Begin to look."""
        self._task = in_own_context(asyncio.create_task, self._run(), name="health")

    def stop(self) -> None:
        """Stop looking: Harbormaster is closing, and isn't ready from now on."""
        if self._task is not None:
            self._task.cancel()
        self.problems = dict.fromkeys(self._checks, STOPPING)
        for name in self._checks:
            self._metrics.fine.labels(name).set(0)

    async def look(self) -> None:
        """Run each check once. Log what has changed, and give up if one of them is hopeless."""
        findings = await asyncio.gather(*(_ask(name, check) for name, check in self._checks.items()))
        for name, finding in zip(self._checks, findings, strict=True):
            self._note(name, finding)

    def _note(self, name: str, finding: Checkup) -> None:
        before, now = self.problems[name], finding.problem
        self.problems = {**self.problems, name: now}
        self._metrics.fine.labels(name).set(not now)
        if now and not before:
            log.warning("Not ready (%s): %s", name, now)
        elif before not in ("", STARTING) and not now:
            log.info("Ready again (%s)", name)
        if finding.hopeless and not self._given_up:
            self._given_up = True
            log.critical("Harbormaster stops, so that its supervisor starts it again (%s): %s", name, now)
            self._give_up()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            next_look = loop.time() + CHECK_EVERY
            await self.look()
            await asyncio.sleep(next_look - loop.time())


async def _ask(name: str, check: Check) -> Checkup:
    """What a check finds, or that it didn't answer in time for the next look."""
    try:
        async with asyncio.timeout(CHECK_EVERY):
            return await check()
    except TimeoutError:
        return Checkup(f"no answer within {CHECK_EVERY:.0f} s")
    except Exception:
        log.exception("The check (%s) has failed", name)
        return Checkup("the check has failed; the log says why")


# --- whether the store can write

WRITE_AFTER = 60.0
"""Seconds without a stored change after which a small write is tried."""
WRITE_WITHIN = 4.0
"""Seconds that this write can take; less than `CHECK_EVERY`."""
UNWRITABLE_FOR = 120.0
"""Seconds of failures after which the process gives up. A database can be restarted meanwhile."""


class Writable:
    """A check for `Health`."""

    def __init__(self, write: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """`write` stores something small that is true anyway, such as `Store.alive`, and costs no fsync."""
        self._write = write
        self._proved = -WRITE_AFTER
        self._trying: asyncio.Task[None] | None = None
        self._failing = 0.0

    def stored(self, *_: object) -> None:
        """Note that a change was stored."""
        self._proved = time.monotonic()

    async def look(self) -> Checkup:
        """Try a write if necessary. While a write hangs, no second one is begun."""
        if self._trying is None:
            if not self._failing and time.monotonic() - self._proved < WRITE_AFTER:
                return FINE
            self._trying = asyncio.create_task(self._write())
        await asyncio.wait({self._trying}, timeout=WRITE_WITHIN)
        problem = self._outcome(self._trying)
        if not problem:
            self._failing = 0.0
            self.stored()
            return FINE
        self._failing += CHECK_EVERY
        return Checkup(problem, self._failing >= UNWRITABLE_FOR)

    def _outcome(self, task: asyncio.Task[None]) -> str:
        """Why the store can't write; empty: it can."""
        if not task.done():
            return f"a write has taken more than {WRITE_WITHIN:.0f} s"
        self._trying = None
        error = task.exception()
        if error is None:
            return ""
        reason = str(error) if isinstance(error, Unavailable) else type(error).__name__
        return f"the store can't be written: {reason}"


# --- the HTTP port


def application(metrics: Metrics, health: Health, silence: Callable[[], float]) -> web.Application:
    """The web application. It answers in plain text, with status 503 if something is wrong.

    `silence` returns for how many seconds Harbormaster's event loop has been stuck; 0.0: it isn't.
    """

    def loop() -> str:
        return f"the event loop has been stuck for {silence():.0f} s" if silence() else ""

    async def alive(_: web.Request) -> web.Response:
        return _response({"loop": loop()})

    async def ready(_: web.Request) -> web.Response:
        return _response({"loop": loop(), **health.problems})

    app = web.Application()
    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", make_aiohttp_handler(metrics.registry))
    return app


def _response(problems: dict[str, str]) -> web.Response:
    """The answer: a line for each check."""
    text = "".join(f"{name}: {problem or 'ok'}\n" for name, problem in problems.items())
    return web.Response(text=text, status=503 if any(problems.values()) else 200)


# --- the thread

BEAT = 1.0
"""Seconds between two signs of life of the event loop."""
LATE_BEATS = 10
"""Missed signs of life after which the HTTP port answers that the process is neither alive nor ready."""
STUCK_BEATS = 30
"""Missed signs of life after which the process is ended. This thread counts them, so that a process that was suspended
isn't taken for a stuck one."""


class Watch:
    """Watches the event loop in which it is entered, until it is exited."""

    def __init__(
        self, health: Health, metrics: Metrics, end: Callable[[str], object], listen: Listen | None = None
    ) -> None:
        """`end` ends the process immediately, for a reason. `listen`: where HTTP is answered; None: nowhere."""
        self._health = health
        self._metrics = metrics
        self._end = end
        self._listen = listen
        self._beats = 0
        self._missed = 0
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="watch", daemon=True)
        self._watching: asyncio.Task[None] | None = None
        self._runner: web.AppRunner | None = None
        self.port = 0
        """The port on which HTTP is answered; 0: it isn't."""

    async def __aenter__(self) -> Self:
        """Begin; raises `SettingsError` if the port can't be used."""
        self._thread.start()
        try:
            await self._over_there(self._open())
        except BaseException:
            await self._leave()
            raise
        self._due = asyncio.get_running_loop().time() + BEAT
        self._beat()
        self._health.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop watching, and stop answering."""
        self._health.stop()
        if self._timer is not None:
            self._timer.cancel()
        await self._leave()

    def _beat(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._timer is not None:
            self._metrics.loop_lag.observe(max(now - self._due, 0.0))
        self._beats += 1
        self._due = now + BEAT
        self._timer = in_own_context(asyncio.get_running_loop().call_at, self._due, self._beat)

    async def _over_there(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the thread, and wait for it."""
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _leave(self) -> None:
        await self._over_there(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()

    # --- in the thread

    async def _open(self) -> None:
        if self._listen is not None:
            app = application(self._metrics, self._health, self._silence)
            self._runner = await serving(app, self._listen, "HARBORMASTER_HTTP", shutdown_timeout=1.0)
            self.port = self._runner.addresses[0][1]
        self._watching = asyncio.create_task(self._watch())

    async def _close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _watch(self) -> None:
        seen = -1
        while True:
            await asyncio.sleep(BEAT)
            self._missed = self._missed + 1 if seen == self._beats else 0
            seen = self._beats
            if self._missed >= STUCK_BEATS:
                self._end(f"The event loop has been stuck for {STUCK_BEATS * BEAT:.0f} s")

    def _silence(self) -> float:
        """For how many seconds the loop has been stuck, if that is long; otherwise 0.0."""
        return self._missed * BEAT if self._missed >= LATE_BEATS else 0.0

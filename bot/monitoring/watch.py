"""A thread that runs next to the event loop: it answers on the HTTP port, and notices when the loop is stuck."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from bot.metrics import Metrics
from bot.monitoring import addresses
from bot.monitoring.health import Health
from bot.settings import Listen, NotNow, SettingsError
from bot.tasks import in_own_context

BEAT = 1.0
"""Seconds between two signs of life of the event loop."""
LATE = 10
"""Missed signs of life after which the HTTP port answers that the process is neither alive nor ready."""
STUCK = 30
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
            app = addresses.application(self._metrics, self._health, self._silence)
            self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
            await self._runner.setup()
            try:
                await web.TCPSite(self._runner, self._listen.host, self._listen.port).start()
            except OSError as error:
                reason = error.strerror or str(error)
                kind = NotNow if error.errno in (errno.EADDRINUSE, errno.EADDRNOTAVAIL) else SettingsError
                raise kind(f"HARBORMASTER_HTTP: {self._listen} can't be listened on: {reason}.") from None
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
            if self._missed >= STUCK:
                self._end(f"The event loop has been stuck for {STUCK * BEAT:.0f} s")

    def _silence(self) -> float:
        """For how many seconds the loop has been stuck, if that is long; otherwise 0.0."""
        return self._missed * BEAT if self._missed >= LATE else 0.0

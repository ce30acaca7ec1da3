"""What a process of Harbormaster has outside its event loop, replaced: the threads of SQLite, of heartbeats and of the
watchdog, the processes that draw and think, the lock of a file, and its end. `install` replaces them for good."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Callable
from contextvars import Context
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Self

import filelock
import simloom
from simloom._context import current_host

from bot.store.sqlite.file import refuse_foreign
from tests.sim.disk import Sql


def install() -> None:
    """Replace them."""
    import discord.gateway
    import discord.interactions
    import discord.webhook.async_

    import render
    from bot import languages, program, tasks
    from bot.discord import app, client, limits
    from bot.service import orders
    from bot.store.sqlite import check, database, file
    from tests.sim import stops
    from tests.sim.secrets import canaries, times

    _put(discord.gateway, KeepAliveHandler=_heartbeats(discord.gateway.KeepAliveHandler))
    for module in (discord.interactions, discord.webhook.async_, limits):
        _put(module, async_context=Adapters())
    _put(limits, Context=_own_context)
    _put(file, aiosqlite=SimpleNamespace(connect=Sql))
    for module in (file, database):
        _put(module, filelock=SimpleNamespace(FileLock=Lock, Timeout=filelock.Timeout))
    _put(database, refuse_foreign=_refuse_foreign)
    _put(check, _process=lambda: None)
    _put(tasks, give_memory_back=lambda: None, Context=_own_context)
    _put(app, processes=lambda count, begin=None: Anywhere(), Watch=Unwatched)
    _put(app, _collect_garbage_less=lambda: None, end_at_the_latest=stops.end_at_the_latest)
    _put(client, open_store=_opened)
    _put(program, code_digest=lambda root=None: "simulated")
    _put(render, **{name: _drawing(name) for name in ("board", "then_and_now", "hand", "figures", "costs", "film")})
    _put(simloom.SimLoop, add_signal_handler=stops.add_signal_handler, remove_signal_handler=stops.no_signals)
    languages.offered()  # they are read once
    canaries.install()
    times.install()
    orders.DELAY = (7.0, 7.0)  # what comes later in a universe must not depend on how often chance was asked


def look_every(seconds: float) -> None:
    """Let processes look at themselves so often instead of every few seconds: most of a plan that lasts for days would
    be spent on that."""
    from bot.discord import app
    from bot.monitoring import health
    from bot.service import reach

    _put(health, CHECK_EVERY=seconds, WRITE_AFTER=12 * seconds)
    _put(app, CHECK_EVERY=seconds)
    _put(reach, TICK=min(seconds / 5, 8.0))


def _put(place: Any, **parts: Any) -> None:
    """Replace parts of a module or a class."""
    for name, part in parts.items():
        setattr(place, name, part)


async def _opened(database: Any, **how: Any) -> Any:
    """The store of the machine that asks: on its disk, or on the server that it shares with others."""
    from bot.store import open_store
    from tests.sim.database import Server, shared_store

    host = current_host.get()
    server: Server | None = getattr(host, "server", None)
    return await open_store(database, **how) if server is None else shared_store(server, host.name)


def _refuse_foreign(path: Path) -> None:
    """As the program does, but for people's looks: they know whose file it is."""
    if current_host.get() is not None:
        refuse_foreign(path)


def _own_context() -> Context:
    """A context in which nothing is known but the machine."""
    context = Context()
    context.run(current_host.set, current_host.get())
    return context


class Adapters:
    """Stands in for the one adapter by which a process answers interactions: each machine has its own."""

    def get(self) -> Any:
        """That of the machine that asks."""
        from discord.webhook import async_

        make: Any = async_.AsyncWebhookAdapter
        return vars(current_host.get()).setdefault("adapter", make())


class Anywhere:
    """An executor: simloom's loop does its work itself."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is left to do."""


class Unwatched:
    """Stands in for the watchdog: the checks run, but no thread looks at the loop, which can't hang."""

    def __init__(self, health: Any, *rest: Any) -> None:
        self._health = health

    async def __aenter__(self) -> Self:
        self._health.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        self._health.stop()


def _heartbeats(kind: Any) -> Any:
    class Heartbeats(kind):  # type: ignore[misc]
        """discord.py's heartbeats as a task."""

        def start(self) -> None:
            self._task = asyncio.get_running_loop().create_task(self._beat())

        async def _beat(self) -> None:
            from time import perf_counter

            while True:
                await asyncio.sleep(self.interval)
                if self._stop_ev.is_set():
                    return
                try:
                    if self._last_recv + self.heartbeat_timeout < perf_counter():
                        self.stop()
                        await self.ws.close(4000)
                        return
                    await self.ws.send_heartbeat(self.get_payload())
                except Exception:
                    self.stop()
                    return
                self._last_send = perf_counter()

    return Heartbeats


class Lock:
    """The lock of a database file. A machine that dies lets go of it."""

    holders: ClassVar[dict[str, Any]] = {}
    """The host that holds a lock, by the name of the lock."""

    def __init__(self, name: Any, **how: Any) -> None:
        self._name = str(name)

    def acquire(self) -> None:
        """Take it; raises `filelock.Timeout`."""
        holder = self.holders.get(self._name)
        if holder is not None and not holder.crashed:
            raise filelock.Timeout(self._name)
        self.holders[self._name] = current_host.get()

    def release(self) -> None:
        """Let go."""
        self.holders.pop(self._name, None)

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


def picture(about: str) -> bytes:
    """A picture of one pixel that says what it would show."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    text = b"Comment\0" + about.encode("utf-8", "backslashreplace")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"tEXt", text) + _PIXEL + chunk(b"IEND", b"")


_DATA = zlib.compress(b"\0\0")
_PIXEL = struct.pack(">I", len(_DATA)) + b"IDAT" + _DATA + struct.pack(">I", zlib.crc32(b"IDAT" + _DATA))


def _drawing(name: str) -> Callable[..., bytes]:
    def draw(*values: Any, **named: Any) -> bytes:
        """A picture that has the words, and says whose cards it shows."""
        words = [*values, *named.values()]
        views = [value for value in words if hasattr(value, "revision") and hasattr(value, "seat")]
        about = "; ".join(f"view {view.revision} of seat {view.seat}" for view in views)
        texts = [repr(value) for value in words if isinstance(value, (tuple, list)) and len(repr(value)) < 4000]
        return picture(f"{name}: {about}; {'; '.join(texts)}")

    return draw

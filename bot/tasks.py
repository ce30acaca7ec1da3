"""Work that runs to its end even if its caller is canceled, or that is done once for all callers; locks by key; and
work in processes of its own, so that the event loop goes on."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextvars import Context
from math import inf
from typing import Any, ParamSpec, TypeVar, TypeVarTuple, Unpack
from weakref import WeakValueDictionary

from cachetools import TTLCache

from bot import program

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)


def in_own_context(call: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
    """Call a function outside the current context, so that its timers and tasks belong to no interaction.

    The simulated Discord waits for everything that an interaction starts, and for timers that end within seconds.
    """
    return Context().run(call, *values, **named)


async def result_of(task: asyncio.Future[T]) -> T:
    """The result of a task that goes on when its caller is canceled. Unlike `asyncio.shield`, which tells of it from
    Python 3.14 on, this leaves a later failure to the caller."""
    await asyncio.wait({task})
    return task.result()


class Shielded:
    """Runs coroutines as tasks of its own, and holds references to them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start `work`. No one needs to wait for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` and return its result. A canceled caller stops waiting, but `work` goes on."""
        task = self.start(work)
        try:
            return await result_of(task)
        except asyncio.CancelledError:
            task.add_done_callback(_tell_failure)
            raise

    async def finished(self) -> None:
        """Wait until nothing is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)


def _heard(task: asyncio.Task[Any]) -> None:
    """Leave a failure to those who wait for it, if there are any."""
    if not task.cancelled():
        task.exception()


def _tell_failure(task: asyncio.Task[Any]) -> None:
    """Log a failure that would otherwise go unseen, as no one waits for the task anymore."""
    if not task.cancelled() and (error := task.exception()):
        log.error("Work failed after its caller had left", exc_info=error)


class Once:
    """Results that are worked out once for all who ask, and kept for some time. What failed is tried again."""

    def __init__(self, most: int, seconds: float = inf, timer: Callable[[], float] = time.monotonic) -> None:
        """`most`: how many results are kept, `seconds`: for how long, by `timer`."""
        self._tasks: TTLCache[Hashable, asyncio.Task[Any]] = TTLCache(most, seconds, timer)

    async def of(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of `work`. The key must name everything that it depends on, also who can see it."""
        if (task := self._found(key)) is None:
            task = self._tasks[key] = asyncio.create_task(work())
            task.add_done_callback(_heard)
        result: T = await result_of(task)
        return result

    def __contains__(self, key: Hashable) -> bool:
        """Whether a result is kept, or is being worked out."""
        return self._found(key) is not None

    def _found(self, key: Hashable) -> asyncio.Task[Any] | None:
        task = self._tasks.get(key)
        failed = task is not None and task.done() and (task.cancelled() or task.exception() is not None)
        return None if failed else task

    def forget(self, key: Hashable) -> None:
        """Forget a result."""
        self._tasks.pop(key, None)


class Locks:
    """A lock for each key. Locks that no one holds or waits for are dropped."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __call__(self, key: Hashable) -> asyncio.Lock:
        """The lock of a key, to be used in `async with`."""
        return self._locks.setdefault(key, asyncio.Lock())


Values = TypeVarTuple("Values")


def processes(count: int, begin: Callable[[], None] | None = None) -> Executor:
    """A pool of processes, which end with this one and leave signals to it; raises `OSError`. `begin`: what each does
    first; it must be picklable."""
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _settle_in, (begin,))


def thread() -> Executor:
    """A pool of one thread."""
    return ThreadPoolExecutor(1, "worker")


class Outdated(Exception):
    """The program's files have changed since this process started, so no other process can work for it."""

    def __init__(self) -> None:
        super().__init__("the program's files have changed since this process started: restart it")


class Worker:
    """Does one piece of work after another, in order. It starts when first needed, and again after it has died."""

    def __init__(self, start: Callable[[], Executor] = thread, version: str = "") -> None:
        """`version`: what `program.code_digest` was when this process started. A worker that would run other code isn't
        started; a thread does the work. Empty: not checked."""
        self._start, self._version = start, version
        self.outdated = False
        """Whether another version was installed meanwhile, as far as is known."""
        self._executor: Executor | None = None
        self._stopped = False
        self._alone = asyncio.Lock()
        self._other: Worker | None = None
        """The worker of its own that works now, or did last."""

    async def run(self, work: Callable[[Unpack[Values]], T], *values: *Values) -> T:
        """Call a function with some values and return its result. To go to a process, all of them must be picklable.

        If the process dies, the work is done again; raises `BrokenExecutor` if the process dies again, and after a
        stop.
        """
        try:
            return await self._done(work, *values)
        except BrokenExecutor:
            if self._stopped:
                raise
            return await self._done(work, *values)

    async def run_in_own_worker(self, work: Callable[[Unpack[Values]], T], *values: *Values) -> T:
        """The same in parallel to other work, for what takes long: in a worker that starts for it and ends with it.

        Raises `Outdated`, since in a thread it would hold up everyone.
        """
        async with self._alone:
            if self._stopped:
                raise BrokenExecutor("it was stopped")
            if self._is_outdated():
                raise Outdated
            self._other = Worker(self._start)
            try:
                return await self._other.run(work, *values)
            finally:
                self._other.close()

    async def _done(self, work: Callable[[Unpack[Values]], T], *values: *Values) -> T:
        if self._stopped:
            raise BrokenExecutor("it was stopped")
        executor = self._executor = self._executor or self._started()
        try:
            return await asyncio.get_running_loop().run_in_executor(executor, work, *values)
        except BrokenExecutor:
            if self._executor is executor:
                log.warning("A worker process has died; another one takes its place.")
                self.close()
            raise

    def _is_outdated(self) -> bool:
        """Look whether another version was installed meanwhile. The host is told once."""
        if self._version and not self.outdated and program.code_digest() != self._version:
            log.error("Another version was installed: restart Harbormaster. Until then films wait.")
            self.outdated = True
        return self.outdated

    def _started(self) -> Executor:
        if self._is_outdated():
            return thread()
        try:
            return self._start()
        except (OSError, ImportError, NotImplementedError) as error:  # for example, no more processes are allowed
            log.warning("No process can be started (%s); a thread does its work.", error)
            return thread()

    def abandon(self) -> None:
        """Give up work that takes too long: the process ends, and the next one does the rest of its work."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        kill(executor)
        executor.shutdown(wait=False)

    def close(self) -> None:
        """Finish the work that is running and drop the rest. Doesn't wait for it."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    async def stop(self, within: float) -> None:
        """The same, and wait for it: a pool that is still closing when the interpreter ends can cause a traceback.

        Work that isn't finished within so many seconds is given up.
        """
        self._stopped = True
        executor, self._executor = self._executor, None
        stopping = [self._other.stop(within)] if self._other is not None else []
        if executor is not None:
            stopping.append(_end(executor, within))
        await asyncio.gather(*stopping)


async def _end(executor: Executor, within: float) -> None:
    closing = asyncio.create_task(asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True))
    await asyncio.wait({closing}, timeout=within)
    kill(executor)
    await asyncio.wait({closing}, timeout=within)


def kill(executor: Executor) -> None:
    """End an executor's processes. A thread can't be ended."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        process.kill()


def _settle_in(begin: Callable[[], None] | None = None) -> None:
    """Leave signals, which can go to a whole process group, to the parent process, and end when that is gone. Then do
    what comes first."""
    give_memory_back()
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1"):
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    if begin is not None:
        begin()


# --- memory

GIVE_BACK_EVERY = 60.0


def give_memory_back() -> None:
    """Start a thread that returns free memory to the system once a minute.

    Only the GNU C library needs it: it keeps free memory that lies between blocks in use.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):

        def repeat() -> None:
            while True:
                time.sleep(GIVE_BACK_EVERY)
                trim(0)

        threading.Thread(target=repeat, name="memory", daemon=True).start()

"""The event loop: simloom's, with callbacks in the order in which they were scheduled, as asyncio promises, and with
machines that can stop for a while and go on."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import heapq
import itertools
import logging
import random
from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context, copy_context
from typing import Any, TypeVar

from simloom import EventLog, Host, SimLoop, Tape, World
from simloom._context import current_host

from tests.sim import clocks

T = TypeVar("T")
log = logging.getLogger("asyncio")
_SERIAL = itertools.count()
PASSES = 1e-6
"""Seconds that pass with each turn of the loop: a clock that stood still would keep some loops from ending."""
COLLECTED = 60_013
"""Steps between two collections of garbage, which must not come by themselves: objects say goodbye in them."""
ALL_COLLECTED = 8 * COLLECTED
"""Steps between two that look at what has outlived one, too."""
TIDY, OFTEN = 0.1, (5_000, 20_000)
"""The share of the universes that collect all garbage often, so that what is held only weakly goes early; and the least
and most steps between two collections there."""


class _Future(asyncio.Future[Any]):
    """A future whose place in a set doesn't depend on its address."""

    def __init__(self, *, loop: asyncio.AbstractEventLoop) -> None:
        self._serial, self.host = next(_SERIAL), current_host.get()
        super().__init__(loop=loop)

    def __hash__(self) -> int:
        return self._serial


class _Task(asyncio.Task[Any]):
    """A task whose place in a set doesn't depend on its address."""

    host: Host | None = None

    def __init__(self, work: Any, **how: Any) -> None:
        self._serial = next(_SERIAL)  # first: asyncio puts the task into a set
        super().__init__(work, **how)

    def __hash__(self) -> int:
        return self._serial


class _Handle(asyncio.Handle):
    """A callback, without what is kept for debugging."""

    __slots__ = ()

    def __init__(
        self, callback: Callable[..., object], args: Sequence[Any], loop: Loop, context: Context | None
    ) -> None:
        self._callback, self._args, self._loop = callback, args, loop
        self._context = copy_context() if context is None else context
        self._cancelled = False
        self._repr = self._source_traceback = None


class _Timer(asyncio.TimerHandle):
    """The same at a time."""

    __slots__ = ()

    def __init__(
        self, when: float, callback: Callable[..., object], args: Sequence[Any], loop: Loop, context: Context | None
    ) -> None:
        self._callback, self._args, self._loop, self._when = callback, args, loop, when
        self._context = copy_context() if context is None else context
        self._cancelled = self._scheduled = False
        self._repr = self._source_traceback = None


class _Unlogged(EventLog):
    """Keeps nothing: the log of a universe has what happens in it, not each callback."""

    def emit(self, kind: str, t: float, **fields: Any) -> None:
        pass


class Loop(SimLoop):
    """The loop of one universe."""

    _now: float
    _ready: list[Any]
    """Handles, of whose private parts mypy knows nothing."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape, log=_Unlogged(), gc_interval=0)
        self._steps = 0
        self.collected, self.all_collected = COLLECTED, ALL_COLLECTED
        self._stopped: dict[int, list[asyncio.Handle]] = {}
        """What machines that are stopped would do, by the identity of their host."""

    get_debug = staticmethod(bool)
    """It never is; each future, task and callback asks for that."""

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = _Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = _Timer(when, callback, args, self, context)
        self._timer_seq += 1
        heapq.heappush(self._scheduled, (when, self._timer_seq, handle))
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def create_task(
        self,
        coro: Any,
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[Any]:
        """As simloom's, without what is noted and chosen there."""
        host = current_host.get()
        if name is None:
            self._task_name_seq += 1
            name = f"task-{self._task_name_seq}"
        task = _Task(coro, loop=self, name=name, context=context)
        task.host = host
        if host is not None:
            host._register(task)
        return task

    def _run_once(self) -> None:
        """Run until the loop is stopped; as simloom's, likewise. This takes most of the time of a universe."""
        scheduled = self._scheduled
        while not self._stopping:
            if not self._ready:
                while scheduled and scheduled[0][2]._cancelled:
                    heapq.heappop(scheduled)
                if not scheduled:
                    self._report_deadlock()
                self._now = max(self._now, scheduled[0][0])
            while scheduled and scheduled[0][0] <= self._now:
                self._ready.append(heapq.heappop(scheduled)[2])
            self._now += PASSES
            ready, self._ready = self._ready, []
            for place, handle in enumerate(ready):
                self._steps += 1
                if self._steps % self.collected == 0:
                    self._collect_garbage()
                if handle._cancelled:
                    continue
                host = handle._context.get(current_host)
                if host is not None and (host.crashed or self._stopped) and self._is_held(host, handle):
                    continue
                try:
                    handle._context.run(handle._callback, *handle._args)
                except (SystemExit, KeyboardInterrupt):
                    raise
                except BaseException as error:
                    message = f"Exception in callback {_name(handle._callback)}"
                    self.call_exception_handler({"message": message, "exception": error, "handle": handle})
                if self._stopping:
                    self._ready[:0] = ready[place + 1 :]
                    break

    def _is_held(self, host: Host, handle: asyncio.Handle) -> bool:
        """Whether a callback never runs, or not now: its machine is dead, or stands still."""
        if host.crashed:
            return True
        waiting = self._stopped.get(id(host))
        if waiting is not None:
            waiting.append(handle)
        return waiting is not None

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """Log what no one has handled, as asyncio does, by the machine to which it happened; one that is dead logs
        nothing."""
        what: Any = context.get("task") or context.get("future")
        where = f" of {_name(what.get_coro())}" if isinstance(what, asyncio.Task) else ""
        handle: Any = context.get("handle")
        host: Host | None = getattr(what, "host", None) if handle is None else handle._context.get(current_host)
        if self._running and not (host is not None and host.crashed):
            error = context.get("exception")
            trace = (type(error), error, error.__traceback__) if error is not None else None
            Context().run(_log, host, f"{context['message']}{where}", trace)

    def _collect_garbage(self) -> None:
        gc.collect(2 if self._steps % self.all_collected == 0 else 1)

    def create_future(self) -> asyncio.Future[Any]:
        return _Future(loop=self)

    def stop_host(self, host: Host) -> None:
        """From now on, nothing runs on a machine, as after SIGSTOP. What comes meanwhile waits."""
        self._stopped.setdefault(id(host), [])

    def continue_host(self, host: Host) -> None:
        """Let a stopped machine go on, with all that has waited."""
        self._ready.extend(self._stopped.pop(id(host), []))


def _log(host: Host | None, text: str, trace: Any) -> None:
    """Log an error as a machine does."""
    current_host.set(host)
    log.error("%s", text, exc_info=trace)


def _name(what: Any) -> str:
    """The name of a function or coroutine: its `repr` would have its address."""
    what = getattr(what, "func", what)  # that of a partial
    return str(getattr(what, "__qualname__", type(what).__qualname__))


class Universe:
    """All that follows from one seed: the loop, the network, the chance, and a log of what happens."""

    def __init__(self, seed: int, tell: Callable[[str], None] | None = None) -> None:
        """`tell` gets each line of the log."""
        self.seed = seed
        self.loop = Loop(Tape.generate(seed))
        self.world = World(self.loop)
        garbage = self.chance("garbage")
        if garbage.random() < TIDY:
            self.loop.collected = self.loop.all_collected = garbage.randrange(*OFTEN)
        self.lines = list[str]()
        """The latest lines of the log."""
        self.problems = list[str]()
        """What was wrong, in order."""
        self._tell = tell
        self._digest = hashlib.sha256()

    def chance(self, what: str) -> random.Random:
        """A source of chance of its own for each subject, so that one more draw in one changes no other."""
        return random.Random(f"{self.seed} {what}")

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return float(self.loop.time())

    def log(self, text: str) -> None:
        """Add a line."""
        line = f"{self.now:.6f} {text}"
        self._digest.update(line.encode("utf-8", "backslashreplace") + b"\n")
        self.lines.append(line)
        if len(self.lines) > 2000:
            del self.lines[:1000]
        if self._tell is not None:
            self._tell(line)

    def wrong(self, invariant: str, what: str) -> None:
        """Note that an invariant doesn't hold."""
        self.log(f"WRONG {invariant}: {what}")
        self.problems.append(f"{invariant}: {what}")

    @property
    def digest(self) -> str:
        """A hash of the whole log: the same for the same seed, on every machine."""
        return self._digest.hexdigest()

    def run(self, main: Callable[[Universe], Coroutine[Any, Any, T]]) -> T:
        """Let everything happen, until `main` returns; raises what it raises. What is still under way then is left as
        it is, so this process should end without tidying up."""
        clocks.begin(self.loop.time, self.seed)
        asyncio.set_event_loop(self.loop)
        result: T = self.loop.run_until_complete(main(self))
        return result

"""The event loop: simloom's, with callbacks in the order in which they were scheduled, as asyncio promises, and with
machines that can stop for a while and go on."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import itertools
import random
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, TypeVar

from simloom import EventLog, Host, SimLoop, Tape, World
from simloom._context import current_host

from tests.sim import clocks

T = TypeVar("T")
_SERIAL = itertools.count()
PASSES = 1e-6
"""Seconds that pass with each turn of the loop: a clock that stood still would keep some loops from ending."""
COLLECTED = 60_013
"""Steps between two collections of garbage, which must not come by themselves: objects say goodbye in them."""


class _Future(asyncio.Future[Any]):
    """A future whose place in a set doesn't depend on its address."""

    def __init__(self, *, loop: asyncio.AbstractEventLoop) -> None:
        self._serial = next(_SERIAL)
        super().__init__(loop=loop)

    def __hash__(self) -> int:
        return self._serial


class _Task(asyncio.Task[Any]):
    """A task whose place in a set doesn't depend on its address."""

    def __init__(self, work: Any, **how: Any) -> None:
        self._serial = next(_SERIAL)  # first: asyncio puts the task into a set
        super().__init__(work, **how)

    def __hash__(self) -> int:
        return self._serial


class _Unlogged(EventLog):
    """Keeps nothing: the log of a universe has what happens in it, not each callback."""

    def emit(self, kind: str, t: float, **fields: Any) -> None:
        pass


class Loop(SimLoop):
    """The loop of one universe."""

    _now: float
    _ready: list[asyncio.Handle]

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape, log=_Unlogged(), gc_interval=0)
        self._steps = 0
        self._stopped: dict[int, list[asyncio.Handle]] = {}
        """What machines that are stopped would do, by the identity of their host."""
        self.set_task_factory(lambda loop, work, **how: _Task(work, loop=loop, **how))  # type: ignore[arg-type]

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._timer_seq += 1
        heapq.heappush(self._scheduled, (when, self._timer_seq, handle))
        return handle

    def _run_once(self) -> None:
        """As simloom's, without what is noted and chosen there: this takes most of the time of a universe."""
        if not self._ready:
            while self._scheduled and self._scheduled[0][2]._cancelled:
                heapq.heappop(self._scheduled)
            if not self._scheduled:
                self._report_deadlock()
            self._now = max(self._now, self._scheduled[0][0])
        while self._scheduled and self._scheduled[0][0] <= self._now:
            self._ready.append(heapq.heappop(self._scheduled)[2])
        self._now += PASSES
        ready, self._ready = self._ready, []
        for place, handle in enumerate(ready):
            self._steps += 1
            if self._steps % COLLECTED == 0:
                self._collect_garbage()
            if handle._cancelled or self._is_held(handle):
                continue
            handle._run()
            if self._stopping:
                self._ready[:0] = ready[place + 1 :]
                return

    def _is_held(self, handle: asyncio.Handle) -> bool:
        """Whether a callback never runs, or not now: its machine is dead, or stands still."""
        host = handle._context.get(current_host)  # type: ignore[attr-defined]
        if host is None:
            return False
        if host.crashed:
            return True
        waiting = self._stopped.get(id(host)) if self._stopped else None
        if waiting is not None:
            waiting.append(handle)
        return waiting is not None

    def create_future(self) -> asyncio.Future[Any]:
        return _Future(loop=self)

    def stop_host(self, host: Host) -> None:
        """From now on, nothing runs on a machine, as after SIGSTOP. What comes meanwhile waits."""
        self._stopped.setdefault(id(host), [])

    def continue_host(self, host: Host) -> None:
        """Let a stopped machine go on, with all that has waited."""
        self._ready.extend(self._stopped.pop(id(host), []))


class Universe:
    """All that follows from one seed: the loop, the network, the chance, and a log of what happens."""

    def __init__(self, seed: int, tell: Callable[[str], None] | None = None) -> None:
        """`tell` gets each line of the log."""
        self.seed = seed
        self.loop = Loop(Tape.generate(seed))
        self.world = World(self.loop)
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

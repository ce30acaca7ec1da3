"""The event loop: simloom's, with callbacks in the order in which they were scheduled, as asyncio promises, and with
machines that can stop for a while and go on."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import random
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from simloom import EventLog, Host, SimLoop, Tape, World
from simloom._context import current_host
from simloom._run import _teardown

from tests.sim import clocks

T = TypeVar("T")
_SERIAL = itertools.count()


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


class _InOrder:
    """Callbacks run in the order in which they were scheduled."""

    descriptor = "in-order"

    def __init__(self, loop: SimLoop) -> None:
        pass

    def pick(self, ready: Sequence[asyncio.Handle]) -> int:
        return 0


class Loop(SimLoop):
    """The loop of one universe."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape, log=_Unlogged(), gc_interval=20_011, scheduler=_InOrder)
        self._stopped: dict[int, list[asyncio.Handle]] = {}
        """What machines that are stopped would do, by the identity of their host."""
        self.set_task_factory(lambda loop, work, **how: _Task(work, loop=loop, **how))  # type: ignore[arg-type]

    def create_future(self) -> asyncio.Future[Any]:
        return _Future(loop=self)

    def stop_host(self, host: Host) -> None:
        """From now on, nothing runs on a machine, as after SIGSTOP. What comes meanwhile waits."""
        self._stopped.setdefault(id(host), [])

    def continue_host(self, host: Host) -> None:
        """Let a stopped machine go on, with all that has waited."""
        self._ready.extend(self._stopped.pop(id(host), []))

    def _handle_is_dead(self, handle: asyncio.Handle) -> bool:
        return super()._handle_is_dead(handle) or bool(self._stopped) and self._waits(handle) is not None

    def _waits(self, handle: asyncio.Handle) -> list[asyncio.Handle] | None:
        context = getattr(handle, "_context", None)
        host = None if context is None else context.get(current_host)
        return None if host is None else self._stopped.get(id(host))

    def _compact_ready(self) -> None:
        if self._stopped:
            running = []
            for handle in self._ready:
                (running if (waiting := self._waits(handle)) is None else waiting).append(handle)
            self._ready = running
        super()._compact_ready()


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
        return self.loop.time()

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

    def run(self, main: Callable[[Universe], Coroutine[Any, Any, T]], ended: Callable[[], None]) -> T:
        """Let everything happen. `ended` is called before what is left over is tidied up, which is no longer part of
        it. Raises what `main` raises."""
        clocks.begin(self.loop.time, self.seed)
        asyncio.set_event_loop(self.loop)
        try:
            result: T = self.loop.run_until_complete(main(self))
            return result
        finally:
            ended()
            _teardown(self.loop)
            asyncio.set_event_loop(None)
            self.loop.close()

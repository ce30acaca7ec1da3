"""Makes the simulated Discord settle sooner: it sleeps less, looks at what there is only when nothing can go on, and
looks timers up instead of going through all of them for each answer with buttons. All of that took most of the time."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any

import discord
import simcord
from simcord import _runtime, _settlement
from simcord._dpy_internals import _original_callback

_settling = simcord.Env._settle_internal.__kwdefaults__
assert _settling is not None
_settling["idle"] = 0.001  # otherwise each click sleeps 50 ms


class _Timers:
    """The timers of a list, by what they wake: a future, or a task that has a time limit."""

    def __init__(self) -> None:
        self._of: list[Any] = []
        self._seen: tuple[int, Any] = (0, None)
        self._by_future: dict[int, list[Any]] = {}
        self._by_task: dict[int, list[Any]] = {}

    def waking(self, state: Any, task: Any, waiter: Any) -> list[Any]:
        """What simcord's function of this name finds."""
        timers = state.work.callbacks
        seen = len(timers), timers[-1] if timers else None
        if timers is not self._of or seen != self._seen:
            self._of, self._seen = timers, seen
            self._look()
        found = [*self._by_future.get(id(waiter), ()), *self._by_task.get(id(task), ())]
        return [timer for timer in found if not timer.handle.cancelled() and timer.when > state.virtual_time]

    def _look(self) -> None:
        by_future, by_task = defaultdict[int, list[Any]](list), defaultdict[int, list[Any]](list)
        for timer in self._of:
            if timer.when is None or timer.handle is None or timer.handle.cancelled():
                continue
            callback = _original_callback(getattr(timer.handle, "_callback", None))
            owner = getattr(callback, "__self__", None)
            for future in {id(it) for it in (*(getattr(timer.handle, "_args", None) or ()), owner) if it is not None}:
                by_future[future].append(timer)
            if getattr(callback, "__name__", "") == "_on_timeout":
                by_task[id(getattr(owner, "_task", None))].append(timer)
        self._by_future, self._by_task = by_future, by_task


def _expires(task: Any, waiter: Any) -> bool:
    """Whether a task only waits until an answer's buttons expire: one for each such answer."""
    return getattr(task.get_coro(), "cr_code", None) is _EXPIRY and waiter is not None and not waiter.done()


def _recognized(state: Any, task: Any, waiter: Any) -> bool:
    return _expires(task, waiter) or _recognized_otherwise(state, task, waiter)


def _reason(state: Any, task: Any, deadline: float, seen: set[int] | None = None) -> str | None:
    waiter = getattr(task, "_fut_waiter", None)
    if _expires(task, waiter) and _timers.waking(state, task, waiter):
        return "expiry"
    return _reason_otherwise(state, task, deadline, seen)


_EXPIRY = vars(discord.ui.view.BaseView)["_BaseView__timeout_task_impl"].__code__
_timers = _Timers()
_settlement._timer_records_waking = _timers.waking  # type: ignore[assignment]
_recognized_otherwise, _settlement._recognized_wait = _settlement._recognized_wait, _recognized  # type: ignore[assignment]
_reason_otherwise, _settlement._park_reason = _settlement._park_reason, _reason  # type: ignore[assignment]


# --- turns of the loop


class _Asyncio:
    """`asyncio` for simcord's settling: before a look, the loop turns until nothing is ready."""

    MOST_TURNS = 100

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @classmethod
    async def sleep(cls, delay: float) -> None:
        await asyncio.sleep(delay)
        ready: Any = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
        for _ in range(cls.MOST_TURNS):  # two that settle at the same time would wait for each other
            if not ready:
                return
            await asyncio.sleep(0)


def _tracked(work: Any, original: Any, callback: Any, args: Any, *, context: Any, when: Any, **how: Any) -> Any:
    task = getattr(callback, "__self__", None)
    if when is None and isinstance(task, asyncio.Task) and task in work.tasks:  # the task is looked at anyway
        return original(callback, *args, context=context)
    return _tracked_otherwise(work, original, callback, args, context=context, when=when, **how)


simcord.env.asyncio = _Asyncio()  # type: ignore[assignment, attr-defined]
_tracked_otherwise, _runtime._track_callback = _runtime._track_callback, _tracked
_runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]  # a list of them is searched for one

"""A host stops processes, as for an update: by SIGTERM, one after another if there are several. Each hands on what it
has, and ends by itself; if it doesn't, it is killed."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextvars import Context, copy_context
from typing import Any, NoReturn

from simloom import Host
from simloom._context import current_host

from bot.process import CLOSE_WITHIN
from tests.sim.machine import Machine
from tests.sim.town import Town

STOPPED = "a process that is stopped ends in time, and cleanly"
APART = 20.0
"""Seconds between the stops of two processes."""


def add_signal_handler(loop: Any, number: int, call: Any, *values: Any) -> None:
    """Note what a process does at a signal."""
    if (host := current_host.get()) is None:
        raise NotImplementedError
    _handlers(host)[number] = copy_context(), call, values


def _handlers(host: Host) -> dict[int, Any]:
    found: dict[int, Any] = vars(host).setdefault("handlers", {})
    return found


def end_at_the_latest() -> None:
    """Stands in for the program's: the process is ended when closing takes too long."""
    host = current_host.get()
    assert host is not None
    asyncio.get_running_loop().call_later(CLOSE_WITHIN, _end, host.clock)  # type: ignore[attr-defined]


def _end(machine: Machine) -> None:
    logging.getLogger("bot.process").critical("Harbormaster could not be closed; it ends as it is")
    machine.universe.loop.call_soon(machine._ended, context=Context())


def no_signals(*values: Any) -> NoReturn:
    """Stands in for what takes handlers away."""
    raise NotImplementedError


class Stops:
    """Stops processes."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.events = 0
        """How many events have happened to the town."""

    def begin(self, machines: list[Machine], calm: bool) -> float:
        """Stop machines. `calm`: nothing else is wrong. Returns after how many seconds all are there again."""
        for n, machine in enumerate(machines):
            self.town.universe.loop.call_later(n * APART, self._stop, machine, calm, self.events)
        return len(machines) * APART + CLOSE_WITHIN

    def _stop(self, machine: Machine, calm: bool, events: int) -> None:
        if not machine.alive:
            return
        self.town.universe.log(f"{machine.name} is stopped")
        context, call, values = _handlers(machine.host).get(signal.SIGTERM, (None, None, ()))
        if call is None:  # it has just been started
            machine.kill()
            return
        self.town.universe.loop.call_soon(call, *values, context=context)
        if calm:
            ends = list[object]()
            machine.ended.append(lambda _, end: ends.append(end))
            self.town.universe.loop.call_later(CLOSE_WITHIN + 1.0, self._look, machine, events, ends)

    def _look(self, machine: Machine, events: int, ends: list[object]) -> None:
        if events == self.events and ends[:1] != [True]:
            self.town.universe.wrong(STOPPED, f"{machine.name} has ended by {ends}")

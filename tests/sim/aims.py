"""What an event of a plan can wait for, so that it happens at the worst moment. `Aims` has a method for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

from simloom._context import current_host

from bot.store import Change
from bot.table.preferences import UserSettings
from bot.table.table import OVER, RUNNING
from engine.game import Game
from tests.sim import saves
from tests.sim.machine import Machine
from tests.sim.plan import Event
from tests.sim.town import Town
from tests.wire.calls import Interaction, Request

Then = Callable[[Machine | None], object]
"""Called once it has come, with the machine that has done it, if that is known."""


class Aims:
    """Waits for what events are aimed at."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self._ended = 0
        """How many games have ended."""
        self._noting = 0
        """How often processes have begun to note what they show."""
        self._waiting = list[asyncio.Task[None]]()
        saves.listen(self._saved)
        saves.listen_to_noting(self._begins_to_note)

    def _saved(self, change: Change, game: Game | None) -> None:
        self._ended += change.table.status == OVER and bool(change.records)

    def _begins_to_note(self) -> None:
        self._noting += 1

    def wait(self, event: Event, then: Then) -> None:
        """Call `then` once what an event is aimed at has come."""
        getattr(self, event.aim)(event, then)

    def commit(self, event: Event, then: Then) -> None:
        """One of the next commits, before the process knows of it."""
        self._heard(self.town.committed, lambda: True, 1 + event.which % 8, then)

    def note(self, event: Event, then: Then) -> None:
        """It is stored what is shown, before the process knows that."""
        known = self._noting

        def counts() -> bool:
            nonlocal known
            before, known = known, self._noting
            return before != known

        self._heard(self.town.committed, counts, 1 + event.which % 4, then)

    def request(self, event: Event, then: Then) -> None:
        """Discord has carried out one of the next requests, before the process knows."""

        def counts(call: Request, answer: object) -> bool:
            return call.method != "GET"

        self._heard(self.town.wire.heard, counts, 1 + event.which % 7, then)

    def post(self, event: Event, then: Then) -> None:
        """Discord has posted one of the next messages in a channel."""

        def counts(call: Request, answer: object) -> bool:
            return call.method == "POST" and call.path.endswith("/messages")

        self._heard(self.town.wire.heard, counts, 1 + event.which % 3, then)

    def call(self, event: Event, then: Then) -> None:
        """A message has called someone."""

        def counts(call: Request, answer: Any) -> bool:
            if call.method != "POST" or call.status != 200 or not isinstance(answer, dict) or "id" not in answer:
                return False
            message = self.town.wire.world.messages.get(int(answer["id"]))
            return message is not None and bool(message.notified)

        self._heard(self.town.wire.heard, counts, 1 + event.which % 2, then)

    def click(self, event: Event, then: Then) -> None:
        """Someone has pressed something a moment ago."""
        delay = event.which % 12 * 0.04

        def later(machine: Machine | None) -> None:
            self.town.universe.loop.call_later(delay, then, machine, context=Context())

        def counts(it: Interaction) -> bool:
            return True

        self._heard(self.town.wire.delivered, counts, 1 + event.which % 3, later)

    def ending(self, event: Event, then: Then) -> None:
        """A game has just ended: at once, or some commits later."""
        left = event.which % 12

        def committed() -> bool:
            return bool(self._ended)

        self._heard(self.town.committed, committed, 1 + left, then)

    def time(self, event: Event, then: Then) -> None:
        """Someone's time is over soon: so that it ends during the event, or soon after it."""
        lead = event.value * (event.which % 10) / 8

        async def look() -> None:
            while (left := await self._left() - lead) > 0:  # noqa: ASYNC110 (no one tells of times)
                await asyncio.sleep(min(max(left, 0.5), 20.0))
            then(None)

        self._start(look())

    def choice(self, event: Event, then: Then) -> None:
        """Someone's settings have just been stored."""
        waiting = [then]

        def heard(settings: UserSettings) -> None:
            if waiting:
                self.town.universe.loop.call_soon(waiting.pop(), None, context=Context())

        saves.listen_to_settings(heard)

    def window(self, event: Event, then: Then) -> None:
        """All have just been asked for an answer for which they have the same time."""

        async def look() -> None:
            while not any([(await game.read()).table.window for game in self.town.games]):  # noqa: ASYNC110 (as above)
                await asyncio.sleep(2.0)
            then(None)

        self._start(look())

    async def _left(self) -> float:
        """Seconds until someone's time is over; many if no one's time runs."""
        tables = [(await game.read()).table for game in self.town.games]
        ends = [
            wait.until
            for table in tables
            if table.status == RUNNING and not table.paused
            for wait in table.waits
            if wait.until is not None and not wait.over
        ]
        return min(ends, default=self.town.time + 1e9) - self.town.time

    def _heard(self, place: list[Any], counts: Callable[..., bool], left: int, then: Then) -> None:
        def heard(*values: Any) -> None:
            nonlocal left
            left -= counts(*values)
            if not left:
                place.remove(heard)
                host = current_host.get()
                at = next((machine for machine in self.town.machines if machine.lives and machine.host is host), None)
                self.town.universe.loop.call_soon(then, at, context=Context())

        place.append(heard)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.town.universe.loop.create_task(work)
        self._waiting.append(task)

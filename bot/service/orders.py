"""When orders are carried out: at a time that can't be told from that of a quick person.

At that time, each order looks at the position as it is then. What no longer fits isn't done.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from bot.service.games import Before, GameService
from bot.service.jobs import Jobs
from bot.service.repository import GameRepository
from bot.store import Damaged, Store
from bot.store.base import Job
from bot.table.acts.orders import CarryOut, GiveOrders, automatic_action
from bot.table.orders import Orders
from bot.table.table import People, Table
from engine.errors import RefereeError
from engine.game import Game

ORDER = "order"
"""Prefix of the name of the job of carrying out an order; the seat follows."""
DELAY = (4.0, 12.0)
"""Minimum and maximum seconds that an order takes: about as long as a person who has the game open."""


class OrderService:
    """The autopilot: accepts orders, and has them carried out."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        jobs: Jobs,
        now: Callable[[], float],
        takes: Callable[[], float] = lambda: random.uniform(*DELAY),
    ) -> None:
        """`now` in seconds since the epoch; `takes`: seconds until an order is carried out."""
        self._store, self._repository, self._games, self._jobs = store, repository, games, jobs
        self._now, self._takes = now, takes
        jobs.when(ORDER, self._carry_out)
        games.plan_by(self.jobs)

    async def give(self, number: int, user: int, **changes: Any) -> Orders:
        """Change a user's orders in a game. Codes: "no-table", and those of `GiveOrders`."""
        return (await self._games.act(number, user, GiveOrders(changes))).table.orders_of(user)

    async def of(self, number: int, user: int) -> Orders:
        """A user's orders in a game, which are their secret."""
        return (await self._repository.table(number)).orders_of(user)

    async def wants_something(self, table: Table, game: Game, seat: int) -> bool:
        """Whether an order of this seat wants something now."""
        return automatic_action(table, game, await self._repository.people(table), seat) is not None

    def jobs(self, table: Table, game: Game, was: Before, people: People) -> dict[str, float | None]:
        """When to carry out orders after a change, by the job's name. What an order wanted before the change keeps
        its time: players who could postpone it could tell an order from a person (M)."""
        if table.paused:
            return {}
        if was is not None and was[0].paused:
            was = None
        found: dict[str, float | None] = {}
        for seat in range(game.config.players):
            action = automatic_action(table, game, people, seat)
            if action is None:
                continue
            same = was is not None and was[1].decision(seat) == game.decision(seat)
            if was is None or not same or action != automatic_action(*was, people, seat):
                found[f"{ORDER}:{seat}"] = self._now() + self._takes()
        return found

    async def reschedule(self, user: int) -> None:
        """Set new jobs for all that a user's orders want now, since they have changed a choice for all their games."""
        for number in await self._store.played_by(user):
            with suppress(RefereeError):
                table, game = await self._repository.table(number), await self._repository.game(number)
                seat = table.seat_of(game, user)
                if seat is not None and not table.paused and await self.wants_something(table, game, seat):
                    await self._jobs.set(Job(number, f"{ORDER}:{seat}", self._now() + self._takes()))

    async def _carry_out(self, job: Job) -> None:
        """Do what an order wants. A refusal is ignored, and no log can reveal whom it was for (M)."""
        seat = int(job.name.partition(":")[2] or -1)
        if self._now() < self._jobs.since + DELAY[0]:  # too soon: no person could have acted since the downtime
            return await self._jobs.set(Job(job.game, job.name, self._jobs.since + self._takes()))
        try:  # a job that was set again since has another time
            await self._games.act(job.game, 0, CarryOut(seat), still=partial(self._store.has_job, job))
        except Damaged:
            raise
        except RefereeError:
            return

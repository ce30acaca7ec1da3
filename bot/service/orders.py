"""Orders: what somebody has decided before, and the bot does for them when it comes to that."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from contextlib import suppress

from bot.models import BUILDS, RUNNING, Job, Table
from bot.service.games import GameService
from bot.service.jobs import Jobs
from bot.service.repository import GameRepository
from bot.store import Store
from engine.actions import PassOn
from engine.errors import RefereeError
from engine.game import Game
from engine.steps.special import SpecialBuilding

log = logging.getLogger(__name__)

ORDER = "order"
"""Name of the job of passing for somebody who is called to build."""
HASTE = (4.0, 12.0)
"""Seconds that an order takes, at least and at most: about as long as somebody who has the game open."""

Listener = Callable[[int, Game], None]


class Orders:
    """Passes for those who are called to build and can have nothing that they want to be asked for (J2)."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        jobs: Jobs,
        now: Callable[[], float],
        takes: Callable[[], float] = lambda: random.uniform(*HASTE),
    ) -> None:
        """`now` in seconds since the epoch; `takes`: after how many seconds an order is carried out."""
        self._store, self._repository, self._games, self._jobs = store, repository, games, jobs
        self._now, self._takes = now, takes
        self._listeners: list[Listener] = []
        jobs.when(ORDER, self._carry_out)
        games.plan_by(self.jobs)

    def subscribe(self, listener: Listener) -> None:
        """Have a listener told of a game after each order that was carried out."""
        self._listeners.append(listener)

    async def jobs(self, table: Table, game: Game) -> dict[str, float | None]:
        """What is to be done for whoever decides after an action, by the job's name."""
        seat = _called(game)
        if seat is None or not await self.passes(table, game, seat):
            return {}
        return {ORDER: self._now() + self._takes()}

    async def again(self, user: int) -> None:
        """Somebody has decided otherwise, perhaps while a game waits for them."""
        for number in await self._store.played_by(user):
            with suppress(RefereeError):
                table, game = await self._repository.table(number), await self._repository.game(number)
                seat = _called(game)
                if seat is not None and table.user_at(game, seat) == user and await self.passes(table, game, seat):
                    await self._jobs.set(Job(number, ORDER, self._now() + self._takes()))

    async def passes(self, table: Table, game: Game, seat: int) -> bool:
        """Whether a pass will be given for a seat that is called to build: it is asked for nothing that it can have."""
        if table.member_at(game, seat).level:  # which decides otherwise
            return False
        wanted = (await self._store.settings(table.user_at(game, seat))).choices.building
        options = game.options(seat)
        return bool(wanted) and not any(action in options for what in wanted for action in BUILDS.get(what, ()))

    def is_called(self, game: Game, seat: int) -> bool:
        """Whether a seat is asked just now whether it wants to build."""
        return _called(game) == seat

    async def _carry_out(self, job: Job) -> None:
        table = await self._repository.table(job.game)
        if table.status != RUNNING or table.choices.paused:
            return
        game = await self._repository.game(job.game)
        seat = _called(game)
        if seat is None or not await self.passes(table, game, seat):
            return
        user, decision = table.user_at(game, seat), game.decision(seat)
        played = await self._games.submit_action(
            job.game, user, PassOn(), decision=decision, interaction=f"order-{job.game}-{game.revision}"
        )
        for listener in self._listeners:
            listener(job.game, played.game)


def _called(game: Game) -> int | None:
    """The seat that builds now in the special building phase."""
    step = game.state.agenda[-1]
    return step.seat if isinstance(step, SpecialBuilding) and step.seat >= 0 else None

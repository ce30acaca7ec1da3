"""The game services: all that a front asks for. Each change is made once, and stored before anyone hears of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.metrics import Metrics
from bot.service.clock import Clock, WallClock, patience_of
from bot.service.computers import Computers, ReviewService, Think, by_thread
from bot.service.games import Done, GameService
from bot.service.jobs import Jobs
from bot.service.lobby import LobbyService
from bot.service.orders import OrderService
from bot.service.people import Directs, PeopleService, PrivacyService
from bot.service.promptness import PromptnessService
from bot.service.ratings import RatingService
from bot.service.reach import Reach
from bot.service.repository import GameRepository
from bot.service.servers import ServerService
from bot.service.shards import Ownership
from bot.service.subscriptions import SubscriptionService
from bot.service.waiting import AbsenceService, Timekeeper
from bot.service.web import Site, WebService
from bot.store import ProjectionStore, Store

__all__ = ["Done", "Services", "patience_of"]


@dataclass(frozen=True, slots=True)
class Services:
    """All that a front asks for.

    Refusals are `RefereeError`s with a code and one sentence for the person; they leave no trace. Anything else that
    is raised is `Unavailable` or a bug. Interaction ids are unique in a namespace. An interaction that was carried
    out before has no second effect and gets its earlier result, even after a restart. Every change is finished even
    if the caller is canceled, and only what is stored is reported.
    """

    repository: GameRepository
    lobby: LobbyService
    games: GameService
    reach: Reach
    people: PeopleService
    privacy: PrivacyService
    projections: ProjectionStore
    clock: Clock
    jobs: Jobs
    orders: OrderService
    timekeeper: Timekeeper
    computers: Computers
    absence: AbsenceService
    directs: Directs
    ratings: RatingService
    promptness: PromptnessService
    reviews: ReviewService
    servers: ServerService
    subscriptions: SubscriptionService
    ownership: Ownership
    web: WebService
    metrics: Metrics
    now: Callable[[], float]
    """Seconds since the epoch, by the clock that all services use."""

    @classmethod
    def of(
        cls,
        store: Store,
        *,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        metrics: Metrics | None = None,
        think: Think = by_thread,
        steady: Callable[[], float] | None = None,
        site: Site | None = None,
    ) -> Services:
        """Make all services on a store; start nothing. `now` in seconds since the epoch; `entropy(n)`: n secret bytes
        for the games' seeds; `metrics`: the counters, by default new ones; `think`: where bots think; `steady` is as
        for `WallClock` and `Frozen`, None if time is simulated; `site`: where games are served to browsers."""
        if steady is not None and not store.shared:  # else other clocks go on, and all must agree
            now = WallClock(now, steady)
        metrics = metrics or Metrics()
        repository = GameRepository(store, metrics)
        games = GameService(store, repository, now, metrics)
        reach = Reach(store, now)
        lobby = LobbyService(store, repository, now, entropy, games)
        ownership = Ownership(store, now)
        jobs = Jobs(store, ownership, now)
        directs = Directs(store, now)
        people = PeopleService(store, repository, games, jobs, directs)
        clock = Clock(store, repository, games, reach, jobs, directs, now, steady)
        orders = OrderService(store, repository, games, jobs, now)
        timekeeper = Timekeeper(store, repository, games, reach, jobs, directs, now)
        computers = Computers(repository, games, jobs, reach, now, think)
        absence = AbsenceService(store, repository, games, jobs, now)
        return cls(
            repository=repository,
            lobby=lobby,
            games=games,
            reach=reach,
            people=people,
            privacy=PrivacyService(store, repository, games, entropy),
            directs=directs,
            projections=store,
            clock=clock,
            jobs=jobs,
            orders=orders,
            timekeeper=timekeeper,
            computers=computers,
            absence=absence,
            ratings=RatingService(store),
            promptness=PromptnessService(store),
            reviews=ReviewService(store, repository, think),
            servers=ServerService(store),
            subscriptions=SubscriptionService(store, repository, people, jobs, now),
            ownership=ownership,
            web=WebService(store, repository, site or Site()),
            metrics=metrics,
            now=now,
        )

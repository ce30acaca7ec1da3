"""Seats that change hands: one's own to somebody who accepts it, or a computer's to a substitute."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from bot.plaintext import safe_name
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.service.saving import save_change
from bot.store import Store
from bot.table.news import with_news
from bot.table.proposals import DECLINED
from bot.table.seats import check_newcomer, check_running, seated, with_offer, withdrawable
from bot.table.table import Table
from bot.table.waiting import DAY
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


class HandoverService:
    """Offers seats to people, and seats those who accept."""

    def __init__(self, store: Store, repository: GameRepository, games: GameService, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now

    async def offer(
        self, number: int, user: int, to: int, interaction: str, *, name: str = "", absent: int | None = None
    ) -> Table:
        """Offer one's own seat to somebody of that name, or to anybody (0); as host that of somebody else who is
        `absent`, for whom a computer plays.

        Panel becomes due. Codes: "no-table", "not-started", "archived", "over", "not-playing", "not-host",
        "handover/playing", "handover/not absent", "handover/declined", "handover/asked".
        """
        newcomer = (to, safe_name(name) if name else "")
        return await self._repository.alone(
            number, lambda table: self._offer(table, user, newcomer, interaction, absent)
        )

    async def accept(self, number: int, user: int, name: str, place: int, interaction: str) -> Table:
        """Take a seat that is offered; panel and hand become due. Codes as `offer`, and "handover/none"."""
        return await self._repository.alone(number, lambda table: self._accept(table, user, name, place, interaction))

    async def decline(self, number: int, user: int, name: str, interaction: str, *, place: int | None = None) -> Table:
        """Don't take it, or take one's offer back; as host that of the seat at a `place` where a computer plays.

        Codes: "handover/none", "handover/not offered" too.
        """
        return await self._repository.alone(number, lambda table: self._decline(table, user, name, interaction, place))

    async def _offer(
        self, table: Table, user: int, newcomer: tuple[int, str], interaction: str, absent: int | None
    ) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        game = await self._repository.game(table.number)
        place = table.player(user if absent is None else absent)
        if table.player(user) is None or place is None:
            raise RefereeError("not-playing")
        if game.state.resigned >> game.state.order.index(place) & 1:
            raise RefereeError("not-playing/resigned")
        if absent not in (None, user):
            if user != (host := table.host_in(game)):
                name = next(member.name for member in table.members if member.user == host)
                raise RefereeError("not-host", host=name)
            if not table.members[place].level:
                raise RefereeError("handover/not absent", name=table.members[place].name)
        if newcomer[0] == user:
            raise RefereeError("handover/yourself")
        check_newcomer(table, place, newcomer[0], self._now())
        return await self._save(with_offer(table, place, *newcomer), table, interaction)

    async def _accept(self, table: Table, user: int, name: str, place: int, interaction: str) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        if user in table.users:
            raise RefereeError("handover/you play")
        offered = next((h for h in table.choices.handovers if h.place == place and h.to in (0, user)), None)
        if offered is None:
            raise RefereeError("handover/none")
        old = await self._repository.game(table.number)
        game, people = old.copy(), await self._repository.people(table, user)
        if game.state.resigned >> game.state.order.index(place) & 1:
            raise RefereeError("handover/none")
        changed = seated(table, game, people, offered.place, user, name, self._now())
        log.info("Game %d: a seat has changed hands", table.number)
        return await self._save(changed, table, interaction, old, game)

    async def _decline(self, table: Table, user: int, name: str, interaction: str, other: int | None) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        game, place = await self._repository.game(table.number), table.player(user)
        if other is None:
            kept = tuple(h for h in table.choices.handovers if h.to != user and h.place != place)
        else:
            withdrawn = withdrawable(table, game, user)
            kept = tuple(h for h in table.choices.handovers if h.place != other or other not in withdrawn)
        if kept == table.choices.handovers:
            raise RefereeError("handover/none" if other is None else "handover/not offered")
        now = self._now()
        said_no = [] if place is not None else [(user, now)]
        declined = (*(one for one in table.choices.declined if one[0] != user and now < one[1] + DAY), *said_no)
        changed = replace(table, choices=replace(table.choices, handovers=kept, declined=declined))
        for offered in table.choices.handovers:
            if place is None and offered not in kept:
                whose = table.members[offered.place]
                asks = table.host_in(game) if whose.level else whose.user
                changed = with_news(changed, game, DECLINED, user=asks, name=whose.name, newcomer=safe_name(name))
        return await self._save(changed, table, interaction)

    async def _save(
        self, table: Table, before: Table, interaction: str, old: Game | None = None, game: Game | None = None
    ) -> Table:
        return await save_change(self._repository, self._games, table, before, interaction, self._now(), old, game)

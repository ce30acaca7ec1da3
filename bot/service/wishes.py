"""Wishes: what people look for while it is another's turn, for all to see. The engine knows nothing of them.

A wish ends when it is withdrawn or replaced, when its maker gets some of it by a trade, and when the maker's own turn
begins, in which they can offer a trade. It is no offer: nobody can accept it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from bot.projections import PANEL
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.proposals import Wish
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.table.wishes import open_wishes
from engine.errors import RefereeError
from engine.game import Game
from engine.resources import Hand

log = logging.getLogger(__name__)


class WishService:
    """Says for people what they look for, and takes it back."""

    def __init__(self, store: Store, repository: GameRepository, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._now = store, repository, now

    async def post(self, number: int, user: int, want: Hand, give: Hand, interaction: str) -> Table:
        """Say that somebody looks for cards, in place of what they looked for before; panel becomes due.

        `give` may be `NOTHING`. Codes: "no-table", "not-started", "archived", "over", "not-playing", "replaced",
        "paused", "unreadable", "wish".
        """
        return await self._repository.alone(number, lambda table: self._post(table, user, want, give, interaction))

    async def withdraw(self, number: int, user: int, interaction: str) -> Table:
        """Take somebody's wish back; panel becomes due. Codes: "no-table", "no-wish", and those of `post`."""
        return await self._repository.alone(number, lambda table: self._withdraw(table, user, interaction))

    async def _post(self, table: Table, user: int, want: Hand, give: Hand, interaction: str) -> Table:
        game, seat = await self._seat(table, user)
        if await self._store.interaction(interaction):
            return table
        if table.choices.paused:
            raise RefereeError("paused")
        if not any(want):
            raise RefereeError("unreadable/no-cards")
        if any(a and b for a, b in zip(want, give, strict=True)):
            raise RefereeError("wish/same-resource")
        if not game.state.turn:
            raise RefereeError("wish/setup")
        if game.state.on_turn == seat:
            raise RefereeError("wish/own-turn")
        wish = Wish(user, want, give, game.state.turns[seat])
        if open_wishes(table, game).get(seat) == wish:
            return table
        return await self._save(table, user, (wish,), interaction)

    async def _withdraw(self, table: Table, user: int, interaction: str) -> Table:
        game, seat = await self._seat(table, user)
        if await self._store.interaction(interaction):
            return table
        if seat not in open_wishes(table, game):
            raise RefereeError("no-wish")
        return await self._save(table, user, (), interaction)

    async def _seat(self, table: Table, user: int) -> tuple[Game, int]:
        """The game and the seat of somebody who plays in it themselves."""
        if table.status != RUNNING:
            raise RefereeError(
                {ARCHIVED: "archived", OVER: "over"}.get(table.status, "not-started"), number=table.number
            )
        game = await self._repository.game(table.number)
        seat = table.seat_of(game, user)
        if seat is None or game.state.resigned >> seat & 1:
            raise RefereeError("not-playing")
        if table.member_at(game, seat).level:
            raise RefereeError("replaced")
        return game, seat

    async def _save(self, before: Table, user: int, wishes: tuple[Wish, ...], interaction: str) -> Table:
        """With these wishes in place of the user's."""
        others = tuple(wish for wish in before.choices.wishes if wish.user != user)
        choices = replace(before.choices, wishes=(*others, *wishes))
        table = replace(before, version=before.version + 1, updated=self._now(), choices=choices)
        log.info("Game %d: %s", before.number, "a wish is posted" if wishes else "a wish is withdrawn")
        return await self._repository.save(table, interaction, (PANEL,), before=before)

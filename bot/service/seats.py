"""Who plays in a seat of a running game: the person whose it is, or a computer in their stead."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from bot.params import Span, Typed
from bot.plaintext import safe_name
from bot.service.games import GameService
from bot.service.reach import Reach
from bot.service.repository import GameRepository
from bot.service.saving import save_change
from bot.store import Store
from bot.table.motions import settled
from bot.table.seats import (
    alone_from,
    check_newcomer,
    check_playing,
    check_running,
    is_outvoted,
    is_replaced,
    occupied,
    who_plays,
    with_offer,
)
from bot.table.table import Table
from engine.errors import RefereeError
from engine.game import Game
from engine.refusals import Words
from players import OFFERED

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Replacement:
    """What came of the wish that a computer plays for somebody."""

    table: Table
    done: bool
    """Whether one does; otherwise it takes more votes."""
    votes: int = 0
    """How many have voted for it."""
    of: int = 0
    """How many can; more than half of them decide."""

    @property
    def needed(self) -> int:
        """How many have to want it."""
        return self.of // 2 + 1


class SeatService:
    """Has computers play for people who have left or don't answer, and gives them their seats back."""

    def __init__(
        self, store: Store, repository: GameRepository, games: GameService, reach: Reach, now: Callable[[], float]
    ) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now
        self._reach = reach

    async def replace(
        self,
        number: int,
        absent: int,
        user: int,
        interaction: str,
        *,
        level: str = "hard",
        left: bool = False,
        by: int = 0,
        by_name: str = "",
    ) -> Replacement:
        """Let a computer play for somebody, or vote for that; panel becomes due. `by`: who is asked to take the seat if
        that settles it, and their name; 0: nobody.

        At once: who asks for themselves; the vote by which more than half of the others agree, where they are at least
        two; the host, or the only other person, once the game has waited for an hour, where there is a pace once the
        time is over, or where the absent one has let it run out `OFTEN` times running, or has `left` the server (the
        caller has checked that); anybody at the table once it has waited for a day, or the time has been over for as
        long again, but no longer than a day. In a pause it takes a day, or two, in which the absent one hasn't answered
        the wish to go on.
        Codes: "no-table", "not-started", "archived", "over", "level", "not-playing", "replaced", "no-player",
        "last-person", "too-soon", "handover/playing", "handover/declined", "handover/asked".
        """
        return await self._repository.alone(
            number, lambda table: self._replace(table, absent, user, interaction, level, left, (by, safe_name(by_name)))
        )

    async def play_again(self, number: int, user: int, interaction: str) -> Table:
        """Give somebody their seat back from the computer; panel becomes due.

        Codes: "no-table", "not-running", "not-playing", "not-replaced".
        """
        return await self._repository.alone(number, lambda table: self._play_again(table, user, interaction))

    async def _replace(
        self, table: Table, absent: int, user: int, interaction: str, level: str, left: bool, newcomer: tuple[int, str]
    ) -> Replacement:
        check_running(table)
        if level not in OFFERED:
            raise RefereeError("level", typed=Typed(level), possible=Words(OFFERED))
        game = await self._repository.game(table.number)
        if await self._store.interaction(interaction):
            counted = sum(who == absent for who, _by in table.choices.replacing)
            return Replacement(table, is_replaced(table, absent), counted, len(who_plays(table, game)) - 1)
        check_playing(table, game, user)
        there = who_plays(table, game)
        if absent not in there:
            raise RefereeError("no-player/replaced" if is_replaced(table, absent) else "no-player/person")
        others = tuple(other for other in there if other != absent)
        if not others:
            raise RefereeError("last-person")
        if newcomer[0]:
            check_newcomer(table, table.users.index(absent), newcomer[0], self._now())
        at = alone_from(table, game, absent, user, left=left, unseen=await self._reach.last(table.number))
        replacing = tuple(sorted({*table.choices.replacing, (absent, user)}))
        voted = replace(table, choices=replace(table.choices, replacing=replacing))
        alone = user == absent or (at is not None and self._now() >= at)
        if alone or is_outvoted(voted, game, absent):
            offered = with_offer(table, table.users.index(absent), *newcomer) if newcomer[0] else table
            by_wish = user == absent
            return Replacement(
                await self._occupied(offered, table, game, absent, level, interaction, by_wish), done=True
            )
        if len(others) == 1:
            if at is None:
                raise RefereeError("too-soon/paused" if table.choices.paused else "too-soon/not awaited")
            rest = Span(60 * ceil((at - self._now()) / 60))
            if table.choices.paused:
                raise RefereeError("too-soon/go on", time=rest)
            raise RefereeError("too-soon/pace" if table.choices.pace else "too-soon", time=rest)
        votes = [by for who, by in replacing if who == absent and by in others]
        saved = await save_change(self._repository, self._games, voted, table, interaction, self._now())
        return Replacement(saved, done=False, votes=len(votes), of=len(others))

    async def _play_again(self, table: Table, user: int, interaction: str) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        if table.player(user) is None:
            raise RefereeError("not-playing")
        game = await self._repository.game(table.number)
        if not is_replaced(table, user):
            left = user not in who_plays(table, game)
            raise RefereeError("not-playing/resigned" if left else "not-replaced")
        log.info("Game %d: somebody plays again in place of a computer", table.number)
        return await self._occupied(table, table, game, user, "", interaction)

    async def _occupied(
        self, table: Table, before: Table, old: Game, user: int, level: str, interaction: str, by_wish: bool = True
    ) -> Table:
        """Have a computer of a level play for a user, or the user again, and store it."""
        game, now, people = old.copy(), self._now(), await self._repository.people(table)
        table = settled(occupied(table, game, people, user, level, now, by_wish), game, people, now)
        return await save_change(self._repository, self._games, table, before, interaction, now, old, game)

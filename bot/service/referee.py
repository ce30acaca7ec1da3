"""What the referee does when a time is over: a decision is ended, or made for those who are late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.projections import PANEL
from bot.service.games import GameService
from bot.service.reach import Reach
from bot.service.repository import GameRepository
from bot.table.table import Missed, Table, Wait
from bot.table.waiting import window
from engine.actions import BuildSettlement, DecideFor, DeclineFor, Expire
from engine.game import Game
from engine.record import REFEREE


class Referee:
    """Acts in games in which time is over; what is due then is what `GameService.submit_action` makes due."""

    def __init__(self, repository: GameRepository, games: GameService, reach: Reach, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._repository, self._games, self._reach, self._now = repository, games, reach, now

    async def expire(self, number: int, serial: int) -> Game | None:
        """The referee ends a decision whose time is over (L8); None where that isn't so, or no longer.

        Due is what `submit_action` makes due.
        """
        return await self._repository.alone(number, lambda table: self._expire(table, serial))

    async def decide_for(self, table: Table, late: Sequence[Wait]) -> tuple[Table, Game]:
        """The referee decides for those whose time is over, under the table's lock (`GameRepository.alone`): the
        plainest choice for each, to the end of their turn; offers they have not answered are declined. Whose offers
        these were has waited for answers, and can now do something else.

        Due is what `submit_action` makes due.
        """
        old = await self._repository.game(table.number)
        game, missed = old.copy(), {found.user: found for found in table.choices.missed}
        unanswered = [wait for wait in late if wait.offer]
        for wait in unanswered:
            game.play(REFEREE, DeclineFor(wait.seat, wait.serial))
        on_turn = game.state.on_turn
        has_waited = any(wait.seat != on_turn for wait in unanswered)
        for wait in late:
            if wait.offer or (has_waited and wait.seat == on_turn):
                continue
            if wait.seat in game.to_act and game.outcome is None:
                user, turn = table.user_at(game, wait.seat), game.turn
                before = missed.get(user)
                _decide(game, wait.seat)
                times = 1 if before is None else before.times + (before.turn != turn or not turn)
                missed[user] = Missed(user, times, turn)
        choices = replace(table.choices, missed=tuple(missed.values()))
        id = f"late-{table.number}-{old.revision}"
        return await self._games.save(replace(table, choices=choices), old, game, id, looked=True), game

    async def _expire(self, table: Table, serial: int) -> Game | None:
        limit = table.deadline
        if limit is None or limit.serial != serial or self._now() < limit.at or table.choices.paused:
            return None
        old = await self._repository.game(table.number)
        length = window(table, old)
        if limit.at - length <= await self._reach.missed(table):  # nobody can act where they see nothing
            anew = replace(limit, at=self._now() + length)
            later = replace(table, version=table.version + 1, deadline=anew)
            await self._repository.save(later, None, (PANEL,), before=table)
            return None
        game = old.copy()
        game.play(REFEREE, Expire(serial))
        await self._games.save(table, old, game, f"expire-{table.number}-{serial}")
        return game


def _decide(game: Game, seat: int) -> None:
    """What a seat that is late owes is decided, and in its own turn all that follows."""
    turn = game.turn
    while True:
        game.play(REFEREE, DecideFor(seat))
        if game.outcome is not None or game.turn != turn or seat not in game.to_act:
            return
        if not turn and BuildSettlement in game.options(seat):  # the last in setup places twice, and has time for each
            return

"""Time limits of decisions: kept with the record that begins them, and lengthened by the time the bot was down."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.models import Deadline, Table
from bot.service.desk import Desk
from engine.actions import Expire
from engine.game import Game

log = logging.getLogger(__name__)


def limited(game: Game) -> int | None:
    """Serial number of the decision that the referee ends when its time is over; None: there is no hurry."""
    step = game.state.agenda[-1]
    return step.serial if Expire in game.rules.referee.get(type(step), {}) else None


def deadline_of(table: Table, game: Game, now: float) -> Deadline | None:
    """Until when the present decision may be made: as before while it is the same one, else anew."""
    serial = limited(game)
    if serial is None:
        return None
    if table.deadline is not None and table.deadline.serial == serial:
        return table.deadline
    return Deadline(serial, now + game.config.answer_time)


class Deadlines(Desk):
    """What a clock needs; the service itself never waits for anything."""

    def listen(self, heard: Callable[[Table], None]) -> None:
        """Have every table told as soon as a change of it is stored."""
        self._heard = heard

    async def wake(self) -> list[Table]:
        """At the start: add the time in which nobody was here to all deadlines; the tables that have one."""
        down = await self._store.wake(self._now())
        tables = await self._sound(await self._store.with_deadline())
        if tables:
            log.info("Deadlines of %d games are %d seconds later: so long was the bot away", len(tables), down)
        return tables

    async def alive(self) -> None:
        """Note that time counts up to now; each stored change does so too."""
        await self._store.alive(self._now())

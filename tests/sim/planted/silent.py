"""Faults to plant of which no one hears: errors that nobody handles, lines that can't be logged."""

from __future__ import annotations

from tests.sim.planted.faults import ERRORS
from tests.sim.planted.planting import planted, put

# --- errors


@planted("a timer's callback fails", ERRORS)
def callback_fails() -> None:
    from bot.service.clock import Clock

    keep_up = Clock._keep_up

    def failing(self: Clock) -> None:
        keep_up(self)
        raise RuntimeError("kept up")

    put(Clock, _keep_up=failing)


@planted("a task fails for which no one waits", ERRORS)
def task_fails() -> None:
    from bot.discord.show.servers import Overviews

    look = Overviews._look

    async def failing(self: Overviews, guild: int) -> None:
        await look(self, guild)
        raise RuntimeError("looked")

    put(Overviews, _look=failing)


@planted("a line of the log takes a latency that isn't a number yet", ERRORS)
def latency_logged() -> None:
    from bot.discord.connecting import Pulse, log

    def look(self: Pulse) -> None:
        if self.age >= self._patience:
            log.warning("No event from Discord for %d s, heartbeat %d ms", self.age, self._latency() * 1000)
            self._patience *= 2
        self._watch()

    put(Pulse, _look=look)

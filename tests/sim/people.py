"""People at a table: each has habits, looks at what is shown, and does something; and what they were told."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from engine.actions import Action
from tests.bot.playground import choose
from tests.sim.plan import Habit
from tests.sim.town import Game, Town
from tests.wire.calls import Interaction
from tests.wire.limits import BUTTON, SELECT
from tests.wire.messages import Message
from tests.wire.party import Person
from tests.wire.stored_game import StoredGame

CONFUSED = (TimeoutError, LookupError, AssertionError, AttributeError, ValueError)
"""What happens to people who find something else than they expected: no answer, an old message, a form that is gone."""
PAGES = ("hand", "board", "stats", "catchup", "games", "settings", "help", "auto", "game timer")


@dataclass(frozen=True)
class Told:
    """An answered action: its interaction, and the number of the record that it would make."""

    it: Interaction
    action: Action
    record: int


class Player:
    """A person at a table."""

    def __init__(self, town: Town, game: Game, person: Person, habit: Habit) -> None:
        self.town, self.game, self.person, self.habit = town, game, person, habit
        self.rng = town.universe.chance(f"{game.number} {person.human.name}")
        self.told = list[Told]()

    async def live(self) -> None:
        """Visit the table again and again, and soon if it is their turn."""
        while True:
            await self._stay_away()
            for _ in range(self.rng.randint(1, self.habit.stays)):
                await asyncio.sleep(self.rng.expovariate(1 / self.habit.pause))
                await self.town.playing.wait()
                self.town.busy += 1
                try:
                    await self._do_something()
                except CONFUSED as error:
                    self.town.universe.log(f"{self.person.human.name} is confused: {type(error).__name__}")
                finally:
                    self.town.busy -= 1
                self.town.acts += 1

    async def _stay_away(self) -> None:
        """Wait for the next visit. Who is awaited comes in a fraction of the usual time."""
        until = self.town.universe.now + self.rng.expovariate(1 / self.habit.visits)
        while (left := until - self.town.universe.now) > 0:
            await asyncio.sleep(min(left, self.habit.visits / 8))
            stored = await self.game.read()
            if self._seat(stored) in stored.game().to_act and self.rng.random() < 0.5:
                return

    def _seat(self, stored: StoredGame) -> int | None:
        """Their seat, if they have one."""
        game = stored.game()
        users = [stored.table.user_at(game, seat) for seat in range(game.config.players)]
        return users.index(self.person.id) if self.person.id in users else None

    async def _do_something(self) -> None:
        stored, rng = await self.game.read(), self.rng
        game = stored.game()
        if game.outcome is not None:
            await self._look()
            return
        seat = self._seat(stored)
        if rng.random() < self.habit.slips:
            await self._press_anything()
        elif seat is not None and seat in game.to_act:
            await self._play(choose(game, seat, rng))
        elif seat is not None and game.options(seat) and rng.random() < 0.3:
            await self._play(choose(game, seat, rng))
        elif rng.random() < 0.3:
            await self._look()

    async def _play(self, action: Action) -> None:
        assert self.game.last_read is not None
        record = self.game.last_read.revision
        self.town.universe.log(f"{self.person.human.name} wants {action.name}")
        it = await self.game.do(self.person, action)
        self.told.append(Told(it, action, record))

    async def _look(self) -> None:
        await self.person.human.slash(self.rng.choice(PAGES), channel=self.game.channel)

    async def _press_anything(self) -> None:
        messages = self.town.wire.world.messages.values()
        mine = [m for m in messages if m.only_for is self.person.human and not m.deleted][-3:]
        shown = [*mine, *self.game.panels()[-1:]]
        controls = [(m, c) for m in shown for c in m.interactive if c["type"] in (BUTTON, SELECT)]
        if controls:
            await self._press(*self.rng.choice(controls))

    async def _press(self, message: Message, control: dict[str, object]) -> Interaction:
        twice = self.rng.random() < self.habit.doubles
        which = str(control["custom_id"])
        self.town.universe.log(f"{self.person.human.name} presses {which}{' twice' if twice else ''}")
        if control["type"] == BUTTON:
            return await self.person.human.click(message, which, twice=twice)
        options: list[dict[str, str]] = control["options"]  # type: ignore[assignment]
        least = max(int(control.get("min_values", 1)), 1)  # type: ignore[call-overload]
        values = [option["value"] for option in self.rng.sample(options, least)]
        return await self.person.human.select(message, which, values, twice=twice)

"""When people rest: they choose quiet hours and vacations, change them, and come back earlier."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

from bot.discord.interaction import parse_id
from tests.sim.plan import DAY
from tests.wire.calls import Interaction
from tests.wire.forms import set_own
from tests.wire.party import Person

if TYPE_CHECKING:
    from tests.sim.town import Town

OFTEN = 0.4
"""How often people change when they rest, at the end of a visit."""
CANCELED = 0.7
"""How often that ends a vacation, if there is one."""
CHANGING = 120.0
"""Seconds after which a change of someone's rest is known everywhere."""
BACK, REMINDERS, VACATION = "back", "reminders", "vacation"
"""The button that ends a vacation, and the forms of quiet hours and of vacations."""


class Rests:
    """The rest of all people: what they have chosen, as far as they know, and who has just changed it."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self._vacations = dict[int, tuple[float, float]]()
        """By user, in seconds since the epoch."""
        self._changed = dict[int, float]()
        self.told: Callable[[], object] = lambda: None
        """Called when what follows from a change must be there."""
        town.wire.delivered.append(self._delivered)

    def _delivered(self, it: Interaction) -> None:
        data = it.payload.get("data")
        if isinstance(data, dict) and {BACK, REMINDERS, VACATION} & {*str(data.get("custom_id")).split(":")}:
            self._changed[it.user.id] = self.town.universe.now
            self.town.universe.loop.call_later(CHANGING, self.told)

    def has_changed(self, user: int, since: float) -> bool:
        """Whether someone has perhaps changed their rest since a moment, in seconds of the universe."""
        return self._changed.get(user, -DAY) > since - CHANGING

    def is_away(self, user: int) -> bool:
        """Whether someone is on vacation, and doesn't play."""
        begin, end = self._vacations.get(user, (0.0, 0.0))
        return begin <= self.town.time < end

    async def begin(self, people: list[Person], rng: Random) -> None:
        """Have some people choose quiet hours, or days on which they are away."""
        for person in people:
            if rng.random() < 0.5:
                await self._be_quiet(person, rng)
            if rng.random() < 0.2:
                await self._leave(person, 0, 1)

    async def change(self, person: Person, rng: Random) -> None:
        """Have a person change their quiet hours, choose a vacation for now or later, or cancel one."""
        it = await person.slash(person.party.channel, "settings")
        assert it.response is not None
        ids = [str(control.get("custom_id")) for control in it.response.interactive]
        backs = [one for one in ids if (address := parse_id(one)) is not None and address.verb == BACK]
        if backs and rng.random() < CANCELED:
            self._vacations.pop(person.id, None)
            await person.click(it.response, custom_id=backs[0])
        elif rng.random() < 0.3:
            await self._be_quiet(person, rng)
        elif rng.random() < 0.2:
            await set_own(person, form=REMINDERS, begin="", end="")
        else:
            await self._leave(person, rng.randrange(2), rng.randrange(3))

    async def _be_quiet(self, person: Person, rng: Random) -> None:
        await set_own(person, form=REMINDERS, begin="20:00", end=rng.choice(("6:00", "12:00")), zone="UTC")

    async def _leave(self, person: Person, later: int, days: int) -> None:
        """Have a person choose a vacation that begins in some days, and lasts for some days more."""
        first, last = (datetime.fromtimestamp(self.town.time + n * DAY, UTC).date() for n in (later, later + days))
        begin, end = (datetime(one.year, one.month, one.day, tzinfo=UTC).timestamp() for one in (first, last))
        self._vacations[person.id] = begin, end + DAY
        await set_own(person, form=VACATION, begin=f"{first}", end=f"{last}", zone="UTC")

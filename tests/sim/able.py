"""In calm weather nothing fails: processes run on, and what people do works."""

from __future__ import annotations

import traceback
from collections import deque

from discord import ConnectionClosed

from bot import languages
from bot.discord.talk.dispatch import BROKEN, OUTDATED, STOPPING
from bot.settings import NotNow
from bot.store import Unavailable
from bot.words.refusals import REASONS
from tests.sim import saves
from tests.sim.machine import ENDS, Machine
from tests.sim.people import Player
from tests.sim.town import Town
from tests.sim.weather import RECOVERY, Weather
from tests.wire.calls import Interaction
from tests.wire.chaos import Told
from tests.wire.stored_game import StoredGame, interaction_of

RESTARTS = 360.0
"""Seconds after a trouble in which a process can still end because of it: it waits five minutes for the gateway."""
ANSWERED = 60.0
"""Seconds after which the answer to an interaction is looked at."""
FAILURES = {language.gettext(text) for language in languages.offered() for text in (BROKEN, STOPPING)}
"""Answers that say that something failed."""
EXPIRED = {language.gettext(text) for language in languages.offered() for text in (OUTDATED, str(REASONS["stale"]))}
"""Answers that say that what was pressed is out of date."""
REPLACED = tuple(language.gettext(str(REASONS["replaced"])).partition("`")[0] for language in languages.offered())
"""How an answer begins that says that a bot plays for who has pressed; the command that follows is a mention."""
WITHIN = 15.0
"""Seconds within which a change is shown, if nothing is wrong outside."""
TOGETHER = 1.0
"""Seconds within which two presses can be carried out in either order: each takes its own way, to its own process."""


class Running:
    """A process ends only for a known reason, and for none in calm weather."""

    name = ENDS

    REASONS = (NotNow, Unavailable, ConnectionClosed)
    """What ends a process that can't go on; and what it returns when it has seen that itself."""

    def __init__(self, town: Town, weather: Weather) -> None:
        self.town, self.weather = town, weather
        for machine in town.machines:
            machine.ended = [self._ended]

    def _ended(self, machine: Machine, end: object) -> None:
        if self.weather.calm(RESTARTS) or not isinstance(end, (*self.REASONS, bool)):
            self.town.universe.wrong(self.name, f"{machine.name}: {end!r}")


class Able:
    """In calm weather, no one is told that something failed, and an allowed action is carried out."""

    name = "in calm weather nothing fails"

    def __init__(self, town: Town, weather: Weather) -> None:
        self.town, self.weather = town, weather
        self._changed = deque[float](maxlen=100)
        """When tables were changed, of late."""
        saves.listen(lambda change, game: self._changed.append(town.universe.now))
        town.wire.delivered.append(self._delivered)

    def _delivered(self, it: Interaction) -> None:
        if self.weather.calm():
            self.town.universe.loop.call_later(ANSWERED, self._look, it)

    def look(self, player: Player, told: Told, by_people: StoredGame) -> None:
        """Look at an answered action that the rules allowed when it was chosen. It was carried out, unless someone came
        first."""
        made = {interaction_of(key): record for key, record in by_people.made_by.items()}
        first = next((it for it, record in made.items() if record == told.record), None)
        alone = by_people.revision <= told.record or (first is not None and self._later(first, told.it) > TOGETHER)
        if alone and told.it.id not in made and self.weather.calm(self.town.universe.now - told.it.sent + RECOVERY):
            texts = [message.text for message in told.it.messages]
            refused = any(EXPIRED & {*text.splitlines()} or text.startswith(REPLACED) for text in texts)
            if refused and self._has_just_changed(told):
                return
            self.town.universe.wrong(self.name, f"{player.person.human.name} can't {told.action}: {texts}")

    def was_confused(self, player: Player, began: float, error: Exception) -> None:
        """Look at someone who didn't find what they needed, although nothing has changed."""
        now = self.town.universe.now
        if self.weather.calm(now - began + RECOVERY) and not any(began - WITHIN < at for at in self._changed):
            what = "".join(traceback.format_exception(error))[-1500:]
            self.town.universe.wrong(self.name, f"{player.person.human.name} doesn't find what they need: {what}")

    def _later(self, other: int, it: Interaction) -> float:
        """How many seconds after an interaction another one came."""
        ids = self.town.wire.world.ids
        return ids.age(it.id) - ids.age(other)

    def _has_just_changed(self, told: Told) -> bool:
        """Whether there was a change about then, so that what was pressed could still be that of before."""
        return any(abs(told.it.sent - at) < WITHIN for at in self._changed)

    def _look(self, it: Interaction) -> None:
        lines = {line.strip() for message in it.messages for line in message.text.splitlines()}
        if lines & FAILURES and self.weather.calm(ANSWERED + RECOVERY):
            self.town.universe.wrong(self.name, f"{it.user.name}'s {it.payload.get('data')}: {lines}")

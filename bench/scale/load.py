"""People at many tables, who know by a copy of each game what may be done there, and when the panel shows it."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable
from typing import Any

from bench.scale import people
from bench.scale.discord import BenchServer
from bench.scale.samples import Samples
from bench.scale.town import Standing, Town
from bot.presentation.viewer import Viewer
from engine.game import Game
from tests.bot.frontends.discord.doing import by_commands, by_components
from tests.wire.calls import Interaction
from tests.wire.messages import Message
from tests.wire.model import Channel
from tests.wire.party import DEFERRED, SUGGESTED, Party, Person, answered
from tests.wire.process import BotProcess

PATIENCE = 60.0
"""Seconds until a picture, or an answer, that doesn't come is given up."""
BY_BUTTONS, LOOKING = 0.7, 0.25
"""Shares: actions by buttons rather than commands; looks at a hand beside each action."""
TOGETHER = 32
"""Tables that act at once where it goes as fast as it can."""


class Player(Person):
    """Somebody at a table, who takes time over nothing."""

    async def slash(self, channel: Channel, path: str, *, check: bool = True, **values: Any) -> Interaction:
        """Run a command after its autocompletes."""
        options = {name: v.human if isinstance(v, Person) else v for name, v in values.items()}
        for name in sorted(set(SUGGESTED) & set(options)):
            try:
                choices = await self.human.autocomplete(path, options, name, channel=channel)
            except TimeoutError:
                continue  # counted; people type on
            if options[name] not in [choice["value"] for choice in choices]:
                raise AssertionError(f"/{path} doesn't suggest {name}: {options[name]}")
        return await self.party.done(self.human.slash(path, options, channel=channel))


class Table(Party):
    """A game and those who play it. `mirror`: the game as it must be stored."""

    def __init__(self, wire: BenchServer, bot: BotProcess, standing: Standing, rng: random.Random) -> None:
        super().__init__(wire, bot, [], rng)
        self.server, self.standing, self.mirror = wire, standing, standing.game
        self.doubt: Game | None = None
        """After something that may or may not have been carried out; nobody acts here any more."""
        self.number, self.place = standing.table.number, wire.world.channels[standing.table.channel]
        self._players = {user: Player(self, wire.world.human(user)) for user in standing.table.users}

    async def done(self, doing: Any) -> Interaction:
        it: Interaction = await doing
        if it.kind == DEFERRED:
            await self.wire.until(lambda: answered(it), PATIENCE, "no answer came")
        return it

    async def game(self) -> Game:
        return self.mirror

    async def viewer(self, person: Person) -> Viewer:
        return Viewer.of(self.standing.table, self.mirror, person.id)

    async def person(self, seat: int) -> Person:
        return self._players[self.standing.table.user_at(self.mirror, seat)]

    async def panel(self) -> Message:
        return self.server.world.panels[self.channel.id]

    @property
    def playable(self) -> bool:
        """Whether somebody can act."""
        return self.mirror.outcome is None and self.doubt is None

    async def act(self, samples: Samples) -> None:
        """Somebody does something, and sees what came of it."""
        seat, action, after = people.act(self.mirror, self.rng)
        way = by_components if self.rng.random() < BY_BUTTONS else by_commands
        try:
            it: Interaction = await way(self, await self.person(seat), action)
        except (TimeoutError, LookupError, AssertionError, AttributeError, ValueError) as error:
            self.doubt = after
            samples.problems.append(f"{action.name}: {type(error).__name__} {str(error).splitlines()[:1]}")
            return
        try:
            pictures, here = self.server.pictures, self.channel.id
            await self.wire.until(lambda: pictures[here] > it.sent, PATIENCE)
        except TimeoutError:  # refused, lost, or stored and not shown
            self.doubt = after
            samples.problems.append(f"{action.name}: never shown; {it.text[:80]!r}")
        else:
            self.mirror = after
            samples.actions[action.name] += 1
            samples.pictures.append(pictures[here] - it.sent)

    async def look(self, samples: Samples) -> None:
        """Somebody looks at their hand."""
        player = self.rng.choice(list(self._players.values()))
        try:
            if self.rng.random() < 0.5:
                await player.click(await self.panel(), label="My hand")
            else:
                await player.slash(self.channel, "hand")
        except (TimeoutError, LookupError) as error:
            samples.problems.append(f"hand: {type(error).__name__}")


class Load:
    """All tables of a town."""

    def __init__(self, wire: BenchServer, bot: BotProcess, town: Town, seed: int) -> None:
        self.wire, self._rng = wire, random.Random(seed)
        self.tables = [Table(wire, bot, s, random.Random(f"{seed}/{n}")) for n, s in enumerate(town.games)]
        self._idle = list(self.tables)
        self._tasks: set[asyncio.Task[None]] = set()

    async def steady(self, rate: float, seconds: float, samples: Samples) -> None:
        """So many actions a second, whether or not earlier ones are done."""
        began = time.perf_counter()
        for n in range(int(rate * seconds)):
            wait = began + n / rate - time.perf_counter()
            samples.behind = max(samples.behind, -wait)
            await asyncio.sleep(max(wait, 0.0))
            self._begin(samples)
            self._forget(samples)
        await self.settled(samples)

    async def burst(self, clicks: int, samples: Samples) -> None:
        """So many people act at once, each at another table."""
        for _ in range(min(clicks, len(self._idle))):
            self._begin(samples, look=False)
        await self.settled(samples)

    async def flat_out(self, seconds: float, samples: Samples) -> float:
        """As fast as it goes, with so many tables at a time; the seconds that it took."""
        began = time.perf_counter()
        while time.perf_counter() < began + seconds:
            if len(self._tasks) < TOGETHER and self._idle:
                self._begin(samples, look=False)
                await asyncio.sleep(0)
            else:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            self._forget(samples)
        await asyncio.gather(*self._tasks)
        took = time.perf_counter() - began
        await self.settled(samples)
        return took

    async def settled(self, samples: Samples) -> None:
        """Wait until all is done, and the bot has nothing more to say."""
        if self._tasks:
            await asyncio.gather(*self._tasks)
        await self.wire.settled(1.0, 2 * PATIENCE)
        self._forget(samples, 0.0)

    def _begin(self, samples: Samples, look: bool = True) -> None:
        if not self._idle:
            samples.problems.append("no table was free")
            return
        place = self._rng.randrange(len(self._idle))
        self._idle[place], self._idle[-1] = self._idle[-1], self._idle[place]
        table = self._idle.pop()

        async def act() -> None:
            await table.act(samples)
            if table.playable:
                self._idle.append(table)

        self._start(act())
        if look and self._rng.random() < LOOKING:
            self._start(self._rng.choice([t for t in self.tables if t.playable]).look(samples))

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self, samples: Samples, age: float = 2 * PATIENCE) -> None:
        """Count the interactions about which all is said. They stay, for their tokens' sake, but what they carried."""
        fresh, now = self.wire.fresh, time.perf_counter()
        while fresh and now - fresh[0].sent >= age:
            it = fresh.popleft()
            samples.take(it)
            it.payload = {"type": it.payload["type"]}
            it.requests.clear()


def differing(tables: Iterable[Table], stored: dict[int, list[Any]]) -> list[str]:
    """Games that aren't stored as they were played, each in a few words."""
    found = []
    for table in tables:
        kept, played = stored[table.number], [record.to_json() for record in table.mirror.records]
        doubt = [record.to_json() for record in table.doubt.records] if table.doubt else None
        if kept != played and kept != doubt:
            common = next((n for n, (a, b) in enumerate(zip(kept, played, strict=False)) if a != b), None)
            where = f"differs at {common}" if common is not None else f"has {len(kept)} records, not {len(played)}"
            found.append(f"game {table.number} {where}")
    return found

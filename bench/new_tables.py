"""Weeks of a server: who is told of new tables how often, and how many tables fill within a day because of it.

`python -m bench.new_tables [TABLES [SEED]]`. On a simulated Discord with simulated time, forty people look in a few
times a day, and join an open table with some chance when they see it, or when they are told. Tables are opened at all
hours of three weeks. The same weeks pass twice: first no one asks to be told, then three in four do. It ends with 1 if
anyone was told twice in an hour, in their quiet hours, or without having asked.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import simcord

from bot.discord.show import publisher, servers
from bot.table.acts.lobby import Cancel
from bot.table.acts.options import SetOptions
from bot.table.guests import open_to, seats_for_anyone
from bot.table.preferences import CHANNEL, DM, NEVER
from bot.table.subscriptions import DAYS, MINUTES, TELLINGS_APART
from bot.table.table import LOBBY
from engine.errors import RefereeError
from tests.bot.discord.hall import Hall, make_bot
from tests.bot.playground import do_due, new_file

DAY, HOUR, STEP = 86_400, 3600, 900
WEEKS, PEOPLE, SEATS = 3, 40, 4
SEES, HEARS, TAKES = 0.08, 0.1, 0.2
"""The chance that a person joins a table that they see when they look in, and one that they are told of; and that they
see a table at all then."""
REACTS_AFTER = 20 * 60.0
"""Average seconds until a person who is awake reacts to being told."""
CLOSED = 3
"""People who take no direct messages, whatever they asked for."""


@dataclass
class Person:
    """A person and their habits. Hours are those of the day."""

    who: Any
    how: str
    chosen: dict[str, Any]
    looks: tuple[int, ...]
    """Quarters of the day's hours at which they look in."""
    quiet: tuple[int, int] | None
    told: list[float] = field(default_factory=list)
    reacts: list[tuple[float, int]] = field(default_factory=list)
    """When they react to a table, by its number."""

    def is_quiet(self, now: float) -> bool:
        """Whether it is one of their quiet hours."""
        hour = now % DAY / HOUR
        return self.quiet is not None and (hour >= self.quiet[0] or hour < self.quiet[1])


@dataclass
class Weeks:
    """Three weeks on a server."""

    hall: Hall
    tables: int
    rng: random.Random
    asks: bool
    people: dict[int, Person] = field(default_factory=dict)
    opened: dict[int, float] = field(default_factory=dict)
    """When each table was opened."""
    rooms: dict[int, Any] = field(default_factory=dict)
    """The channel of each table."""
    filled: dict[int, float] = field(default_factory=dict)
    edits: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def now(self) -> float:
        return self.hall.env.now().timestamp()

    async def settle_in(self) -> None:
        """Have people come, choose and fall into their habits."""
        hall, rng = self.hall, self.rng
        for number in range(PEOPLE):
            who = hall.guild.add_member(hall.env.create_user(f"p{number}", global_name=f"Person {number}"))
            how = (DM, CHANNEL, DM, NEVER)[number % 4]
            day, base = {"timers": (DAYS,)}, {"scenarios": ("base",)}
            filters: list[dict[str, Any]] = [{}, {}, {}, day, base, {"timers": (MINUTES, DAYS)}]
            looks = tuple(rng.sample(range(32, 92), rng.randint(1, 4)))
            quiet = (22, 8) if number % 3 else None
            person = self.people[who.id] = Person(who, how, filters[number % len(filters)], looks, quiet)
            choices = {"direct": who.user.dm_channel.id, "zone": "UTC", "quiet": quiet and (22 * 60, 8 * 60)}
            await hall.services.people.change_settings(who.id, choices=choices)
            if number < 4 * CLOSED and how == DM and number % 4 == 0:
                path = f"/channels/{who.user.dm_channel.id}/messages"
                hall.env.inject_error("POST", path, status=403, code=50007, message="closed", times=None)
            if self.asks:
                await hall.services.subscriptions.change(hall.guild.id, who.id, how=how, **person.chosen)
        hall.env.backend.subscribers.append(self._happened)

    def _happened(self, event: str, payload: Mapping[str, Any]) -> None:
        """Note whom a message tells, and of which tables."""
        text = f"{payload.get('content')} {payload.get('components')}"
        numbers = [int(number) for number in re.findall(r"Table (\d+)", text)]
        if event == "MESSAGE_UPDATE" and "📣" in text:
            self.edits += 1
        if event != "MESSAGE_CREATE":
            return
        channel = self.hall.env.backend.channels[int(payload["channel_id"])]
        if channel.guild_id is None and "📣" in text:
            users = [person for person in self.people.values() if person.who.user.dm_channel.id == channel.id]
        elif "press **Join** to play" in text:
            users = [self.people[int(user["id"])] for user in payload["mentions"]]
        else:
            return
        for person in users:
            self._tell(person, numbers, direct=channel.guild_id is None)

    def _tell(self, person: Person, numbers: list[int], *, direct: bool) -> None:
        now = self.now
        if not self.asks or person.how != (DM if direct else CHANNEL):
            self.faults.append(f"{person.who.name} was told without having asked")
        if person.is_quiet(now):
            self.faults.append(f"{person.who.name} was told in their quiet hours")
        if person.told and now - person.told[-1] < TELLINGS_APART:
            self.faults.append(f"{person.who.name} was told twice in {now - person.told[-1]:.0f} s")
        person.told.append(now)
        if 8 <= now % DAY / HOUR < 23:
            person.reacts += [(now + self.rng.expovariate(1 / REACTS_AFTER), number) for number in numbers]

    async def live(self) -> None:
        """Let the weeks pass."""
        begun, quarters = self.now, WEEKS * 7 * DAY // STEP
        busy = [quarter for quarter in range(quarters - 96) if 9 <= (begun + quarter * STEP) % DAY / HOUR < 23]
        opens = Counter(self.rng.choices(busy, k=self.tables))
        for quarter in range(quarters):
            for _ in range(opens[quarter]):
                await self._open()
            await self._look_in()
            await self._put_away()
            await self.hall.env.advance_time(STEP)
            await do_due(self.hall.services)  # simcord doesn't see the timers of what is done here without Discord
            await self.hall.bot.app.publisher.idle()

    async def _open(self) -> None:
        """Have someone open a table."""
        hall, person = self.hall, self.rng.choice([*self.people.values()])
        room, services = hall.guild.create_text_channel(f"table-{len(self.opened)}"), hall.services
        await person.who.slash(room, "game new")
        table = await services.repository.latest(room.id)
        if table is None:  # they have just opened one
            return
        scenario, pace = self.rng.choice(("base", "base", "islands")), self.rng.choice((0, 300, DAY, DAY))
        options = {"scenario": scenario, "pace": pace}
        await services.games.act(table.number, person.who.id, SetOptions(options), f"set-{table.number}")
        self.opened[table.number], self.rooms[table.number] = self.now, room

    async def _look_in(self) -> None:
        """Let everyone look in who does so now, and react who was told."""
        now = self.now
        for person in self.people.values():
            reacts = [number for at, number in person.reacts if at <= now]
            person.reacts = [(at, number) for at, number in person.reacts if at > now]
            for number in reacts:
                if self.rng.random() < HEARS:
                    await self._join(person, number)
            if int(now % DAY // STEP) in person.looks:
                for number in [number for number in self.opened if number not in self.filled]:
                    if self.rng.random() < TAKES and self.rng.random() < SEES:
                        await self._join(person, number)

    async def _join(self, person: Person, number: int) -> None:
        services = self.hall.services
        table = await services.repository.table(number)
        if not open_to(table, person.who.id):
            return
        await person.who.slash(self.rooms[number], "game join")
        table = await services.repository.table(number)
        if len(table.members) >= SEATS and not seats_for_anyone(table):
            self.filled[number] = self.now

    async def _put_away(self) -> None:
        """Begin full tables, and cancel those of two days ago."""
        services = self.hall.services
        for number, at in self.opened.items():
            table = await services.repository.table(number)
            if table.status != LOBBY or (number not in self.filled and self.now - at < 2 * DAY):
                continue
            try:
                if number in self.filled:
                    await services.lobby.start(number, table.host, "closing", f"start-{number}")
                else:
                    await services.games.act(number, table.host, Cancel(), f"cancel-{number}")
            except RefereeError as refusal:
                self.faults.append(str(refusal))


async def simulated(tables: int, seed: int, *, asks: bool) -> Weeks:
    """The weeks of a seed. `asks`: whether people ask to be told."""
    with tempfile.TemporaryDirectory() as folder:
        path = new_file(Path(folder) / "games.db")
        bot = make_bot(path)
        async with simcord.run(bot) as env:
            weeks = Weeks(Hall(path, env, bot, 0), tables, random.Random(seed), asks)
            await weeks.settle_in()
            await weeks.live()
            await weeks.hall.bot.close()
    return weeks


def share(weeks: Weeks) -> float:
    """The percentage of tables that filled within a day."""
    quick = [number for number, at in weeks.filled.items() if at - weeks.opened[number] <= DAY]
    return 100 * len(quick) / len(weeks.opened)


def tell(weeks: Weeks) -> None:
    """Print who was told how often."""
    print(f"{'asked to be told':<20}{'people':>8}{'told':>8}{'median':>8}{'most':>8}{'most a day':>12}")
    for how, name in ((DM, "by direct message"), (CHANNEL, "in the channel"), (NEVER, "never")):
        people = [person for person in weeks.people.values() if person.how == how]
        each = [len(person.told) for person in people]
        days = [Counter(at // DAY for at in person.told) for person in people]
        most = max((max(day.values(), default=0) for day in days), default=0)
        print(f"{name:<20}{len(people):>8}{sum(each):>8}{median(each):>8.0f}{max(each):>8}{most:>12}")
    print(f"edits of direct messages: {weeks.edits}")


def main(tables: int = 30, seed: int = 1) -> int:
    """Run both, and print what came of it."""
    publisher.SWEEPS_APART = servers.ALL_LISTS_APART = 365.0 * DAY
    logging.disable(logging.WARNING)
    without, with_ = (asyncio.run(simulated(tables, seed, asks=asks)) for asks in (False, True))
    tell(with_)
    print(f"tables that filled within a day: {share(without):.0f} % without, {share(with_):.0f} % with")
    for fault in (faults := [*without.faults, *with_.faults]):
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

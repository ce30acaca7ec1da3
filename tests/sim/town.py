"""The town: Discord's stand-in, the machines with Harbormaster's processes, and the tables with their people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pydantic import SecretStr

from bot import languages
from bot.discord import connecting
from bot.discord.interaction import parse_id
from bot.settings import Settings
from bot.store import Store, Unavailable, open_store
from tests.sim import clocks
from tests.sim.database import Server, shared_store
from tests.sim.discord import Discord
from tests.sim.disk import Disk
from tests.sim.loop import Universe
from tests.sim.machine import Machine, disk_of
from tests.sim.plan import DAY, Plan
from tests.sim.rest import Rests
from tests.wire.forged import Forger
from tests.wire.forms import set_options, set_own
from tests.wire.messages import Message
from tests.wire.party import Party, Person
from tests.wire.stored_game import StoredGame

HOME, PORT = "127.0.0.1", 8080
"""Where Discord is."""


class Game(Party):
    """A table of the town and its game. What is stored is read without the process."""

    town: Town
    _read_at = _saved_at = -1

    async def read(self) -> StoredGame:
        """The latest table of the channel, as it is stored."""
        if self._read_at != (commits := self.town.commits):
            saves = self.town.saves
            self.last_read = await self.stored_game()
            self._read_at, self._saved_at = commits, saves
        assert self.last_read is not None
        return self.last_read

    async def played(self) -> StoredGame:
        """As `read`, but what is noted as shown can be that of a moment ago."""
        if self.last_read is None or self._saved_at != self.town.saves:
            return await self.read()
        return self.last_read

    async def stored_game(self, number: int = 0) -> StoredGame:
        """A game of the channel, as it is stored now; 0: the latest."""
        while True:
            try:
                store = await self.town.store()
                try:
                    if not number and (latest := await store.latest_table(self.channel.id)) is not None:
                        self.number = latest.number
                    return await StoredGame.of(store, number or self.number, self.last_read)
                finally:
                    await store.close()
            except Unavailable:  # the machine has just died, and its disk is being put back
                await asyncio.sleep(0.01)

    def panels(self) -> list[Message]:
        room = self.channel
        messages = reversed(self.wire.world.messages.values())
        found = [m for m in messages if m.channel is room and not m.deleted and not m.only_for and m.is_panel]
        return [message for message in found[::-1] if self._is_about_this(message)]

    def _is_about_this(self, message: Message) -> bool:
        """Whether a message is about the present game: the last message of an earlier one can still be used, too. One
        that offers a seat to all is no game message."""
        addresses = [parse_id(str(control["custom_id"])) for control in message.interactive]
        if any(address is not None and address.verb == "seat" for address in addresses):
            return False
        return any(address is None or address.game in (0, self.number) for address in addresses)


class Town:
    """All that a plan needs."""

    def __init__(self, universe: Universe, plan: Plan, folder: Path) -> None:
        self.universe, self.plan, self.folder = universe, plan, folder
        self.wire = Discord(universe)
        self.playing = asyncio.Event()
        """Set while people play; otherwise they pause."""
        self.playing.set()
        self.acts = 0
        """How many things people have done."""
        self.busy = 0
        """How many people are doing something."""
        self.rests = Rests(self)
        self.written_to = set[int]()
        """People who asked for direct messages before their game began, and had them by then."""
        self.machines = list[Machine]()
        self.deleted = set[int]()
        """Messages that managers have deleted."""
        self.games = list[Game]()
        self.commits = self.saves = 0
        """How many transactions were committed, and how many of these durably."""
        self.committed = list[Callable[[], None]]()
        """Called at each commit, before the process hears of it."""
        self.disk: Disk | None = None
        self.server: Server | None = None
        self.address: Any = None

    async def __aenter__(self) -> Town:
        universe, plan, wire = self.universe, self.plan, self.wire
        wire.gateway.heartbeat = plan.heartbeat
        wire.network = plan.latency if plan.latency[1] else None
        wire.port = PORT
        wire.world.shards = plan.shards
        await wire.__aenter__()
        self.address = self.folder / "harbor.db"
        if plan.processes == 1:
            self.disk = disk_of(universe, self.folder, universe.chance("disk"))
            self.disk.told, self.disk.lost = self._committed, self._lost
        else:
            self.server = Server(universe, universe.chance("server"))
            self.server.told = self._committed
        settings = Settings(
            _env_file=None,  # type: ignore[call-arg]
            discord_token=SecretStr(wire.token),
            database=self.address,
            rest_base=wire.rest_base,
            gateway=wire.gateway_url,
            films=False,
        )
        connecting.aim(settings)
        self.machines = [Machine(universe, f"bot{n}", settings, self.disk, self.server) for n in range(plan.processes)]
        for machine, ahead in zip(self.machines, plan.clocks, strict=True):
            machine.ahead = ahead
        for n in range(plan.tables):
            self._open(n)
        if plan.secret:  # what is private must not change how long anything takes
            wire.unlimited()
            assert self.disk is not None
            self.disk.delay = (0.001, 0.001)
        return self

    def _open(self, n: int) -> None:
        people = self.wire.users[: len(self.plan.habits)]
        game = Game(self.wire, SimpleNamespace(address=self.address), [], self.universe.chance(f"game {n}"))  # type: ignore[arg-type]
        game.town, game.number = self, n + 1
        game.people = [Person(game, human) for human in people]
        if n:
            game.place = self.wire.world.open_guild(n % self.plan.shards, self.plan.shards)
        self.games.append(game)

    async def __aexit__(self, *error: object) -> None:
        for machine in self.machines:
            machine.kill(again=None)
        await self.wire.__aexit__(*error)

    def _committed(self, durable: bool) -> None:
        self.commits += 1
        self.saves += durable
        for committed in list(self.committed):
            committed()

    def _lost(self) -> None:
        """What was read before a power cut counts no more."""
        self.commits += 1
        self.saves += 1

    @property
    def time(self) -> float:
        """Seconds since the epoch, by the clock by which jobs are done."""
        ahead = self.machines[0].ahead if self.server is None else 0.0
        return clocks.EPOCH + self.universe.now + ahead

    async def store(self) -> Store:
        """The store, as no process sees it."""
        return await open_store(self.address) if self.server is None else shared_store(self.server, "")

    def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Rows as they are stored at this moment."""
        if self.server is not None:
            return [tuple(row) for row in self.server.fetch(sql, values)]
        assert self.disk is not None
        return self.disk.fetch(sql, *values)

    @cached_property
    def forger(self) -> Forger:
        """Makes what attackers send."""
        people = [human.id for human in self.wire.users]
        tables = [game.number for game in self.games]
        return Forger(self.universe.chance("forger"), self.wire.world.commands[0], people, tables=tables)

    def machine(self, which: int) -> Machine:
        """One of the machines."""
        return self.machines[which % len(self.machines)]

    async def begin(self) -> None:
        """Start all processes, and deal all games."""
        for machine in self.machines:
            machine.start()
        await self.wire.until(self.connected, 120.0)
        await asyncio.sleep(3.0)
        for game in self.games:
            await self._seat(game)
        self.written_to &= self.wire.world.direct.opened

    async def _seat(self, game: Game) -> None:
        """Open a table, choose its options, and deal the game."""
        options = dict(self.plan.options)
        bots = min(options.pop("bots", 0), len(game.people) - 2)
        host, *others = game.people
        await host.slash(game.channel, "game new")
        await game.settled()
        if self.plan.scenario != "base":
            await set_options(game, scenario=self.plan.scenario)
        if options:
            await set_options(game, **options)
        await game.settled()
        for person in others[: len(others) - bots]:
            await person.click(await game.panel(), label="Join")
            await game.settled()
        if bots:
            await host.slash(game.channel, "game bot add", level="easy", fill=True)
            await game.settled()
        rng = self.universe.chance(f"settings {game.number}")
        for person in others:
            if rng.random() < 0.4:
                await set_own(person, dms=True)
                self.written_to.add(person.id)
            if rng.random() < 0.3:
                await set_own(person, reminders=rng.choice(("dm", "never")))
            if rng.random() < 0.3:
                await set_own(person, ask_to_buy=True)
        if self.plan.seconds >= DAY:
            await self.rests.begin(others, rng)
        if language := self.plan.language:
            await set_options(game, language=language)
            for person in others:
                if rng.random() < 0.5:
                    await set_own(person, language=language)
            await game.settled()
        with suppress(TimeoutError):  # private threads can take long
            await host.click(await game.panel(), label=languages.resolve(language).gettext("Start"))
        await game.stored(1, within=60.0)

    def connected(self) -> bool:
        """Whether all shards are connected."""
        sessions = [self.wire.gateway.on(shard) for shard in range(self.plan.shards)]
        return all(session is not None and session.connection is not None for session in sessions)

    def served(self) -> bool:
        """Whether all processes run, for a minute at least, and the gateway is connected."""
        up = all(machine.alive and self.universe.now - machine.up_since >= 60.0 for machine in self.machines)
        return up and self.connected()

    @asynccontextmanager
    async def pause(self) -> AsyncIterator[None]:
        """Have people pause, once they have done what they are doing."""
        self.playing.clear()
        try:
            while self.busy:  # noqa: ASYNC110 (an event would have to be set by each of them)
                await asyncio.sleep(1.0)
            yield
        finally:
            self.playing.set()

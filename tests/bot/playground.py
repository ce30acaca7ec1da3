"""A playground for the bot's tests: services on a store, users with fixed ids, interactions with ascending ids."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from math import inf
from pathlib import Path

from bot.service import Done, Services
from bot.store import Store, open_store
from bot.store.postgresql.store import PostgresStore
from bot.store.sqlite.file import scripts
from bot.store.sqlite.store import SqliteStore
from bot.table.act import Act
from bot.table.acts.lobby import Join
from bot.table.acts.options import SetOptions
from bot.table.acts.play import Play
from bot.table.table import Table
from engine.actions import Action, BuildCity, BuildRoad, BuildSettlement, BuyCard, EndTurn, Roll
from engine.game import Game
from tests.bot.batch import at_once

GUILD, CHANNEL = 1, 50
ANN, BOB, CEM, DOT, EVE, FAY = range(11, 17)
NAMES = {ANN: "Ann", BOB: "Bob", CEM: "Cem", DOT: "Dot", EVE: "Eve", FAY: "Fay"}


def new_file(path: Path) -> Path:
    """Write an up-to-date database file without games: running the migrations takes longer than many tests."""
    path.write_bytes(_up_to_date())
    return path


@cache
def _up_to_date() -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in scripts().values():
            connection.executescript(script)
        return connection.serialize()


class Playground:
    """Services on a database, which can be killed, and the users who play there."""

    def __init__(self, database: Path | str, seed: int = 1) -> None:
        """`database`: what `open_store` takes."""
        self.database = database
        self.clock = 1_000_000.0
        self._ids = itertools.count(7_000_001)
        self._random = random.Random(seed)
        self.store: Store
        self.services: Services

    async def open(self) -> None:
        """Start, or start again after `close` or `kill`."""
        self.store = await open_store(self.database)
        self.services = Services.of(self.store, now=self.now, entropy=self._random.randbytes)
        self.services.ownership.has(1, (0,), inf)

    @property
    def path(self) -> Path:
        """The database file."""
        assert isinstance(self.database, Path)
        return self.database

    async def close(self) -> None:
        await self.services.repository.finished()
        await self.store.close()

    async def kill(self) -> None:
        """Die without closing anything, and start again: what isn't committed is lost."""
        if isinstance(self.store, PostgresStore):
            self.store._database._pool.terminate()
        else:
            assert isinstance(self.store, SqliteStore)
            await self.store._database._folding.close()
            await self.store._database._connection.close()
        await self.open()

    def now(self) -> float:
        self.clock += 1
        return self.clock

    def id(self) -> str:
        """The id of a new interaction."""
        return str(next(self._ids))

    async def table(self, number: int) -> Table:
        """A table as the services return it."""
        return await self.services.repository.table(number)

    async def game(self, number: int) -> Game:
        """The game of a table."""
        return await self.services.repository.game(number)

    async def revision(self, number: int) -> int:
        """How many records of a game are stored."""
        return (await self.store.progress(number)).records

    async def lobby(self, *users: int, channel: int = CHANNEL) -> Table:
        """Open a lobby with these users; the first is the host."""
        host, *others = users
        table = await self.services.lobby.new_table(GUILD, channel, host, Join(NAMES[host]), self.id())
        for user in others:
            table = (await self.act(table.number, user, Join(NAMES[user]))).table
        return table

    async def begun(self, *users: int, channel: int = CHANNEL, target: int = 10) -> Table:
        """Start a game with these users; the first is the host."""
        table = await self.lobby(*users, channel=channel)
        await self.act(table.number, users[0], SetOptions({"target": target}))
        return (await self.services.lobby.start(table.number, users[0], "closing-1", self.id())).table

    async def act(self, number: int, user: int, act: Act, interaction: str = "") -> Done:
        """Do an act at a table, by a new interaction if none is given."""
        return await self.services.games.act(number, user, act, interaction or self.id())

    async def play(
        self, number: int, user: int, action: Action, *, decision: str | None = None, interaction: str = ""
    ) -> Done:
        """Carry out an action, by a new interaction if none is given."""
        interaction = interaction or self.id()
        return await self.services.games.act(number, user, Play(action, decision), interaction)

    async def advance(
        self, number: int, until: Callable[[Game], bool], seed: int = 1, most: int = 4000
    ) -> tuple[Table, Game]:
        """Play at random until a position is reached. All actions are stored together."""
        rng = random.Random(seed)
        async with at_once(self.services):
            for _ in range(most):
                if until(await self.game(number)):
                    break
                await self.step(number, rng)
            else:
                raise AssertionError("no such position")
        return await self.table(number), await self.game(number)

    async def step(self, number: int, rng: random.Random) -> Done:
        """Play one random action of a seat that must act."""
        table, game = await self.table(number), await self.game(number)
        seat = rng.choice(game.to_act)
        user, action = table.user_at(game, seat), choose(game, seat, rng)
        return await self.play(number, user, action, decision=game.decision(seat))


def is_over(game: Game) -> bool:
    """Whether a game has ended."""
    return game.outcome is not None


async def do_due(services: Services) -> None:
    """Do everything that is due: finish what a start or a timer has already begun, then the rest."""
    await services.jobs._tasks.finished()
    await services.jobs._look()
    await services.jobs._tasks.finished()


def choose(game: Game, seat: int, rng: random.Random) -> Action:
    """A random legal action, with a preference for actions that bring a game to its end."""
    options = game.options(seat)
    for kind in (BuildCity, BuildSettlement, BuyCard):
        if kind in options and rng.random() < 0.9:
            return options[kind].sample(rng)
    plain = [kind for kind in (Roll, EndTurn, BuildRoad) if kind in options]
    kinds = plain if plain and rng.random() < 0.6 else list(options)
    return options[rng.choice(kinds)].sample(rng)

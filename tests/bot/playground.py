"""Tables for the tests of the bot: a real SQLite file, people with numbers, interactions with running ids."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

from bot.models import Table
from bot.service import Played, Service
from bot.store.sqlite import SqliteStore
from engine.actions import Action, BuildCity, BuildRoad, BuildSettlement, BuyCard, EndTurn, Roll
from engine.game import Game

GUILD, CHANNEL = 1, 50
ANN, BOB, CEM, DOT, EVE = 11, 12, 13, 14, 15
NAMES = {ANN: "Ann", BOB: "Bob", CEM: "Cem", DOT: "Dot", EVE: "Eve"}


class Playground:
    """A service on a file, which can be killed and started again, and people who play there."""

    def __init__(self, path: Path, seed: int = 1) -> None:
        self.path = path
        self.clock = 1_000_000.0
        self._ids = itertools.count(7_000_001)
        self._random = random.Random(seed)
        self.store: SqliteStore
        self.service: Service

    async def open(self) -> None:
        """Start, or start again after `close` or `kill`."""
        self.store = await SqliteStore.open(self.path)
        self.service = Service(self.store, now=self.now, entropy=self._random.randbytes)

    async def close(self) -> None:
        await self.service.close()
        await self.store.close()

    async def kill(self) -> None:
        """Go away without a word: what isn't committed is lost."""
        await self.store._database._folding.close()
        await self.store._database._connection.close()
        await self.open()

    def now(self) -> float:
        self.clock += 1
        return self.clock

    def id(self) -> str:
        """A new interaction's id."""
        return str(next(self._ids))

    async def revision(self, number: int) -> int:
        """How many records of a game are stored."""
        return (await self.store.latest(number))[1]

    async def lobby(self, *users: int, channel: int = CHANNEL) -> Table:
        """A lobby of these users, the first of them its host."""
        host, *others = users
        table = await self.service.new_table(GUILD, channel, host, NAMES[host], self.id())
        for user in others:
            table = await self.service.join(table.number, user, NAMES[user], self.id())
        return table

    async def begun(self, *users: int, channel: int = CHANNEL, target: int = 10) -> Table:
        """A running game of these users."""
        table = await self.lobby(*users, channel=channel)
        await self.service.set_options(table.number, users[0], self.id(), target=target)
        return await self.service.start(table.number, users[0], "closing-1", self.id())

    async def step(self, number: int, rng: random.Random) -> Played:
        """One action that brings the game on, by somebody whose turn it is."""
        game = await self.service.game(number)
        table = await self.service.table(number)
        seat = rng.choice(game.to_act)
        return await self.service.play(
            number,
            self.service.user_at(table, game, seat),
            choose(game, seat, rng),
            decision=game.decision(seat),
            interaction=self.id(),
        )


def choose(game: Game, seat: int, rng: random.Random) -> Action:
    """Something legal, with a liking for what ends games."""
    options = game.options(seat)
    for kind in (BuildCity, BuildSettlement, BuyCard):
        if kind in options and rng.random() < 0.9:
            return options[kind].sample(rng)
    plain = [kind for kind in (Roll, EndTurn, BuildRoad) if kind in options]
    kinds = plain if plain and rng.random() < 0.6 else list(options)
    return options[rng.choice(kinds)].sample(rng)

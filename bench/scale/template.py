"""Stores with many running and finished games, made once and copied for each run.

A running game is stored as the bot stores it: its deal and its moves, the last `RECENT` of them one by one with their
interactions, and where its messages are. Finished games are a few hundred that were played, stored repeatedly under
new numbers, without the interactions, which the bot forgets after an hour or two.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from typing import Any

from bench.scale.people import act
from bench.scale.town import GUILDS, MOST_CHANNELS, SEATS, Resident, Standing, Town
from bot.discord.show import panel, private
from bot.projections import CLOSING, COMMITMENT, PANEL, SEED, Kind, Name
from bot.screens.viewer import Viewer
from bot.store import Change, Store
from bot.table.parts import Member
from bot.table.table import LOBBY, OVER, RUNNING, Table
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.game import Game
from engine.geometry import bits
from tests.bot.noted import noted
from tests.wire.model import Ids

TARGET = 8
"""Points to win. The players here don't plan as people do, and would take twice as many turns for ten."""
RECENT = 30
"""Moves whose interactions are still known."""
PLAYED = 300
"""How many different finished games there are."""
LONGEST = 700
"""Most moves of a finished game."""
DAY = 86_400.0
CONFIG = Config(colors=COLORS[:SEATS], target=TARGET)


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished game, to be stored repeatedly."""

    config: Config
    seed: bytes
    entropy: tuple[str, ...]
    records: list[tuple[int, int, Any]]


class Builder:
    """Adds games to a store and to the town that belongs to it."""

    def __init__(self, store: Store, town: Town, seed: int) -> None:
        self._store, self._town = store, town
        self._dms: dict[int, int] = {}
        self._rng = random.Random(f"{seed}/{len(town.games)}/{town.finished}")
        self._town.clock = max(town.clock, int(1000 * (time.time() - 3 * DAY)))
        self._ids = Ids(self._tick)

    def _tick(self) -> float:
        """The time for a new id. Each id takes a millisecond of it."""
        self._town.clock += 1
        return self._town.clock / 1000

    async def add(self, running: int, finished: int) -> None:
        """Add that many running and finished games."""
        town = self._town
        self._settle(len(town.games) + running)
        self._dms = {person.id: person.dm for person in town.people}
        if finished:
            ended = [self._play_out() for _ in range(min(PLAYED, finished))]
            for n in range(finished):
                await self._finished(ended[n % len(ended)], n)
            town.finished += finished
        for _ in range(running):
            await self._running(len(town.games))

    def _settle(self, games: int) -> None:
        """Add servers and people for that many running games. Each person plays in two."""
        town = self._town
        while len(town.guilds) < max(GUILDS, -(-games // MOST_CHANNELS)):
            guild, shard = self._ids() >> 22, len(town.guilds) % GUILDS
            town.guilds.append(guild + (shard - guild) % GUILDS << 22)
        while len(town.people) < max(games * SEATS // 2, SEATS):
            name = f"Player {len(town.people) + 1}"
            town.people.append(Resident(self._ids(), name, self._ids()))

    def _members(self, n: int) -> tuple[Resident, ...]:
        people = self._town.people
        first = n * SEATS + (n * SEATS // len(people)) * 7  # the second time around, with other people
        return tuple(people[(first + k) % len(people)] for k in range(SEATS))

    def _play_out(self) -> Ended:
        """Play a game from the deal to the end."""
        while True:
            seed, entropy = self._rng.randbytes(32), tuple(str(self._ids()) for _ in range(SEATS + 1))
            game = Game.new(CONFIG, SeededChance(seed, "1", entropy))
            while game.outcome is None and game.revision < LONGEST:
                *_, game = act(game, self._rng)
            if game.outcome is not None:
                return Ended(CONFIG, seed, entropy, _data(game))

    async def _opened(self, n: int, seed: bytes, at: float) -> Table:
        """Store a lobby in its channel, with all members."""
        town = self._town
        members = tuple(
            Member(person.id, person.name, color, False, "", str(self._ids()))
            for person, color in zip(self._members(n), COLORS, strict=False)
        )
        table = Table(
            number=0,
            guild=town.guilds[n % len(town.guilds)],
            channel=self._ids(),
            status=LOBBY,
            host=members[0].user,
            anyone_starts=False,
            config=CONFIG,
            members=members,
            commitment="",
            entropy=(),
            version=1,
            created=at,
            updated=at,
        )
        return await self._store.add_table(table, seed, members[0].interaction, ())

    async def _finished(self, ended: Ended, n: int) -> None:
        at = time.time() - self._rng.uniform(8, 300) * DAY
        lobby = await self._opened(n, ended.seed, at)
        table = replace(lobby, status=OVER, entropy=ended.entropy, version=2)
        await self._store.save(Change(table, None, (), since=1, at=at, records=ended.records))
        names = (PANEL, Name(Kind.TURN, "end"), COMMITMENT, CLOSING, SEED, *map(_hand, table.users))
        shown = [noted(name, table.version, table.channel, self._ids()) for name in names]
        await self._store.note(table.number, shown)

    async def _running(self, n: int) -> None:
        """Store a running game that is anywhere between the first placements and the end."""
        seed, rng = self._rng.randbytes(32), random.Random(self._rng.random())
        lobby = await self._opened(n, seed, time.time() - DAY)
        entropy = (*(member.interaction for member in lobby.members), str(self._ids()))
        game = Game.new(CONFIG, SeededChance(seed, str(lobby.number), entropy))
        positions = [game]
        length = rng.randint(1, 300)
        while len(positions) < length:
            *_, game = act(positions[-1], rng)
            if game.outcome is not None:
                break
            positions.append(game)
        game, old = positions[-1], max(len(positions) - RECENT, 1)
        records, at = _data(game), time.time() - rng.uniform(0.1, 2) * DAY
        table = replace(lobby, status=RUNNING, entropy=entropy, version=2, updated=at)
        await self._store.save(Change(table, None, (), since=1, at=at, records=records[:old]))
        for record in records[old:]:
            since, table = table.version, replace(table, version=table.version + 1, changes=table.changes + 1)
            await self._store.save(Change(table, str(self._ids()), (), since=since, at=at, records=[record]))
        self._town.games.append(await self._shown(table, game))

    async def _shown(self, table: Table, game: Game) -> Standing:
        """Mark everything as shown: the panel, and the hands by direct message."""
        onlooker, standing = Viewer(table, game), Standing(table, game, self._ids(), {})
        rooms = {user: self._dms[user] for user in table.users}

        version, channel = table.version, table.channel
        shown = [noted(name, version, channel, standing.panel) for name in (PANEL, panel.turn_name(onlooker))]
        shown += [noted(name, version, channel, self._ids()) for name in (COMMITMENT, CLOSING)]
        for user in table.users:
            standing.hands[user] = self._ids()
            shown.append(noted(_hand(user), version, rooms[user], standing.hands[user]))
        for seat in bits(onlooker.view.awaited):
            user = table.user_at(game, seat)
            told = Name(Kind.TOLD, private.occasion(game.view(seat), seat), user)
            shown.append(noted(told, version, rooms[user], standing.hands[user]))
        await self._store.note(table.number, shown)
        return standing


def _hand(user: int) -> Name:
    return Name(Kind.HAND, user=user)


def _data(game: Game) -> list[tuple[int, int, Any]]:
    return [(record.number, record.actor, record.to_json()) for record in game.records]

"""What a channel must look like in calm weather, and how the processes behave toward Discord: nothing is there twice,
what no one wants is gone, sessions are resumed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator

from bot.discord.interaction import parse_id
from bot.store import Store
from bot.table.table import RUNNING
from tests.sim.town import Game, Town
from tests.sim.weather import Weather
from tests.wire.messages import Message, is_ping

AGAIN = 5.0
"""Seconds from a look to another one."""


class Tidy:
    """In calm weather no message is there twice, one message alone can be used, and calls that no one wants are
    gone."""

    name = "nothing is there twice or stays behind"

    def __init__(self, town: Town) -> None:
        self.town = town

    async def look(self, game: Game) -> None:
        """Look at a game's channel, and if something is wrong, again: an old letter can be on its way out."""
        found = await self._wrong(game)
        if found:
            await asyncio.sleep(AGAIN)
            later = await self._wrong(game)
            found = [what for what in found if what in later]
        for what in found:
            self.town.universe.wrong(self.name, f"game {game.number}: {what}")

    async def _wrong(self, game: Game) -> list[str]:
        bot, found = self.town.wire.world.bot, list[str]()
        messages = [m for m in self.town.wire.messages(game.channel) if m.author is bot and not m.only_for]
        calls = [
            message for message in messages if is_ping({"content": message.content, "components": message.components})
        ]
        store = await self.town.store()
        try:
            known = await self._known(store, game)
        finally:
            await store.close()
        found += [f"a call stays: {call.text[:200]!r}" for call in calls if call.id not in known]
        texts = Counter(message.text for message in [*calls, *game.panels()])
        found += [f"it is there {count} times: {text[:200]!r}" for text, count in texts.items() if count > 1]
        found += [f"an old message can be used: {old.text[:200]!r}" for old in game.panels()[:-1]]
        if game.last_read is not None and game.last_read.table.status == RUNNING:
            old_letters = [letter for letter in self._letters(game) if letter.id not in known]
            found += [f"an old letter stays: {letter.text[:200]!r}" for letter in old_letters]
        return found

    def _letters(self, game: Game) -> Iterator[Message]:
        """Direct messages about a game that can be used."""
        world = self.town.wire.world
        for message in world.messages.values():
            if message.channel.recipient is None or message.author is not world.bot or message.deleted:
                continue
            addresses = [parse_id(str(control["custom_id"])) for control in message.interactive]
            if not message.only_for and any(one is not None and one.game == game.number for one in addresses):
                yield message

    async def _known(self, store: Store, game: Game) -> set[int]:
        """Messages that the store knows."""
        sql = "SELECT message FROM shown JOIN games ON game = number WHERE games.channel = ? AND message IS NOT NULL"
        return {int(row[0]) for row in await store._database.read(sql, game.channel.id)}


class Resumed:
    """A session that can be resumed is resumed, so that nothing is missed. No shard has two connections for long."""

    name = "sessions are resumed, and each shard has one connection"

    def __init__(self, town: Town, weather: Weather) -> None:
        self.town, self.weather = town, weather
        weather.cutting.append(self._cut)

    def _cut(self) -> None:
        gateway, loop = self.town.wire.gateway, self.town.universe.loop
        if self.weather.calm() and self.town.served():
            loop.call_later(20.0, self._look, len(gateway.identified), self.town.universe.now)

    def _look(self, began: int, at: float) -> None:
        if self.weather.over > at + 0.001 or self.weather._under_way:
            return
        if len(self.town.wire.gateway.identified) > began:
            self.town.universe.wrong(self.name, "a session begins anew after a cut")

    def look(self) -> None:
        """Count the connections of each shard."""
        sessions = self.town.wire.gateway.sessions
        counted = Counter((one.shard, one.shards) for one in sessions if one.connection is not None)
        for shard in range(self.town.plan.shards):
            count = counted[shard, self.town.plan.shards]
            if count != 1:
                self.town.universe.wrong(self.name, f"shard {shard} has {count} connections")


class Limited:
    """Requests that are known to be over a limit aren't sent."""

    name = "Discord's limits are kept"

    UNKNOWN = ("lost_answers", "limits", "kill", "power", "restart")
    """Events after which a process doesn't know what is left of a limit: that is in the answers."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.most = 3 * sum(event.kind in self.UNKNOWN for event in town.plan.events)

    def look(self) -> None:
        """Look at the requests that were over a limit."""
        rates = self.town.wire.rates
        exceeded = Counter(rates.exceeded) if rates.enforced else Counter[str]()  # else no one was told of any
        del exceeded["get gateway"]  # several processes that start at once
        if sum(exceeded.values()) > self.most:
            self.town.universe.wrong(self.name, f"too many requests: {dict(exceeded)}")
            rates.exceeded.clear()

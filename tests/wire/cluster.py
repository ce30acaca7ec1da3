"""Several processes of the bot on one PostgreSQL, connected to one wire server, with games on each shard."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.wire.party import BOT, Party, Person, allow_messages, check_discord
from tests.wire.process import BotProcess
from tests.wire.server import WireServer


@dataclass
class Cluster:
    """The processes, and parties in servers of their own on each shard."""

    wire: WireServer
    bots: list[BotProcess]
    parties: list[Party]

    def connected(self) -> list[bool]:
        """By shard: whether a process has it."""
        sessions = [self.wire.gateway.on(shard) for shard in range(self.wire.world.shards)]
        return [session is not None and session.connection is not None for session in sessions]

    async def whole(self, within: float = 30.0) -> float:
        """Wait until every shard is connected. Returns the seconds it took."""
        began = time.perf_counter()
        await self.wire.until(lambda: all(self.connected()), within, what="some shards are nobody's")
        return time.perf_counter() - began

    async def launch(self, *bots: BotProcess) -> None:
        """Start processes (by default all), and wait until every shard is connected."""
        for bot in bots or self.bots:
            await bot.launch()
        await self.whole(60.0)


@asynccontextmanager
async def cluster(
    folder: Path,
    database: str,
    processes: int,
    shards: int,
    *,
    seed: int = 0,
    people: int = 3,
    games: int = 1,
    arguments: Sequence[Sequence[str]] = (),
    env: Mapping[str, str] | None = None,
    limits: bool = False,
    messages: bool = True,
    clock: Callable[[], float] = time.time,
) -> AsyncIterator[Cluster]:
    """Processes, not yet launched, and `games` games on each shard.

    `arguments`: added to the command line, by process. `limits`, `messages`: as in `party`. `clock`: Discord's.
    """
    async with AsyncExitStack() as stack:
        wire = await stack.enter_async_context(WireServer(clock))
        if not limits:
            wire.unlimited()
        wire.world.shards = shards
        bots = []
        for n in range(processes):
            argv = [*BOT, *(arguments[n] if arguments else ())]
            bot = BotProcess(wire, argv, folder / f"bot{n}", {"DATABASE_URL": database, **(env or {})})
            bot.alone = False
            bots.append(await stack.enter_async_context(bot))
        wire.bot_output = lambda: "\n".join(f"--- {bot.log.name}\n{bot.tail(30)}" for bot in bots)
        if messages:
            await allow_messages(database, wire)
        parties = []
        for n in range(shards * games):
            place = wire.world.open_guild(n % shards, shards)
            party = Party(wire, bots[0], [], random.Random(seed + n), place=place)
            party.people = [Person(party, human) for human in wire.users[:people]]
            party.number = n + 1
            party.suggested = frozenset()
            parties.append(party)
        yield Cluster(wire, bots, parties)
        for bot in bots:
            if bot.process is not None:
                assert await bot.stop(20.0) == 0, bot.tail()
        await asyncio.sleep(0)
        check_discord(wire)

"""One run: a store with its games, a wire server, one or more processes of Harbormaster, and people who play."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import aiohttp

from bench.scale.discord import BenchServer
from bench.scale.load import Load, differing
from bench.scale.samples import Samples
from bench.scale.stores import Size, Stores
from bench.scale.tables import Table, Unplayable
from bench.scale.town import Town
from bench.scale.usage import Scrape, cpu, family_cpu, family_memory
from bot.discord.show import panel
from bot.discord.show.pictures import Pictures
from bot.metrics import Metrics
from bot.screens.viewer import Viewer
from bot.settings import StoreAddress
from bot.store import open_store
from bot.tasks import Worker
from tests.wire.party import BOT, answered
from tests.wire.process import BotProcess, free_port
from tests.wire.rates import GlobalLimit
from tests.wire.stored_game import looks, shown

LOOKED_AT = 20
"""How many panels are compared with what they must show, including the picture."""
TRACEBACK = re.compile(r"^.*\nTraceback .*\n(?: .*\n)*.*$", re.MULTILINE)
COLORS = re.compile(r"\x1b\[[\d;]*m")
WARNINGS = 20
"""How many of the last warnings in the logs are printed if the run ends early."""
SYNCS = "SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done in a run."""

    kind: str
    """"sqlite" or "postgresql"."""
    processes: int
    size: Size
    rate: float = 25.0
    """Actions a second."""
    seconds: float = 0.0
    burst: int = 0
    flat_out: float = 0.0
    """Seconds of playing as fast as possible."""
    limited: bool = False
    """Whether the server enforces Discord's global limit."""

    @property
    def name(self) -> str:
        """The name of the run, for people."""
        store = "SQLite" if self.kind == "sqlite" else "PostgreSQL"
        return f"{self.processes} on {store}"


class Run:
    """The processes and the server of a run."""

    def __init__(self, stores: Stores, plan: Plan, folder: Path, town: Town) -> None:
        self.stores, self.plan, self.town = stores, plan, town
        self.address = stores.copy(plan.kind, plan.size, folder)
        self.wire = BenchServer(town, plan.processes, GlobalLimit() if plan.limited else None)
        self.ports = [free_port() for _ in range(plan.processes)]
        self.bots: list[BotProcess] = []
        self.ended: list[str] = []
        """What went wrong when bots ended."""
        self._folder = folder

    @contextlib.asynccontextmanager
    async def started(self) -> AsyncIterator[None]:
        """Run the block with all processes started. Afterwards they are stopped properly."""
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self.wire)
            for n, port in enumerate(self.ports):
                env = {"HARBORMASTER_HTTP": str(port)}
                path = self.address if isinstance(self.address, Path) else self._folder / f"bot{n}"
                if isinstance(self.address, str):
                    env["DATABASE_URL"] = self.address
                bot = BotProcess(self.wire, BOT, path, env)
                bot.alone = False
                self.bots.append(await stack.enter_async_context(bot))
                await bot.launch()
            yield
            self.ended = [problem for problem in await asyncio.gather(*map(_stop, self.bots)) if problem]

    def whole(self) -> bool:
        """Whether all shards are connected and the commands are known."""
        sessions = [self.wire.gateway.on(shard) for shard in range(self.plan.processes)]
        connected = all(session is not None and session.connection is not None for session in sessions)
        return connected and bool(self.wire.world.commands[0])

    def processor(self) -> dict[str, float]:
        """Seconds of processor time so far, by who used it."""
        found = {"bots": sum(family_cpu(bot.pid) for bot in self.bots), "wire server and driver": cpu(os.getpid())}
        if self.plan.kind == "postgresql":
            found["database"] = family_cpu(self.stores.server.pid)
        return found

    def memory(self) -> list[int]:
        """MiB of each process and its helpers."""
        return [round(family_memory(bot.pid)) for bot in self.bots]

    def tracebacks(self) -> list[str]:
        """The tracebacks in the logs of the processes."""
        return [text for bot in self.bots for text in TRACEBACK.findall(bot.log.read_text())]

    def warnings(self) -> list[str]:
        """The last warnings and errors in the logs of the processes."""
        lines = [line for bot in self.bots for line in COLORS.sub("", bot.log.read_text()).splitlines()]
        return [line for line in lines if re.search("WARNING|ERROR", line)][-WARNINGS:]

    def syncs(self) -> int | None:
        """Fsyncs of the database so far; None if they aren't counted."""
        return int(self.stores.server.value(SYNCS)) if self.plan.kind == "postgresql" else None


async def carry_out(stores: Stores, plan: Plan) -> dict[str, Any]:
    """Do a run. Returns its figures."""
    town = stores.town(plan.kind, plan.size)
    with tempfile.TemporaryDirectory() as name:
        run = Run(stores, plan, Path(name), town)
        try:
            return await _figures(run, plan, town)
        except Unplayable as error:
            raise Unplayable("\n".join((str(error), *run.tracebacks(), *run.warnings()))) from error


async def _figures(run: Run, plan: Plan, town: Town) -> dict[str, Any]:
    async with run.started(), aiohttp.ClientSession() as session:
        await run.wire.until(run.whole, 120.0, "some shards aren't connected")
        load = Load(run.wire, run.bots[0], town, seed=1)
        memory = [run.memory()]
        scraped = await Scrape.of(session, run.ports)
        watching = asyncio.create_task(_watch(run, plan.seconds / 2, memory))
        steady = await _phase(run, lambda samples: load.steady(plan.rate, plan.seconds, samples))
        watching.cancel()
        memory.append(run.memory())
        scraped = (await Scrape.of(session, run.ports)).since(scraped)
        burst = await _phase(run, lambda samples: load.burst(plan.burst, samples))
        most = await _phase(run, lambda samples: load.flat_out(plan.flat_out, samples))
        memory.append(run.memory())
        wrong = await _panels(load.tables, town)
    different = differing(load.tables, await _stored(run.address, load.tables))
    return {
        "name": plan.name,
        "kind": plan.kind,
        "processes": plan.processes,
        "steady": steady,
        "burst": burst,
        "flat out": most,
        "memory": dict(zip(("start", "middle", "end", "after flat out"), memory, strict=True)),
        "event loop late, p99 at most, ms": round(1000 * scraped.late(0.99)),
        "lookups": scraped.lookups,
        "games stored otherwise than played": different,
        "panels wrong": wrong,
        "tracebacks": run.tracebacks(),
        "ended": run.ended,
    }


async def start_up(stores: Stores, kind: str, size: Size) -> dict[str, Any]:
    """Start one process. Returns the seconds until it has answered the first click, its memory then, and more."""
    town = stores.town(kind, size)
    with tempfile.TemporaryDirectory() as name:
        run = Run(stores, Plan(kind, 1, size), Path(name), town)
        began = time.perf_counter()
        async with run.started():
            await run.wire.until(lambda: run.wire.gateway.ready, 60.0, "it never connects")
            table = Table(run.wire, run.bots[0], town.games[len(town.games) // 2], random.Random(1))
            user = table.standing.table.users[0]
            it = await run.wire.world.human(user).click(await table.panel(), "My hand")
            acknowledged = time.perf_counter() - began
            await run.wire.until(lambda: answered(it), 60.0, "it never answers")
            seconds, memory = time.perf_counter() - began, run.memory()[0]
    cost = asdict(stores.cost(kind, size))
    found = {"kind": kind, "running": size.running, "finished": size.finished, "cost": cost, "memory": memory}
    return found | {"acknowledged": round(acknowledged, 2), "answered": round(seconds, 2), "ended": run.ended}


async def _phase(run: Run, doing: Any) -> dict[str, Any]:
    """Run a phase. Returns its figures, such as the time that it took and who used the processor."""
    wire, samples = run.wire, Samples()
    wire.kinds.clear()
    wire.by_second.clear()
    wire.refused.clear()
    before, syncs, began = run.processor(), run.syncs(), time.perf_counter()
    took = await doing(samples) or time.perf_counter() - began
    found, actions = samples.figures(), max(samples.actions.total(), 1)
    whole = time.perf_counter() - began
    counted = wire.by_second.total()
    found |= {
        "seconds": round(took, 1),
        "actions a second": round(actions / took, 1),
        "processor ms an action": {
            who: round(1000 * (now - before[who]) / actions, 1) for who, now in run.processor().items()
        },
        "cores used": {who: round((now - before[who]) / whole, 2) for who, now in run.processor().items()},
        "requests an action": {kind: round(n / actions, 3) for kind, n in wire.kinds.most_common()},
        "counted requests an action": round(counted / actions, 2),
        "counted requests in the busiest second": max(wire.by_second.values(), default=0),
        "refused": dict(wire.refused),
    }
    if syncs is not None:
        await asyncio.sleep(1.5)  # until the database has counted the last ones
        found["fsyncs an action"] = round(((run.syncs() or 0) - syncs) / actions, 2)
    return found


async def _stop(bot: BotProcess) -> str:
    """Stop a bot. Returns what went wrong, or an empty text."""
    try:
        status = await bot.stop(30.0)
    except TimeoutError:
        return "a process did not end"
    errors = re.findall(r"^.*ERROR.*$", COLORS.sub("", bot.tail()), re.MULTILINE)
    return f"a process ended with status {status}: {' '.join(errors[-1:])}" if status else ""


async def _watch(run: Run, after: float, memory: list[list[int]]) -> None:
    await asyncio.sleep(after)
    memory.append(run.memory())


async def _stored(address: StoreAddress, tables: Sequence[Table]) -> dict[int, list[Any]]:
    """The records of all games."""
    store = await open_store(address)
    try:
        return {table.number: await store.records(table.number) for table in tables}
    finally:
        await store.close()


async def _panels(tables: Sequence[Table], town: Town) -> int:
    """How many of some random panels don't show what they must."""
    played = [t for t in tables if t.doubt is None and len(t.mirror.records) > len(t.standing.game.records)]
    worker = Worker()
    pictures, wrong = Pictures(Metrics(), worker), 0
    for table in random.Random(1).sample(played, min(LOOKED_AT, len(played))):
        if table.mirror.outcome is not None:
            continue
        onlooker = Viewer(table.standing.table, table.mirror)
        picture = await pictures.board(onlooker)
        layout: Any = panel.panel_layout(onlooker, picture)
        wrong += shown(await table.panel()) != (looks(layout.to_components()), picture.data)
    worker.close()
    return wrong

"""What games over days cost under all of Discord's limits: requests, what is refused, and how long people wait.

`python -m bench.days [TURNS [COMMIT]]`. Two processes share a PostgreSQL and a stand-in for Discord, with 100 to 400 ms
of network and all of Discord's limits. Each has a game of four people, who go on as soon as the last action is shown.
Twice, both processes are stopped, a day and a half passes on all clocks, including the database's, and they start
again. With COMMIT, that older version of Harbormaster runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

import asyncpg

from tests.bot.discord.doing import by_commands
from tests.bot.store.before import make_tables
from tests.postgres import server
from tests.wire.calls import Request
from tests.wire.clocks import with_clock
from tests.wire.cluster import Cluster, cluster
from tests.wire.earlier import older, schema_as_it_is
from tests.wire.party import Party

DAYS = 3
NIGHT = 36 * 3600.0
"""Seconds between two days."""
NETWORK = (0.1, 0.4)
LONG = 120.0
"""Seconds in which everything must be shown."""
OURS = """
CREATE TABLE ahead (seconds float8); INSERT INTO ahead VALUES (0);
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$SELECT pg_catalog.clock_timestamp() + make_interval(secs => seconds) FROM public.ahead$$;
"""
"""Gives the database a clock that can be put forward. It is found first if `public` comes before `pg_catalog` in the
search path."""


@dataclass
class Clock:
    """The clock of the stand-in, the processes and the database."""

    file: Path
    address: str
    offset: float = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset

    async def prepare(self) -> None:
        """Have the database use this clock."""
        name = urlsplit(self.address).path.strip("/")
        await self._run(OURS, f"ALTER DATABASE {name} SET search_path = public, pg_catalog")

    async def forward(self, seconds: float) -> None:
        """Put the clock forward, while no process runs."""
        self.offset += seconds
        self.file.write_text(str(self.offset))
        await self._run(f"UPDATE public.ahead SET seconds = {self.offset}")

    async def _run(self, *statements: str) -> None:
        database = await asyncpg.connect(self.address)
        try:
            for statement in statements:
                await database.execute(statement)
        finally:
            await database.close()


@dataclass
class Account:
    """What was measured."""

    actions: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)
    """Seconds from a click until everything that follows from it is shown, and nothing more comes."""
    late: int = 0
    """Actions that weren't shown in `LONG` seconds, or not answered."""

    def take(self, requests: list[Request]) -> None:
        """Count requests."""
        for request in requests:
            self.requests[kind(request)] += 1
            if request.status >= 400:
                self.refused[f"{request.status} {request.code} of {kind(request)}"] += 1

    def tell(self) -> None:
        """Print the account."""
        each = ", ".join(f"{what} {n / self.actions:.2f}" for what, n in self.requests.most_common())
        print(f"{self.actions} actions; requests an action: {each}")
        print("refused: " + (", ".join(f"{n} x {what}" for what, n in self.refused.most_common()) or "none"))
        high = quantiles(self.waits, n=100)[98]
        print(f"from a click until all is shown: median {median(self.waits):.1f} s, 99th percentile {high:.1f} s, "
              f"longest {max(self.waits):.1f} s; {self.late} late")  # fmt: skip


def kind(request: Request) -> str:
    """The kind of a request."""
    return f"{request.method} {re.sub(r'[0-9]{5,}(/token-[^/]+)?', '*', request.path).removesuffix('/@original')}"


async def play(party: Party, turns: int, account: Account) -> None:
    """Play until a turn is reached, or the game is over."""
    while (game := await party.game()).outcome is None and game.turn < turns:
        began = time.perf_counter()
        try:
            person, action = await party.choose()
            try:
                await party.do(person, action)
            except ValueError:  # an older version has other forms
                await by_commands(party, person, action)
            await party.settled(game.revision + 1, LONG)
        except (TimeoutError, LookupError) as error:
            account.late += 1
            print(f"late: {str(error).splitlines()[0]}", file=sys.stderr)
            await asyncio.sleep(5.0)
            continue
        account.waits.append(time.perf_counter() - began)
        account.actions += 1


async def measure(folder: Path, address: str, turns: int, commit: str) -> None:
    """Play both games over all days, and print the result. Raises `AssertionError` if something doesn't
    hold that must hold of everything that was sent."""
    account, clock = Account(), Clock(folder / "clock", address)
    await clock.prepare()
    (folder / "older").mkdir()
    begin = older(commit, folder / "older") if commit else [sys.executable]
    messages = not commit  # an older version doesn't ask people whether they want messages
    async with AsyncExitStack() as stack:
        if commit:
            stack.enter_context(schema_as_it_is())
            await (await make_tables(address)).close()
        table = await stack.enter_async_context(
            cluster(folder, address, 2, 2, people=4, limits=True, messages=messages, clock=clock)
        )
        table.wire.network = NETWORK
        for bot in table.bots:
            bot.argv = [*begin, *with_clock(clock.file)[1:]]
        await table.launch()
        for party in table.parties:
            await party.begin(target=20)
        for day in range(1, DAYS + 1):
            await asyncio.gather(*(play(party, turns * day // DAYS, account) for party in table.parties))
            print(f"day {day}: {account.actions} actions", file=sys.stderr)
            if day < DAYS:
                await _night(table, clock)
        account.take(table.wire.requests)
        account.tell()


async def _night(table: Cluster, clock: Clock) -> None:
    for bot in table.bots:
        await bot.stop(20.0)
    await clock.forward(NIGHT)
    await table.launch()


def main(turns: str = "150", commit: str = "") -> int:
    """Measure and print. Returns 1 if something doesn't hold that must hold of everything that is sent."""
    with tempfile.TemporaryDirectory() as folder, server() as new, contextlib.closing(asyncio.Runner()) as runner:
        try:
            runner.run(measure(Path(folder), new(), int(turns), commit))
        except AssertionError as error:
            print(f"doesn't hold: {str(error).splitlines()[0]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))

"""How many of Discord's 50 requests a second an action costs, over whole games of four people with all DMs open.

`python -m bench.requests [GAMES]` plays that many random games at each pace, by default three, and also prints the mean
and the spread of their costs.

Harbormaster and the stand-in for Discord run in one event loop and talk over real sockets. The bench moves the loop's
clock: between two actions it jumps from timer to timer. So people can take seconds or hours, and every timer of
Harbormaster still fires in order. Tokens of interactions die after 15 minutes of that clock.

Interaction endpoints (callbacks, webhooks by token) are exempt from the limit. They are shown next to the counted
requests.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bench.table import Row, at_most, show
from bench.wire.people import choose
from bot.discord.client import Harbormaster
from bot.screens.viewer import Viewer
from bot.table.table import Table
from engine.actions import Action
from engine.game import Game
from tests.bot.discord.doing import by_commands, by_components
from tests.wire.calls import Interaction, Request
from tests.wire.messages import is_ping
from tests.wire.party import Party, Person
from tests.wire.server import WireServer

GOAL = 1.0
"""Goal: counted requests per action."""
BY_COMMAND = 0.1
"""Share of the actions that are typed instead of clicked."""
SETTLE = 2.0
"""Seconds of the loop's clock in which everything that an action shows immediately is there. No timer that gathers
changes is that short."""


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be put forward."""

    offset = 0.0

    def time(self) -> float:
        return super().time() + self.offset

    def next_timer(self) -> float:
        """When the next timer fires."""
        return min((timer.when() for timer in self._scheduled if not timer.cancelled()), default=math.inf)  # type: ignore[attr-defined]


@dataclass
class Account:
    """The requests that were sent, by the kind of action that they followed."""

    actions: Counter[str] = field(default_factory=Counter)
    counted: dict[str, Counter[str]] = field(default_factory=dict)
    exempt: dict[str, Counter[str]] = field(default_factory=dict)

    def include(self, other: Account) -> None:
        """Count what another account has, too."""
        self.actions += other.actions
        for ours, theirs in ((self.counted, other.counted), (self.exempt, other.exempt)):
            for action, requests in theirs.items():
                ours.setdefault(action, Counter()).update(requests)

    def add(self, action: str, requests: list[Request], kind: Callable[[Request], str]) -> None:
        """Count an action, and the requests that were sent until the next one."""
        self.actions[action] += 1
        for request in requests:
            side = self.exempt if is_exempt(request) else self.counted
            side.setdefault(action, Counter())[kind(request)] += 1

    def total(self, side: dict[str, Counter[str]]) -> Counter[str]:
        """Requests of a side by kind."""
        return sum(side.values(), Counter[str]())

    @property
    def cost(self) -> float:
        """Counted requests per action."""
        return self.total(self.counted).total() / self.actions.total()


def is_exempt(request: Request) -> bool:
    """Whether a request doesn't count against the limit of the whole bot."""
    return request.path.startswith(("/interactions/", "/webhooks/"))


@dataclass
class Room(Party):
    """A party whose bot runs in this process, so that its store can be read directly."""

    client: Harbormaster | None = None

    @property
    def _services(self) -> Any:
        assert self.client is not None
        return self.client.app.services

    async def table(self) -> Table:
        """The table at which the people play."""
        table: Table = await self._services.repository.table(self.number)
        return table

    async def game(self) -> Game:
        game: Game = await self._services.repository.game(self.number)
        return game

    async def viewer(self, person: Person) -> Viewer:
        return Viewer.of(await self.table(), await self.game(), person.id)

    async def person(self, seat: int) -> Person:
        user = (await self.table()).user_at(await self.game(), seat)
        return next(p for p in self.people if p.id == user)

    async def rest(self, seconds: float) -> None:
        """Let time pass. Every timer fires at its time, and what it sets off is done before the next one fires."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, JumpingLoop)
        assert self.client is not None
        app, end = self.client.app, loop.time() + seconds
        while True:
            await app.publisher.idle()
            if app.in_flight or app.services.jobs.busy:
                await asyncio.sleep(0.001)
                continue
            loop.offset += max(min(loop.next_timer(), end) - loop.time(), 0.0)
            if loop.time() >= end:
                return
            for _ in range(3):  # the timer fires, and what it sets off begins
                await asyncio.sleep(0)


def kind_of(room: Room) -> Callable[[Request], str]:
    """A function that names the kind of a request."""
    private = {str(room.wire.world.dm(person.human).id) for person in room.people}

    def kind(request: Request) -> str:
        if request.path.startswith("/interactions/"):
            return "callback"
        if request.path.startswith("/webhooks/"):
            return f"{request.method} by token"
        found = re.match(r"/channels/(\d+)/messages", request.path)
        if found is None:
            return "open a DM" if request.path == "/users/@me/channels" else f"{request.method} {request.path}"
        verb = {"POST": "post", "PATCH": "edit", "DELETE": "delete"}[request.method]
        if found[1] in private:
            return f"{verb} a hand"
        if request.method == "DELETE":
            return "delete a ping"
        return (
            f"{verb} a game message" if "components" in request.json and not is_ping(request.json) else f"{verb} a ping"
        )

    return kind


@dataclass(frozen=True)
class Pace:
    """Seconds between two actions, as (shortest, longest): by the same person, and by two different ones."""

    own: tuple[float, float]
    next: tuple[float, float]

    def seconds(self, rng: random.Random, same: bool) -> float:
        """Return the seconds until the next action. Long ones are rarer than short ones."""
        low, high = self.own if same else self.next
        return math.exp(rng.uniform(math.log(low), math.log(high)))


PACES = {
    "at one sitting": Pace((2.0, 8.0), (3.0, 20.0)),
    "over days": Pace((2.0, 30.0), (60.0, 6 * 3600.0)),
}


async def play(room: Room, pace: Pace, account: Account) -> None:
    """Play a game from the first command to its end."""
    kind, rng, wire = kind_of(room), room.rng, room.wire

    async def after(name: str, same: bool = True) -> None:
        await room.rest(pace.seconds(rng, same) - SETTLE)
        account.add(name, list(wire.requests), kind)
        wire.requests.clear()  # only requests: tokens stay valid

    host, *others = room.people
    wire.requests.clear()
    await host.slash(room.channel, "game new")
    await after("open a table")
    for person in others:
        await person.click(await room.panel(), label="Join")
        await after("join")
    await host.click(await room.panel(), label="Start")
    await after("start")
    while (game := await room.game()).outcome is None:
        seat, action = choose(game, rng)
        it = await _do(room, await room.person(seat), action)
        await room.rest(SETTLE)  # the next person has seen it
        now = await room.game()
        assert now.revision > game.revision, f"{action} was not played: {it.payload['data']} was answered {it.text!r}"
        await after(action.name, same=seat in now.to_act)


async def _do(room: Room, person: Person, action: Action) -> Interaction:
    way = by_commands if room.rng.random() < BY_COMMAND else by_components
    it: Interaction = await way(room, person, action)
    return it


@contextmanager
def _our_time(loop: JumpingLoop) -> Iterator[Callable[[], float]]:
    """Have discord.py's clock, and so the bot's, follow the loop's. Yields the clock."""
    real = discord.utils.utcnow

    def now() -> float:
        return time.time() + loop.offset

    discord.utils.utcnow = lambda: datetime.fromtimestamp(now(), UTC)
    try:
        yield now
    finally:
        discord.utils.utcnow = real


async def measure(pace: Pace, games: int) -> list[Account]:
    """Play that many games at a pace. Returns an account for each."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    accounts = [Account() for _ in range(games)]
    for seed, account in enumerate(accounts):
        with tempfile.TemporaryDirectory() as folder, _our_time(loop) as now:
            async with WireServer(now) as wire:
                wire.unlimited()
                wire.gateway.patience = math.inf
                await _one_game(wire, Path(folder) / "game.db", pace, account, seed)
    return accounts


async def _one_game(wire: WireServer, database: Path, pace: Pace, account: Account, seed: int) -> None:
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = wire.rest_base, yarl.URL(wire.gateway_url)
    client = Harbormaster(database, silence=math.inf)
    client._connection.heartbeat_timeout = math.inf  # a jump of the clock is no silence
    serving = asyncio.create_task(client.start(wire.token))
    try:
        await wire.until(lambda: client.is_ready(), 20.0, "Harbormaster isn't ready")
        room = Room(wire, None, [], random.Random(seed), suggested=frozenset(), client=client)  # type: ignore[arg-type]
        room.people = [Person(room, human) for human in wire.users[:4]]
        await play(room, pace, account)
    finally:
        await client.close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


def tell(name: str, account: Account, games: Sequence[Account]) -> None:
    """Print everything in the account of all games, and how far theirs lie apart."""
    n, costs = account.actions.total(), [game.cost for game in games]
    print(f"\n{name}: {n} actions, {account.cost:.2f} counted requests each")
    spread = f", standard deviation {stdev(costs):.3f}" if len(costs) > 1 else ""
    print(f"  {len(games)} games: mean {mean(costs):.3f}{spread}; {', '.join(f'{cost:.3f}' for cost in costs)}")
    for title, side in (("counted", account.counted), ("exempt", account.exempt)):
        each = ", ".join(f"{kind} {times / n:.3f}" for kind, times in account.total(side).most_common())
        print(f"  {title}: {account.total(side).total() / n:.2f} = {each}")
    for action, times in account.actions.most_common():
        kinds = account.counted.get(action, Counter())
        parts = ", ".join(f"{kind} {count / times:.2f}" for kind, count in kinds.most_common())
        print(f"  {action:18} {times:5} times  {kinds.total() / times:6.2f}  {parts}")


def accounts(games: int) -> Iterator[tuple[str, Account, list[Account]]]:
    """For each pace, the account of all games, and that of each."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    for name, pace in PACES.items():
        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            each, together = runner.run(measure(pace, games)), Account()
        for account in each:
            together.include(account)
        yield name, together, each


def rows(games: int = 1) -> Iterator[Row]:
    """Rows of the table."""
    for name, account, _each in accounts(games):
        exempt = account.total(account.exempt).total() / account.actions.total()
        remark = f"plus {exempt:.2f} exempt; {account.actions.total()} actions"
        yield at_most(f"an action: {name}", account.cost, GOAL, "requests", remark, digits=2)


if __name__ == "__main__":
    found = {}
    for name, account, each in accounts(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        tell(name, account, each)
        found[name] = account
    print()
    show(at_most(f"an action: {name}", a.cost, GOAL, "requests", digits=2) for name, a in found.items())

"""The website of a playground, and a visitor who asks for pages by HTTP and follows games."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.service.web import Site
from bot.settings import Listen
from bot.table.acts.options import SetOptions
from bot.table.options import LIVE
from bot.table.table import Table
from bot.tasks import Worker
from bot.web import Website
from tests.bot.playground import ANN, BOB, CEM, GUILD, Playground, is_over

ADDRESS = "https://games.example.org"
ANYWHERE = Listen("127.0.0.1", 0)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came for a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def mark(self) -> str:
        """The mark of a running game's page."""
        found = re.search(r'id="follow">(.*?)</script>', self.body.decode())
        assert found
        return str(json.loads(found[1])["mark"])


@dataclass(frozen=True, slots=True)
class News:
    """An event of a stream."""

    kind: str
    mark: str
    data: Any


class Stream:
    """An open stream of events."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response

    async def next(self) -> News | None:
        """The next event; None at the end of the stream."""
        async with asyncio.timeout(10):
            while True:
                found: dict[str, str] = {}
                while line := (await self.response.content.readline()).decode().rstrip("\n"):
                    name, _, value = line.partition(":")
                    found[name] = value.strip()
                if "event" in found:
                    data = json.loads(found["data"]) if found["data"] else None
                    return News(found["event"], found.get("id", ""), data)
                if self.response.content.at_eof():
                    return None

    async def until_event(self) -> bytes:
        """All that comes until the next event, as it is sent."""
        found = b""
        async with asyncio.timeout(10):
            while b"\nevent:" not in found or not found.endswith(b"\n\n"):
                found += await self.response.content.readline()
        return found


class Visitor:
    """Asks a website."""

    def __init__(self, session: aiohttp.ClientSession, website: Website) -> None:
        self._session, self.website = session, website

    async def ask(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """Send a request. Underscores in headers' names stand for hyphens; without `Accept_Encoding`, gzip isn't
        taken."""
        sent = {"Accept-Encoding": "identity"} | {name.replace("_", "-"): value for name, value in headers.items()}
        async with self._session.request(method, self._url(path), headers=sent) as response:
            return Answer(response.status, dict(response.headers), await response.read())

    @contextlib.asynccontextmanager
    async def follow(self, number: int, mark: str, **headers: str) -> AsyncIterator[Stream]:
        """Follow a game from a mark."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self._session.get(self._url(f"/games/{number}/events?from={mark}"), headers=sent) as response:
            assert response.status == 200
            yield Stream(response)

    def _url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.website.port}{path}"


@contextlib.asynccontextmanager
async def visiting(ground: Playground) -> AsyncIterator[Visitor]:
    """Serve the games of a playground."""
    ground.services.web.site = Site(True, ADDRESS)
    session = aiohttp.ClientSession(auto_decompress=False)
    async with Website(ANYWHERE, lambda: ground.services, Worker(), ground.services.metrics) as website, session:
        yield Visitor(session, website)


async def running(ground: Playground, *, server: str = LIVE, web: str = LIVE, turns: int = 2) -> Table:
    """A game of three that has been played for some turns, with what server and table have chosen."""
    table = await ground.begun(ANN, BOB, CEM, target=4)
    await choose_web(ground, table.number, server, web)
    table, _ = await ground.advance(table.number, lambda game: game.turn >= turns)
    return table


async def choose_web(ground: Playground, number: int, server: str, web: str) -> None:
    """Choose which games can be seen on the web, for server and table."""
    await ground.services.servers.change(GUILD, web=server)
    await ground.act(number, ANN, SetOptions({"web": web}))


async def finished(ground: Playground, number: int) -> None:
    """Play to the end."""
    await ground.advance(number, is_over)

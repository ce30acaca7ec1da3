"""A running game on the web, in a thread next to the browser's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from bot.metrics import Metrics
from bot.service.web import Site
from bot.settings import Listen
from bot.tasks import Worker
from bot.web import Website
from tests.bot.playground import Playground, new_file
from tests.bot.web.visitor import ADDRESS, running
from tests.browser.screen import PATIENCE

T = TypeVar("T")


class Live:
    """A game of three, on the web while it is entered."""

    def __init__(self, folder: Path) -> None:
        self.ground = Playground(new_file(folder / "games.db"))
        self._metrics = Metrics()
        self.website = self._new(0)
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the game's thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def __enter__(self) -> Self:
        self._thread.start()
        self.do(self._begin())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def followers(self) -> float | None:
        """How many pages follow the game."""
        return self._metrics.registry.get_sample_value("harbormaster_web_followers")

    def leave(self) -> None:
        """The website goes away."""
        self.do(self.website.__aexit__(None, None, None))

    def come_back(self) -> None:
        """It is there again, at the same port."""
        self.website = self._new(self.port)
        self.do(self.website.__aenter__())

    def _new(self, port: int) -> Website:
        return Website(Listen("127.0.0.1", port), lambda: self.ground.services, Worker(), self._metrics)

    async def _begin(self) -> None:
        await self.ground.open()
        self.ground.services.web.site = Site(True, ADDRESS)
        await running(self.ground)
        await self.website.__aenter__()
        self.port = self.website.port

    async def _end(self) -> None:
        await self.website.__aexit__(None, None, None)
        await self.ground.close()

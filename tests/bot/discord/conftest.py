"""Fixtures for the front's tests: halls with people. A test fails if the bot has logged an error."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
import simcord

import render
from bot.discord.show import publisher, servers
from bot.discord.show.publisher import Sweep
from bot.table.acts import lobby as lobby_rules
from engine.views import View
from tests.bot.discord.hall import Hall, make_bot
from tests.bot.playground import new_file

Opened = Callable[..., contextlib.AbstractAsyncContextManager[Hall]]


@pytest.fixture
def open_hall(quick_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """A function that opens a hall, by default with four people; to be used inside the test's own task.

    A second hall in a test needs its own `world`. Unless `mixed`, players mix nothing into the chance of their games:
    they would mix in ids, which each further command or message shifts.
    """

    @contextlib.asynccontextmanager
    async def opened(people: int = 4, world: int = 0, mixed: bool = False) -> AsyncIterator[Hall]:
        path = new_file(quick_path / f"games{world}.db")
        bot = make_bot(path)
        if not mixed:
            monkeypatch.setattr(lobby_rules, "entropy", lambda table, closing: ("hall",))
        async with simcord.run(bot) as env:
            hall = Hall(path, env, bot, people)
            hall.started_long_ago()
            await hall.allow_messages()
            try:
                yield hall
            finally:
                await hall.bot.close()
        errors = [r for r in caplog.records if r.levelno >= logging.ERROR]
        assert not errors, "\n".join(f"{r.getMessage()} {r.exc_text or ''}" for r in errors)

    return opened


@pytest.fixture
def all_pictures() -> None:
    """Draw all pictures, for tests about what they show."""


@pytest.fixture(autouse=True)
def few_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw only some pictures: of each kind the first, then every twentieth. The others repeat the one before."""
    if "all_pictures" not in request.fixturenames:
        for name in ("board", "hand"):
            monkeypatch.setattr(render, name, _sometimes(getattr(render, name)))


@pytest.fixture(autouse=True)
def rare_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for what is due as usual after something was written, and else each time after twice as long, up to about
    half an hour: hours pass often here."""
    usual, seen = Sweep.start, WeakKeyDictionary[Sweep, tuple[int, int]]()

    def start(sweep: Sweep) -> None:
        if sweep._services.ownership.shared:
            return usual(sweep)
        store: Any = sweep._services.repository._store
        writes = store._database._connection._connection.total_changes
        before, doubled = seen.get(sweep, (-1, 0))
        seen[sweep] = writes, min(doubled + 1, 6) if writes == before else 0
        sweep.stop()
        every = publisher.SWEEPS_APART * 2 ** seen[sweep][1]
        sweep._timer = asyncio.get_running_loop().call_later(every, sweep._begin)

    monkeypatch.setattr(Sweep, "start", start)


@pytest.fixture
def long_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let weeks pass quickly, without looks at all games and lists: nothing is due meanwhile that they could find."""
    monkeypatch.setattr(publisher, "SWEEPS_APART", 365 * 86_400.0)
    monkeypatch.setattr(servers, "ALL_LISTS_APART", 365 * 86_400.0)


def _sometimes(draw: Any) -> Any:
    pictures: list[bytes] = []
    calls = itertools.count()

    def instead(view: View, *given: Any, **details: Any) -> bytes:
        if not pictures or next(calls) % 20 == 0:
            pictures[:] = [draw(view, *given, **details)]
        return pictures[0]

    return instead

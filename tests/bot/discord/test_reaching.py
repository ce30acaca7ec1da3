"""Whether people could reach a game whose time is over. A single error proves no outage, and no errors put off the end
of a time forever."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord.limits import HeldBack
from bot.discord.sharding import Connections
from bot.discord.traffic import Traffic
from bot.discord.unavailable import UnavailableServers
from bot.metrics import Metrics
from bot.service.reach import FRESH, LONG_OUTAGE, UNDECIDED_AGAIN_AFTER, Undecided
from tests.bot.discord.answers import BASE, answered

HOME, AWAY = 1, 2
DAY = 86_400


class Looker:
    """Looks at a game in the channel `HOME`, in simulated time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.lost = 1e6, 0.0
        self.answers: list[int | Exception] = []
        """What Discord answers next, before it does what is asked."""
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        self.traffic = Traffic(Metrics())
        services: Any = SimpleNamespace(
            reach=SimpleNamespace(probe_by=lambda probe: None, last=self._last),
            projections=SimpleNamespace(visible=self._visible),
            ownership=SimpleNamespace(shared=False),
            now=lambda: self.now,
        )
        http = SimpleNamespace(get_channel=self._get)
        client: Any = SimpleNamespace(shard_count=1, silence=lambda shard: 0.0, hearing={0}, http=http)
        publisher: Any = SimpleNamespace(outage=SimpleNamespace(behind=lambda number: 0.0))
        store: Any = SimpleNamespace(shared=False)
        self.connections = Connections(client, services, publisher, store, self.traffic, UnavailableServers())
        self.table: Any = SimpleNamespace(
            number=1, guild=5, channel=HOME, updated=0.0, waits=(), options=SimpleNamespace(pace=3 * DAY)
        )

    async def _last(self, number: int) -> float:
        return self.lost

    async def _visible(self, number: int) -> dict[Any, Any]:
        return {}

    async def _get(self, channel: int) -> object:
        """As discord.py: an answer 500 has it try again."""
        while self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            await self.answer(answer, HOME)
            if answer != 500:
                raise discord.DiscordServerError(SimpleNamespace(status=answer, reason=""), "")
            self.now += 1.0
        await self.answer(200, HOME)
        return {}

    async def answer(self, answer: int, channel: int) -> None:
        """Have Discord answer something else."""
        await answered(self.traffic, answer, f"{BASE}/channels/{channel}/messages")

    async def look(self) -> bool | None:
        """None: it can't be told yet."""
        try:
            return await self.connections.seen(self.table)
        except Undecided:
            return None


@pytest.fixture
def looker(monkeypatch: pytest.MonkeyPatch) -> Looker:
    return Looker(monkeypatch)


@pytest.mark.parametrize("status", [502, 503, 408])
async def test_an_error_between_good_answers_changes_nothing(looker: Looker, status: int) -> None:
    """Another server's channel has it."""
    for answer in (200, status, 200):
        await looker.answer(answer, AWAY)
        looker.now += 3.0
    await looker.answer(status, AWAY)
    assert await looker.look() is True


@pytest.mark.parametrize("status", [502, 503, 408])
async def test_an_error_before_which_nothing_was_asked_puts_off_the_end_for_minutes(
    looker: Looker, status: int
) -> None:
    """It can have been the end of an outage. Errors that follow put nothing off further."""
    await looker.answer(200, AWAY)
    looker.now += 3600.0
    await looker.answer(status, AWAY)
    assert await looker.look() is None
    end = looker.now + FRESH
    while (found := await looker.look()) is None:
        assert looker.now < end
        looker.now += UNDECIDED_AGAIN_AFTER / 2
        await looker.answer(status, AWAY)
        looker.now += UNDECIDED_AGAIN_AFTER / 2
    assert found
    assert looker.now == pytest.approx(end, abs=UNDECIDED_AGAIN_AFTER)


async def test_a_look_that_succeeds_at_the_second_try_can_have_been_at_the_end_of_an_outage(looker: Looker) -> None:
    await looker.answer(200, AWAY)
    looker.now += 60.0
    looker.answers = [500]
    assert await looker.look() is None


async def test_errors_in_the_games_own_channel_count_whatever_other_channels_do(looker: Looker) -> None:
    looker.answers = [500]
    await looker.answer(200, AWAY)
    assert await looker.look() is None


@pytest.mark.parametrize(("lost", "found"), [(-1.0, None), (0.5, False), (2.0, True)])
async def test_what_is_known_of_an_outage_has_its_consequences_at_once(
    looker: Looker, lost: float, found: bool | None
) -> None:
    """It was noted before, during or after the errors."""
    looker.answers = [500]
    looker.lost = looker.now + lost
    assert await looker.look() is found


@pytest.mark.parametrize("error", [503, HeldBack(), TimeoutError()])
async def test_a_look_that_fails_once_says_nothing(looker: Looker, error: int | Exception) -> None:
    looker.answers = [error]
    assert await looker.look() is None


async def test_only_looks_that_fail_for_long_show_an_outage(looker: Looker) -> None:
    for seconds in (0.0, LONG_OUTAGE / 2):
        looker.now += seconds
        looker.answers = [503]
        assert await looker.look() is None
    looker.now += LONG_OUTAGE / 2
    looker.answers = [503]
    assert await looker.look() is False


async def test_a_request_held_back_by_this_process_shows_no_outage(looker: Looker) -> None:
    for _ in range(9):
        looker.answers = [HeldBack()]
        assert await looker.look() is None
        looker.now += UNDECIDED_AGAIN_AFTER
    assert await looker.look() is True


async def test_a_channel_that_is_gone_is_not_seen(looker: Looker) -> None:
    response: Any = SimpleNamespace(status=404, reason="")
    looker.answers = [discord.NotFound(response, {"code": 10003})]
    assert await looker.look() is False

"""Games on the web while Discord or the store can't be asked: nothing is lost, and nothing private is shown."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest

from bot.service import web
from bot.service.web import ASKED_AGAIN, HOLDS, TRIED_AGAIN, Site, TooMany, WebService
from bot.store import Unavailable
from bot.table.options import HIDDEN, LIVE
from bot.table.table import Table
from bot.web import readers
from bot.web.bounds import ASKING, BURST, Bounds
from tests.bot.playground import ANN, BOB, Playground, is_over
from tests.bot.web.visitor import ADDRESS, Stream, Visitor, choose_web, running, visiting


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for changes all the time."""
    monkeypatch.setattr(readers, "LOOK_EVERY", 0.01)
    monkeypatch.setattr("bot.web.STAY_ALIVE", 0.05)


class Discord:
    """Says whether everyone can see a game's channel, or doesn't answer (None)."""

    def __init__(self, ground: Playground) -> None:
        """It is asked from now on."""
        self.says: bool | None = True
        self.asked = 0
        self.begun = asyncio.Event()
        self.now = self.takes = 0.0
        games = WebService(ground.store, ground.services.repository, Site(True, ADDRESS), lambda: self.now)
        ground.services = replace(ground.services, web=games)
        games.open_by(self._is_open)

    async def _is_open(self, table: Table) -> bool:
        self.asked += 1
        self.begun.set()
        await asyncio.sleep(self.takes)
        if self.says is None:
            raise Unavailable("no answer")
        return self.says


async def statuses(visitor: Visitor, number: int = 1) -> list[int]:
    return [(await visitor.ask(f"/games/{number}{rest}")).status for rest in ("", "/events")]


async def test_without_an_answer_nothing_tells_whether_there_is_a_game(ground: Playground) -> None:
    """A game in a channel about which there is no answer, an unknown number, and what server or table don't show."""
    await running(ground)
    await choose_web(ground, (await ground.begun(ANN, BOB, channel=51)).number, LIVE, HIDDEN)
    discord = Discord(ground)
    discord.says = None
    async with visiting(ground) as visitor:
        assert [await statuses(visitor, number) for number in (9, 1, 2)] == [[404, 404]] * 3
        assert await ground.services.web.link(await ground.table(1)) is None
        assert discord.asked == 1, "it isn't asked with each request"
        discord.says, discord.now = True, TRIED_AGAIN + 1
        assert (await visitor.ask("/games/1")).status == 200


async def test_no_one_is_told_that_a_game_is_gone_which_could_be_seen(ground: Playground) -> None:
    await running(ground)
    discord = Discord(ground)
    async with visiting(ground) as visitor:
        assert (await visitor.ask("/games/1")).status == 200
        discord.says, discord.now = None, HOLDS + 1
        assert await statuses(visitor) == [503, 503]
        assert await ground.services.web.link(await ground.table(1)) is None


async def test_who_leaves_early_has_nothing_asked_again(ground: Playground) -> None:
    await running(ground)
    discord = Discord(ground)
    discord.says, discord.takes = None, 0.02
    for _ in range(3):
        asking = asyncio.create_task(ground.services.web.shown(1))
        await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.sleep(0.05)
    assert discord.asked == 1


async def test_a_channel_that_not_everyone_sees_is_asked_about_more_rarely(ground: Playground) -> None:
    await running(ground)
    discord = Discord(ground)
    for says, now, asked in ((True, 0, 1), (True, 61, 2), (False, 122, 3), (True, 183, 3), (True, 722, 4)):
        discord.says, discord.now = says, float(now)
        shown = await ground.services.web.shown(1)
        assert (shown is not None, discord.asked) == (says and now != 183, asked)


@pytest.mark.parametrize("takes", [0.2, 2.0])
async def test_the_time_does_not_tell_a_private_game_from_none(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, takes: float
) -> None:
    """However long Discord takes, and however many ask at the same time."""
    monkeypatch.setattr("bot.web.REFUSED_AFTER", 1.0)
    monkeypatch.setattr(web, "ANSWERED_WITHIN", 0.8)
    await running(ground)
    discord = Discord(ground)
    discord.says, discord.takes = False, takes
    async with visiting(ground) as visitor:

        async def ask(path: str) -> None:
            began = time.perf_counter()
            assert (await visitor.ask(path)).status == 404
            assert 0.95 < time.perf_counter() - began < 1.6

        for number in (1, 9):
            for rest in ("", "/events"):
                await asyncio.gather(*(ask(f"/games/{number}{rest}") for _ in range(2)))
                discord.now += ASKED_AGAIN + 1


async def test_visitors_leave_discord_to_the_games(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many games they ask for, it isn't asked about more than some; those who follow go on. A number without a
    game counts as one with a private game does."""
    monkeypatch.setattr(web, "MOST_ASKED", 3)
    await running(ground)
    for channel in range(4):
        await ground.advance((await ground.begun(ANN, BOB, target=3, channel=channel)).number, is_over)
    discord = Discord(ground)
    async with visiting(ground) as visitor:

        async def found(*numbers: int) -> list[int]:
            return [(await visitor.ask(f"/games/{number}")).status for number in numbers]

        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream:
            assert await found(2, 9, 3, 4, 9, 2, 1) == [200, 404, 503, 503, 404, 200, 200]
            assert discord.asked == 2
            discord.now = web.WITHIN + 1
            assert await found(4, 5, 9, 8) == [200, 200, 404, 503]
            discord.says, discord.now = False, ASKED_AGAIN + 1
            news = await stream.next()
            assert news is not None
            assert news.kind == "reset"


@pytest.mark.parametrize(("says", "answer"), [(True, 200), (False, 404)])
async def test_all_wait_for_the_same_question_when_the_last_answer_no_longer_holds(
    ground: Playground, says: bool, answer: int
) -> None:
    """Otherwise the first and the next visitor of a game that has become private would get different answers, unlike
    those who ask for none."""
    await running(ground)
    discord = Discord(ground)
    async with visiting(ground) as visitor:
        assert (await visitor.ask("/games/1")).status == 200
        discord.says, discord.takes, discord.now = says, 0.2, HOLDS + ASKED_AGAIN + 1
        found = await asyncio.gather(*(visitor.ask("/games/1") for _ in range(3)))
        assert [one.status for one in found] == [answer] * 3
        assert discord.asked == 2


def nothing(times: float) -> bool:
    """What a visitor can afford who has used up everything."""
    return False


async def test_what_everyone_could_see_a_minute_ago_is_shown_whatever_visitors_ask_for(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MOST_ASKED", 3)
    await running(ground)
    discord = Discord(ground)
    games = ground.services.web
    assert await games.shown(1)
    discord.now = ASKED_AGAIN + 1
    with pytest.raises(TooMany):
        await games.shown(1, afford=nothing)
    for number in range(7, 10):
        assert await games.shown(number) is None
    assert await games.shown(1, afford=nothing)
    discord.now = HOLDS + 1
    for number in range(7, 10):
        assert await games.shown(number) is None
    with pytest.raises(Unavailable):
        await games.shown(1)
    assert discord.asked == 1


async def test_a_visitor_pays_nothing_for_what_is_not_asked(ground: Playground) -> None:
    """Since someone else has just asked, or since there was no answer just now."""
    await running(ground)
    discord = Discord(ground)
    games = ground.services.web
    assert await games.shown(1)
    discord.says, discord.now, discord.takes = None, ASKED_AGAIN + 1, 0.1
    asking = asyncio.create_task(games.shown(1))
    discord.begun.clear()
    await discord.begun.wait()
    assert await games.shown(1, afford=nothing)
    assert not asking.done()
    assert await asking
    assert await games.shown(1, afford=nothing)
    discord.now += TRIED_AGAIN
    with pytest.raises(TooMany):
        await games.shown(1, afford=nothing)
    assert discord.asked == 2


async def test_few_addresses_cannot_take_all_that_visitors_can_have_asked(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.web.bounds.BURST", BURST)
    await running(ground)
    discord = Discord(ground)
    bounds = Bounds(lambda: discord.now)

    async def ask(address: str, number: int) -> Table | None:
        assert bounds.take(address)
        return await ground.services.web.shown(number, afford=lambda times: bounds.take(address, ASKING * times))

    number = 1000
    for second in range(120):
        for address in "abcde":
            with suppress(TooMany):
                await ask(address, number)
                number += 1
        discord.now = float(second + 1)
        if second % 10 == 0:
            assert await ask(f"visitor {second}", second + 2) is None
    assert number > 1060, "they do ask for many"


async def test_who_asks_again_for_a_game_keeps_no_others_from_asking(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MOST_ASKED", 3)
    await running(ground)
    discord = Discord(ground)
    games = ground.services.web
    for now in (0.0, web.WITHIN - 1):
        discord.now = now
        for number in (7, 8, 9):
            assert await games.shown(number) is None
    with pytest.raises(Unavailable):
        await games.shown(1)
    discord.now = web.WITHIN + 1
    assert await games.shown(1)


@asynccontextmanager
async def silenced(ground: Playground) -> AsyncIterator[tuple[Discord, Visitor, Stream]]:
    """Someone who follows a game, just when Discord no longer answers."""
    await running(ground)
    discord = Discord(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream:
            await asyncio.sleep(0.1)
            discord.says, discord.now = None, ASKED_AGAIN + 1
            yield discord, visitor, stream


async def test_those_who_follow_a_game_go_on_without_an_answer(ground: Playground) -> None:
    async with silenced(ground) as (discord, _, stream):
        for seed in range(2):
            await ground.step(1, random.Random(seed))
            news = await stream.next()
            assert news is not None
            assert news.kind == "more"
        assert discord.asked == 2
        assert await ground.services.web.link(await ground.table(1))
        discord.now = ASKED_AGAIN + HOLDS + 2
        assert await stream.next() is None, "not for long"


async def test_an_answer_ends_at_once_what_went_on_without_one(ground: Playground) -> None:
    async with silenced(ground) as (discord, visitor, stream):
        await ground.step(1, random.Random(1))
        assert await stream.next()
        discord.says, discord.now = False, ASKED_AGAIN + TRIED_AGAIN + 2
        news = await stream.next()
        assert news is not None
        assert news.kind == "reset"
        assert await statuses(visitor) == [404, 404]
        discord.says, discord.now = None, 2 * ASKED_AGAIN + TRIED_AGAIN + 3
        assert await statuses(visitor) == [404, 404], "the last answer was no"
        assert await ground.services.web.link(await ground.table(1)) is None


async def test_a_stream_just_ends_where_the_store_is_away(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        reader, writer = await asyncio.open_connection("127.0.0.1", visitor.website.port)
        head = f"GET /games/1/events?from={page.mark} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        writer.write(head.encode())
        await reader.readuntil(b"retry: 3000\n\n")

        async def away(number: int) -> None:
            raise Unavailable("out of reach")

        monkeypatch.setattr(ground.store, "server", away)
        async with asyncio.timeout(5):
            rest = await reader.read()
        assert b"HTTP/" not in rest
        assert b"reset" not in rest
        writer.close()

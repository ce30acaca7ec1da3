"""Following a running game: what comes, what makes the page load itself again, and how it ends."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

from bot.export import Player
from bot.page import Unfolding
from bot.page.contents import Contents
from bot.page.following import Course, Following
from bot.table.acts.options import SetOptions
from bot.table.options import HIDDEN, LIVE, ONCE_OVER
from bot.table.table import Table
from bot.web import bounds, pages, readers
from bot.web.pages import Log
from engine.actions import EndTurn, Undo
from engine.game import Game
from tests.bot.page.facts import data_of
from tests.bot.playground import ANN, DOT, EVE, Playground
from tests.bot.web.visitor import choose_web, finished, running, visiting
from tests.engine.moments import moments_of
from tests.engine.randomly import lively


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for changes all the time."""
    monkeypatch.setattr(readers, "LOOK_EVERY", 0.01)


async def test_a_page_gets_what_happens_after_it_was_made(ground: Playground) -> None:
    """Put together, page and events are the page of now."""
    await running(ground)
    rng = random.Random(3)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        data = data_of(page.body)
        async with visitor.follow(1, page.mark) as stream:
            mark = page.mark
            for _ in range(5):
                await ground.step(1, rng)
                news = await stream.next()
                assert news is not None
                assert news.kind == "more"
                data["moments"] += news.data["moments"]
                for jump, more in zip(data["jumps"], news.data["jumps"], strict=True):
                    jump["at"] += more
                now = await visitor.ask("/games/1")
                assert data == data_of(now.body)
                assert news.mark == now.mark != mark
                assert news.data["now"]["result"] in now.body.decode()
                mark = news.mark
        async with visitor.follow(1, page.mark) as stream:  # all at once
            news = await stream.next()
            assert news is not None
            assert (news.kind, news.mark) == ("more", mark)
            assert len(news.data["moments"]) == 5
        async with visitor.follow(1, "1-lost", Last_Event_ID=page.mark) as stream:  # as browsers try again
            news = await stream.next()
            assert news is not None
            assert news.mark == mark


async def test_those_who_follow_do_not_wait_for_pages(ground: Playground) -> None:
    """Not even for one of the same game, which waits until others are made."""
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream:
            assert visitor.website._pages is not None
            async with visitor.website._pages._in_turn():
                await ground.step(1, random.Random(3))
                assert await stream.next()
                waiting = asyncio.create_task(visitor.ask("/games/1"))
                await asyncio.sleep(0.05)
                await ground.step(1, random.Random(4))
                async with asyncio.timeout(2):
                    assert await stream.next()
                assert not waiting.done()
            assert (await waiting).status == 200


async def test_a_new_name_makes_a_page_load_itself_again_once(ground: Playground) -> None:
    await running(ground)
    async with visiting(ground) as visitor:
        old = await visitor.ask("/games/1")
        await ground.services.people.rename(1, ANN, "Anna")
        new = await visitor.ask("/games/1")
        assert b"Anna" in new.body
        async with visitor.follow(1, old.mark) as before, visitor.follow(1, new.mark) as after:
            news = await before.next()
            assert news is not None
            assert news.kind == "reset"
            await ground.step(1, random.Random(3))
            news = await after.next()
            assert news is not None
            assert news.kind == "more"


@pytest.mark.on_databases
async def test_what_is_undone_makes_the_page_load_itself_again(ground: Playground) -> None:
    await running(ground)
    await ground.advance(1, can_end_turn)
    async with visiting(ground) as visitor:
        before = await visitor.ask("/games/1")
        table, game = await ground.table(1), await ground.game(1)
        user = table.user_at(game, game.to_act[0])
        await ground.play(1, user, EndTurn())
        after = await visitor.ask("/games/1")
        async with visitor.follow(1, after.mark) as undone, visitor.follow(1, before.mark) as unaware:
            news = await unaware.next()
            assert news is not None
            assert news.kind == "more"
            await ground.play(1, user, Undo())
            for stream in (undone, unaware):
                news = await stream.next()
                assert news is not None
                assert news.kind == "reset"
                assert await stream.next() is None
        assert (await visitor.ask("/games/1")).mark == before.mark


def can_end_turn(game: Game) -> bool:
    return EndTurn in game.options(game.to_act[0]) and game.turn > 2


async def test_at_the_end_the_page_loads_itself_again(ground: Playground) -> None:
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream:
            await finished(ground, 1)
            news = await stream.next()
            assert news is not None
            assert news.kind == "reset"
        assert data_of((await visitor.ask("/games/1")).body, "file") is not None


async def test_a_game_that_cannot_be_seen_anymore_ends_its_streams(ground: Playground) -> None:
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream:
            await choose_web(ground, 1, LIVE, ONCE_OVER)
            news = await stream.next()
            assert news is not None
            assert news.kind == "reset"
        assert (await visitor.ask(f"/games/1/events?from={page.mark}")).status == 404


async def test_a_server_that_shows_nothing_anymore_ends_streams_at_the_next_sign_of_life(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.web.STAY_ALIVE", 0.05)
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream:
            await ground.services.servers.change(1, web=HIDDEN)
            news = await stream.next()
            assert news is not None
            assert news.kind == "reset"


async def test_a_game_that_rests_costs_its_followers_nothing(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if more games are followed than can be kept."""
    monkeypatch.setattr("bot.web.STAY_ALIVE", 0.02)
    monkeypatch.setattr(pages, "KEPT", 1)
    worked, work = list[int](), pages.Pages._course

    async def counted(self: pages.Pages, table: Table) -> Course | None:
        worked.append(table.number)
        return await work(self, table)

    monkeypatch.setattr(pages.Pages, "_course", counted)
    first, second = await running(ground), await ground.begun(DOT, EVE, channel=51)
    await ground.act(second.number, DOT, SetOptions({"web": LIVE}))
    async with visiting(ground) as visitor:
        marks = [(await visitor.ask(f"/games/{table.number}")).mark for table in (first, second)]
        async with visitor.follow(first.number, marks[0]), visitor.follow(second.number, marks[1]):
            await asyncio.sleep(0.5)
    assert sorted(worked) == [first.number, second.number]


@pytest.mark.parametrize("mark", ["", "1-0", "999-0123456789abcdef", "<script>"])
async def test_an_unknown_mark_makes_the_page_load_itself_again(ground: Playground, mark: str) -> None:
    await running(ground)
    async with visiting(ground) as visitor, visitor.follow(1, mark) as stream:
        news = await stream.next()
        assert news is not None
        assert (news.kind, news.data) == ("reset", None)
        assert stream.response.headers["Access-Control-Allow-Origin"] == "*"
        assert stream.response.headers["Content-Type"] == "text/event-stream; charset=utf-8"


async def test_what_no_one_can_see_says_nothing(ground: Playground) -> None:
    """Another turn timer is news, but not on the page: only a sign of life comes."""
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream:
            await ground.act(1, ANN, SetOptions({"pause": 5}))
            await asyncio.sleep(0.1)
            await ground.step(1, random.Random(1))
            news = await stream.next()
            assert news is not None
            assert len(news.data["moments"]) == 1


async def test_a_stop_ends_all_streams_at_once(ground: Playground) -> None:
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as one, visitor.follow(1, page.mark) as other:
            await asyncio.sleep(0.05)
            async with asyncio.timeout(0.9):
                await visitor.website.close()
            assert [await one.next(), await other.next()] == [None, None]


async def test_not_too_many_follow_from_one_address(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BY_ADDRESS", 1)
    await running(ground)
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark):
            assert (await visitor.ask("/games/1/events")).status == 429
        await asyncio.sleep(0.05)
        async with visitor.follow(1, page.mark):
            pass


def test_a_page_is_continued_only_by_one_that_begins_the_same() -> None:
    game = lively(2)

    def of(until: int, name: str = "Ann", code: str = "") -> Course:
        moments = moments_of(game.config, game.records[:40])
        contents = Contents(moments[0].view, False, [name] * game.config.players, {})
        contents.add(moments[:until])
        return Following(contents, code).now({})

    long = of(17)
    assert [long.since(of(until).mark) is not None for until in (1, 5, 17, 18)] == [True, True, True, False]
    assert long.since(of(5, code="new").mark) is None
    assert long.since(of(5, name="Bob").mark) is None
    news = json.loads(long.since(of(16).mark) or "")
    assert news["moments"] == [json.loads(moment) for moment in long.moments[16:]]
    assert [number for jump in news["jumps"] for number, _ in jump] == [16]


def test_a_page_goes_on_as_its_game_does() -> None:
    """However many records come at once, it is as if all were read at once; else it begins again."""
    for seed in range(3):
        game, at = lively(seed), 10
        players = [Player(name, color) for name, color in zip("abcdefgh", game.config.colors, strict=False)]
        log = Log("7", game.config, game.records[:at], players)
        made, rng = Unfolding(*log), random.Random(seed)
        while at < game.revision:
            at += rng.randint(1, 20)
            log = log._replace(records=game.records[:at])
            if made.go_on(*log[1:]):
                assert made.running() == Unfolding(*log).running()
            else:
                over = Game.replay(game.config, log.records).outcome is not None
                assert over or any(isinstance(record.action, Undo) for record in log.records[-20:])
                made = Unfolding(*log)
        assert not made.go_on(game.config, game.records, players[::-1])
        assert not made.go_on(game.config, game.records[1:], players)


def test_a_worker_keeps_few_games() -> None:
    game = lively(1)
    players = [Player(name, color) for name, color in zip("abcdefgh", game.config.colors, strict=False)]
    logs = [Log(str(number), game.config, game.records[:20], players) for number in range(2 * pages.GAMES)]
    made = [pages._unfolding(log) for log in logs]
    assert pages._unfolding(logs[-1]) is made[-1]
    assert pages._unfolding(logs[0]) is not made[0]
    assert len(pages._games) == pages.GAMES

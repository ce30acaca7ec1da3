"""Which games a browser can see, and how their pages are sent."""

from __future__ import annotations

import asyncio
import gzip
import logging
import random
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot import web
from bot.discord.app import site_of
from bot.export import Player
from bot.page import FOLLOWING, PROVING, Unfolding, page, policy
from bot.service.web import Site, is_shown
from bot.settings import Listen, NotNow, Settings
from bot.store import Unavailable
from bot.table.options import HIDDEN, LIVE, ONCE_OVER, stricter
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table
from bot.tasks import Worker
from bot.web import Website, bounds, pages, readers
from bot.web.bounds import Bounds, address_of
from tests.bot.playground import ANN, BOB, Playground, is_over
from tests.bot.web.visitor import ADDRESS, ANYWHERE, Answer, Visitor, choose_web, finished, running, visiting

NOTHING = "There is nothing here: no game of this number can be seen on the web.\n"
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
    "Server": "Harbormaster",
}


# --- which games


async def test_the_stricter_of_server_and_table_holds(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    for server in (HIDDEN, ONCE_OVER, LIVE):
        for own in (HIDDEN, ONCE_OVER, LIVE):
            chosen = replace(table, options=replace(table.options, web=own))
            seen = {
                status: is_shown(replace(chosen, status=status), server)
                for status in (LOBBY, CANCELLED, RUNNING, ARCHIVED, OVER)
            }
            live, never = server == own == LIVE, HIDDEN in (server, own)
            assert seen == {LOBBY: False, CANCELLED: False, RUNNING: live, ARCHIVED: live, OVER: not never}
    assert stricter("what a newer version knows", LIVE) == HIDDEN


async def test_by_default_a_game_is_seen_when_it_is_over(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, target=3)
    async with visiting(ground) as visitor:
        assert (await visitor.ask("/games/1")).status == 404
        assert await ground.services.web.link(table) is None
        await finished(ground, 1)
        assert (await visitor.ask("/games/1")).status == 200
        assert await ground.services.web.link(await ground.table(1)) == f"{ADDRESS}/games/1"


async def test_games_in_direct_messages_are_never_seen(ground: Playground) -> None:
    table = await running(ground)
    async with visiting(ground):
        web = ground.services.web
        assert await web.link(table)
        assert await web.link(replace(table, guild=None)) is None


async def test_games_in_private_channels_are_never_seen(ground: Playground) -> None:
    """The front says which those are; it isn't asked about every request."""
    table, asked = await running(ground), list[int]()

    async def is_open(table: Table) -> bool:
        asked.append(table.channel)
        return False

    async with visiting(ground) as visitor:
        assert (await visitor.ask("/games/1")).status == 200
        ground.services.web.open_by(is_open)
        assert [(await visitor.ask(path)).status for path in ("/games/1", "/games/1/events", "/games/1")] == [404] * 3
        assert await ground.services.web.link(table) is None
        assert asked == [table.channel]


async def test_without_a_site_nothing_is_seen_or_linked(ground: Playground) -> None:
    table = await running(ground)
    assert await ground.services.web.shown(table.number) is None
    assert await ground.services.web.link(table) is None


def test_a_process_knows_of_pages_that_another_one_serves() -> None:
    """So its servers and tables can choose what is seen there."""
    assert site_of(Settings(pages_address=ADDRESS, database="postgresql://it/games")) == Site(True, ADDRESS)
    assert site_of(Settings(pages=ANYWHERE)) == Site(True, "")
    assert site_of(Settings(pages_address=ADDRESS)) == Site(False, ADDRESS), "a file is for one process"


async def test_what_cannot_be_seen_looks_as_if_it_were_not_there(ground: Playground) -> None:
    """An unknown number, a lobby, a game that the server or the table doesn't show, and whatever else is asked."""
    await running(ground)
    await ground.lobby(ANN, BOB, channel=51)
    async with visiting(ground) as visitor:
        assert (await visitor.ask("/games/1")).status == 200
        unknown = await visitor.ask("/games/999")
        assert (unknown.status, unknown.body.decode()) == (404, NOTHING)
        for server, own in ((LIVE, ONCE_OVER), (ONCE_OVER, LIVE), (HIDDEN, LIVE)):
            await choose_web(ground, 1, server, own)
            for path in ("/games/1", "/games/1/events?from=1-0"):
                assert same(await visitor.ask(path)) == same(unknown)
        await choose_web(ground, 1, LIVE, LIVE)
        for path in ("/", "/games", "/games/", "/games/1/", "/games/01", "/games/-1", "/games/2", "/games/1/event",
                     "/metrics", "/healthz", "/readyz", "/games/%2e%2e/1", "/games/1000000000000000",
                     "/games/1%0a", "/%0a", "/games/1%0d%0aX: 1"):  # fmt: skip
            assert same(await visitor.ask(path)) == same(unknown), path
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert same(await visitor.ask("/games/1", method)) == same(unknown)


def same(answer: Answer) -> tuple[object, ...]:
    """An answer without its time."""
    return answer.status, {name: value for name, value in answer.headers.items() if name != "Date"}, answer.body


def players_of(table: Table) -> list[Player]:
    return [Player(member.name, member.color) for member in table.members]


# --- how they are sent


async def test_a_finished_game_is_sent_as_its_page(ground: Playground) -> None:
    await running(ground)
    await finished(ground, 1)
    async with visiting(ground) as visitor:
        answer = await visitor.ask("/games/1")
        assert answer.body == page(await ground.services.games.export(1))
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["Content-Security-Policy"] == policy(PROVING)
        assert "frame-ancestors" not in policy(PROVING)
        assert answer.headers["Cache-Control"] == "no-cache"
        assert EVERYWHERE.items() <= answer.headers.items()
        assert "Set-Cookie" not in answer.headers
        assert "X-Frame-Options" not in answer.headers
        packed = await visitor.ask("/games/1", Accept_Encoding="br, gzip")
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.body) == answer.body
        assert len(packed.body) < len(answer.body) / 3
        assert "Content-Encoding" not in (await visitor.ask("/games/1", Accept_Encoding="gzip;q=0, br")).headers
        assert "Access-Control-Allow-Origin" not in answer.headers, "other sites can't read it"
        head = await visitor.ask("/games/1", "HEAD")
        assert (head.status, head.body) == (200, b"")
        assert head.headers["Access-Control-Allow-Origin"] == "*", "but its own frame can ask whether it is there"
        assert int(head.headers["Content-Length"]) == len(answer.body)


async def test_a_page_that_a_browser_has_is_not_sent_again(ground: Playground) -> None:
    await running(ground)
    async with visiting(ground) as visitor:
        first = await visitor.ask("/games/1")
        again = await visitor.ask("/games/1", If_None_Match=first.headers["Etag"])
        assert (again.status, again.body) == (304, b"")
        assert again.headers["Etag"] == first.headers["Etag"]
        assert again.headers["Content-Security-Policy"] == policy(FOLLOWING)
        await ground.advance(1, lambda game: game.turn > 4)
        changed = await visitor.ask("/games/1", If_None_Match=first.headers["Etag"])
        assert changed.status == 200
        assert changed.headers["Etag"] != first.headers["Etag"]


async def test_a_running_game_is_sent_as_onlookers_see_it(ground: Playground) -> None:
    table = await running(ground)
    game = await ground.game(1)
    async with visiting(ground) as visitor:
        made = Unfolding("1", game.config, game.records, players_of(table)).running()
        assert (await visitor.ask("/games/1")).body == made.data


async def test_all_who_ask_at_once_get_a_page_that_is_made_once(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0

    def counted(*values: Any) -> Unfolding:
        nonlocal made
        made += 1
        return Unfolding(*values)

    monkeypatch.setattr(pages, "Unfolding", counted)
    pages._games.clear()
    await running(ground)
    async with visiting(ground) as visitor:
        answers = await asyncio.gather(*(visitor.ask("/games/1") for _ in range(8)))
        assert {answer.status for answer in answers} == {200}
        assert made == 1


async def test_the_store_can_be_away(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    await running(ground)
    async with visiting(ground) as visitor:

        async def away(number: int) -> None:
            raise Unavailable("out of reach")

        monkeypatch.setattr(ground.store, "server", away)
        answer = await visitor.ask("/games/1")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
        assert "out of reach" not in answer.body.decode()


async def test_until_the_store_is_open_nothing_can_be_shown() -> None:
    async with Website(ANYWHERE, lambda: None, Worker()) as website:
        port = website.port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /games/1 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        assert b" 503 " in await reader.readline()
        writer.close()
        with pytest.raises(NotNow, match=f"^HARBORMASTER_PAGES: 127.0.0.1:{port} can't be listened on: "):
            await Website(Listen("127.0.0.1", port), lambda: None, Worker()).__aenter__()


async def test_answers_followers_and_what_is_made_are_counted(ground: Playground) -> None:
    await running(ground)
    read = ground.services.metrics.registry.get_sample_value
    async with visiting(ground) as visitor:
        page = await visitor.ask("/games/1")
        await visitor.ask("/games/1", If_None_Match=page.headers["Etag"])
        for path in ("/games/9", "/games/9/events", "/metrics"):
            await visitor.ask(path)
        async with visitor.follow(1, page.mark):
            assert read("harbormaster_web_followers") == 1
        await finished(ground, 1)
        await visitor.ask("/games/1")
    counted = {("page", 200): 2, ("page", 304): 1, ("page", 404): 1, ("events", 404): 1, ("other", 404): 1}
    for (kind, status), count in ({("events", 200): 1} | counted).items():
        assert read("harbormaster_web_answers_total", {"kind": kind, "status": str(status)}) == count
    for kind in ("running", "change", "finished"):
        assert read("harbormaster_web_making_seconds_count", {"kind": kind}) == 1
    assert read("harbormaster_web_followers") == 0


# --- bounds


async def test_an_address_cannot_ask_without_end(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "BURST", 2 * (1.0 + bounds.ASKING) + 1.0)
    monkeypatch.setattr(bounds, "PER_SECOND", 0.0)
    async with visiting(ground) as visitor:
        assert [(await visitor.ask("/games/1")).status for _ in range(5)] == [404] * 2 + [429] * 3
        assert (await visitor.ask("/games/1", X_Forwarded_For="192.0.2.1, 198.51.100.7")).status == 404


async def test_an_address_cannot_have_pages_made_without_end(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it asks for few, but each time for another game: others get theirs meanwhile."""
    monkeypatch.setattr(bounds, "BURST", 2 * bounds.ASKING + 4.0)
    monkeypatch.setattr(bounds, "PER_SECOND", 0.0)
    for channel in range(3):
        await ground.advance((await ground.begun(ANN, BOB, target=3, channel=channel)).number, is_over)
    async with visiting(ground) as visitor:
        assert [(await visitor.ask(f"/games/{n}")).status for n in (1, 2, 1, 3, 1)] == [200, 200, 200, 429, 429]
        assert (await visitor.ask("/games/3", X_Forwarded_For="198.51.100.7")).status == 200


async def test_an_address_cannot_have_running_games_read_without_end(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is new in one is made from all of it, unless it has just been made."""
    monkeypatch.setattr(bounds, "BURST", bounds.ASKING + 3.0)
    monkeypatch.setattr(bounds, "PER_SECOND", 0.0)
    await running(ground)
    async with visiting(ground) as visitor:

        async def begin(**headers: str) -> int:
            return (await visitor.ask("/games/1/events", "HEAD", **headers)).status

        assert [await begin(), await begin()] == [200, 200]
        await ground.step(1, random.Random(1))
        assert [await begin(), await begin(X_Forwarded_For="198.51.100.7")] == [429, 200]


async def test_a_connection_without_a_request_is_closed(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "ASK_WITHIN", 0.2)
    await running(ground)
    async with visiting(ground) as visitor:
        silent, _ = await asyncio.open_connection("127.0.0.1", visitor.website.port)
        slow, writer = await asyncio.open_connection("127.0.0.1", visitor.website.port)
        writer.write(b"GET /games/1 HTTP/1.1\r\nHost: x\r\n")  # and no end
        page = await visitor.ask("/games/1")
        async with visitor.follow(1, page.mark) as stream, asyncio.timeout(5):
            assert await silent.read() == await slow.read() == b""
            await ground.step(1, random.Random(1))
            assert await stream.next(), "who has asked stays connected"


async def test_who_does_not_take_an_answer_is_cut_off(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also if what is left of it fits into a buffer: a page, and then the end of a stream."""
    monkeypatch.setattr(web, "SEND_WITHIN", 0.2)
    monkeypatch.setattr(readers, "LOOK_EVERY", 0.01)
    await running(ground)
    async with visiting(ground) as visitor:
        server = served_sparingly(visitor.website)
        mark = (await visitor.ask("/games/1")).mark
        async with lazy(visitor, "/games/1"):
            await until(lambda: len(server.connections) == 1)
        await ground.advance(1, lambda game: game.turn > 40)
        async with lazy(visitor, f"/games/1/events?from={mark}"):
            assert len(server.connections) == 2
            await choose_web(ground, 1, LIVE, HIDDEN)
            await until(lambda: len(server.connections) == 1)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def served_sparingly(website: Website) -> Any:
    """The website's server, of whose answers the system takes only a little at a time."""
    runner = website._runner
    assert runner is not None
    [site] = runner.sites
    [listening] = site._server.sockets  # type: ignore[union-attr]
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return runner.server


@asynccontextmanager
async def lazy(visitor: Visitor, path: str) -> AsyncIterator[None]:
    """Someone who asks for something and doesn't read it."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", visitor.website.port))
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        await asyncio.sleep(0.1)
        yield


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_only_some_pages_wait_to_be_made(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are told so at once, and those who follow games don't wait for them."""
    monkeypatch.setattr(pages, "MOST_MADE", 2)
    for channel in range(4):
        await ground.advance((await ground.begun(ANN, BOB, target=3, channel=channel)).number, is_over)
    async with visiting(ground) as visitor:
        answers = await asyncio.gather(*(visitor.ask(f"/games/{n}") for n in (1, 2, 3, 4, 1)))
        assert sorted(answer.status for answer in answers) == [200, 200, 200, 503, 503]
        assert {(await visitor.ask(f"/games/{n}")).status for n in (1, 2, 3, 4)} == {200}


def test_requests_come_back_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "BURST", 3.0)
    now = 0.0
    found = Bounds(lambda: now)
    assert [found.take("a") for _ in range(4)] == [True] * 3 + [False]
    now = 0.25
    assert [found.take("a"), found.take("a"), found.take("b")] == [True, False, True]


def test_streams_are_counted_while_they_last() -> None:
    found = Bounds()
    with ExitStack() as stack:
        assert all(stack.enter_context(found.stream("a")) for _ in range(bounds.MOST_BY_ADDRESS))
        with found.stream("a") as more, found.stream("b") as other:
            assert (more, other) == (False, True)
    with found.stream("a") as again:
        assert again


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("8.8.8.8", (), "8.8.8.8"),
        ("8.8.8.8", ("1.1.1.1",), "8.8.8.8"),  # no proxy of ours: anyone can write that
        ("127.0.0.1", ("192.0.2.1, 198.51.100.7",), "198.51.100.7"),
        ("127.0.0.1", ("192.0.2.1", "198.51.100.7"), "198.51.100.7"),  # a proxy that adds a line of its own
        ("10.0.0.2", ("nonsense",), "10.0.0.2"),
        ("::ffff:127.0.0.1", ("::ffff:198.51.100.7",), "198.51.100.7"),
        ("::1", ("2001:db8:1:2:3:4:5:6",), "2001:db8:1:2::/64"),
        (None, (), "None"),
    ],
)
def test_behind_a_proxy_the_address_is_the_one_that_it_has_seen(
    peer: str | None, forwarded: Sequence[str], address: str
) -> None:
    assert address_of(peer, forwarded) == address

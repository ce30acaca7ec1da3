"""Forged requests: whatever is sent, a game that can't be seen isn't shown, and nothing breaks."""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote

import pytest

from bot.table.acts.options import SetOptions
from bot.table.options import HIDDEN
from tests.bot.playground import DOT, EVE, Playground
from tests.bot.web.visitor import Visitor, running, visiting
from tests.wire.wild import NUMBERS, TEXTS

ANSWERS = {200, 304, 400, 404, 413, 414, 429, 431}
"""Statuses that forged requests can be answered with."""
METHODS = (*("GET",) * 40, *("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "X", ""))
HEADERS = ("Last-Event-ID", "If-None-Match", "Accept-Encoding", "Range", "Cookie", "Host", "Transfer-Encoding", "X", "")
VALUES = (*TEXTS, *NUMBERS, "*", 'W/"*"', "gzip;q=x", "chunked", "bytes=0-9")
VERSIONS = (*("1.1",) * 40, "1.0", "2", "", "x")


def forged(rng: random.Random, shown: int, hidden: int) -> bytes:
    """A request, mostly for a game that can't be seen."""
    number = rng.choice((str(shown), *(str(hidden),) * 4, *NUMBERS))
    text = rng.choice((*TEXTS, *NUMBERS))
    path = rng.choice(
        (
            *(
                f"/games/{number}",
                f"/games/{number}/events",
                f"/games/{number}/events?from={quote(text, errors='replace')}",
            ),
            *(
                f"/games/{shown}/../{number}",
                f"/games/{shown}%2F..%2F{number}",
                f"//games/{number}",
                f"/games//{number}",
            ),
            *(
                f"/games/{shown}?number={number}",
                f"/games/{number}#/games/{shown}",
                f"/games/{number}/{quote(text, errors='replace')}",
            ),
            *(
                f"/GAMES/{number}",
                f"/games/%3{number}",
                f"http://else.example/games/{number}",
                text,
                f"/{quote(text, errors='replace')}",
            ),
        )
    )
    lines = [f"{rng.choice(METHODS)} {path} HTTP/{rng.choice(VERSIONS)}", "Host: here"]
    lines += [f"{rng.choice(HEADERS)}: {rng.choice(VALUES)}" for _ in range(rng.choice((0, 0, 0, 0, 1, 2)))]
    lines.append(f"X-Forwarded-For: 9.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}")
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("utf-8", "replace")


def is_whole(request: bytes, answer: bytes) -> bool:
    """Whether there is nothing more to wait for: the connection can stay open, and a stream goes on."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: ([0-9]+)", head)
    if not end or request.startswith(b"HEAD") or b" 304 " in head[:20]:
        return bool(end)
    return b"\n\n" in body if length is None else len(body) >= int(length[1])


async def sent(visitor: Visitor, request: bytes) -> tuple[int, bytes]:
    """Send bytes. Returns the status of the answer (0: none, the connection was closed) and the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", visitor.website.port)
    try:
        writer.write(request)
        answer = b""
        async with asyncio.timeout(5):
            while not is_whole(request, answer) and (chunk := await reader.read(1 << 16)):
                answer += chunk
    except ConnectionError:
        pass
    finally:
        writer.close()
    return int(answer.split(None, 2)[1]) if answer.startswith(b"HTTP/") else 0, answer


@pytest.mark.parametrize(("seed", "times"), [(0, 300), pytest.param(1, 5000, marks=pytest.mark.soak)])
async def test_forged_requests_show_no_game_that_cannot_be_seen(
    ground: Playground,
    caplog: pytest.LogCaptureFixture,
    record_property: Callable[[str, object], None],
    seed: int,
    times: int,
) -> None:
    rng = random.Random(seed)
    shown, hidden = await running(ground), await ground.begun(DOT, EVE, channel=51)
    await ground.act(hidden.number, DOT, SetOptions({"web": HIDDEN}))
    seeds = [(await ground.store.seed(number)).hex().encode() for number in (hidden.number, shown.number)]
    before, answers = await ground.table(hidden.number), Counter[int]()
    async with visiting(ground) as visitor:
        page = (await visitor.ask(f"/games/{shown.number}")).body
        assert re.search(rb"\bAnn\b", page)
        assert f'"number":"{shown.number}"'.encode() in page
        for _ in range(times):
            request = forged(rng, shown.number, hidden.number)
            status, answer = await sent(visitor, request)
            answers[status] += 1
            assert status in {*ANSWERS, 0}, (seed, request, answer[:300])
            assert not re.search(rb'\bDot\b|"number":"%d"' % hidden.number, answer), (seed, request)
            assert not any(secret in answer for secret in seeds), (seed, request)
    record_property("forged web requests", times)
    print(answers)
    assert await ground.table(hidden.number) == before
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info]


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("Content-Length: 9", b""),  # and no end
        ("Transfer-Encoding: chunked", b"zz\r\n"),
        ("Content-Encoding: gzip\r\nContent-Length: 99", b"z" * 50),
    ],
)
async def test_a_body_is_not_waited_for(
    ground: Playground, caplog: pytest.LogCaptureFixture, head: str, body: bytes
) -> None:
    """Nor unpacked."""
    async with visiting(ground) as visitor:
        for method in ("GET", "POST"):
            reader, writer = await asyncio.open_connection("127.0.0.1", visitor.website.port)
            writer.write(f"{method} /games/1 HTTP/1.1\r\nHost: here\r\n{head}\r\n\r\n".encode())
            assert b" 404 " in await reader.readline()
            writer.write(body)
            async with asyncio.timeout(1):
                with suppress(ConnectionError):
                    await reader.read()
            writer.close()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info]

"""The thread next to the event loop: the addresses it answers, and that it notices a stuck loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable

import pytest

from bot.metrics import Metrics
from bot.monitoring import health
from bot.monitoring.health import FINE, Checkup, Health, Watch
from bot.settings import Listen, SettingsError

ANY = Listen("127.0.0.1", 0)


class Bench:
    """A watch of the test's own loop."""

    def __init__(self) -> None:
        self.finding = FINE
        self.ended: list[str] = []
        self.metrics = Metrics()
        self.health = Health({"store": self.look}, self.metrics, lambda: None)

    async def look(self) -> Checkup:
        return self.finding

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[Watch]:
        async with Watch(self.health, self.metrics, self.ended.append, ANY) as watcher:
            await asyncio.sleep(0.01)
            yield watcher


def ask(port: int, path: str) -> tuple[int, str]:
    """Request a page; the loop stands still meanwhile. Returns status and text."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def stick(seconds: float) -> None:
    """Block the loop."""
    time.sleep(seconds)


def stick_until(until: Callable[[], bool]) -> None:
    """Block the loop until something holds."""
    end = time.monotonic() + 10.0
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the loop's heart beat every hundredth of a second."""
    monkeypatch.setattr(health, "BEAT", 0.01)


async def test_the_pages_say_whether_harbormaster_is_ready() -> None:
    bench = Bench()
    async with bench.watching() as watcher:
        assert ask(watcher.port, "/readyz") == (200, "loop: ok\nstore: ok\n")
        bench.finding = Checkup("the disk is full")
        await bench.health.look()
        assert ask(watcher.port, "/readyz") == (503, "loop: ok\nstore: the disk is full\n")
        assert ask(watcher.port, "/healthz") == (200, "loop: ok\n")
        status, text = ask(watcher.port, "/metrics")
        assert (status, 'harbormaster_check_ok{check="store"} 0.0' in text) == (200, True)
        bench.health.stop()
        assert ask(watcher.port, "/readyz") == (503, "loop: ok\nstore: Harbormaster is stopping\n")
    with pytest.raises(urllib.error.URLError):
        ask(watcher.port, "/healthz")


async def test_a_stuck_event_loop_is_noticed_and_the_process_ended(quick: None) -> None:
    bench = Bench()
    async with bench.watching() as watcher:
        await asyncio.sleep(0.1)
        assert bench.ended == []
        stick_until(lambda: ask(watcher.port, "/healthz")[0] == 503)
        assert ask(watcher.port, "/healthz")[1].startswith("loop: the event loop has been stuck for")
        assert ask(watcher.port, "/readyz")[0] == 503
        stick_until(lambda: bool(bench.ended))
        await asyncio.sleep(0.1)
        assert ask(watcher.port, "/healthz")[0] == 200


async def test_the_lag_of_the_event_loop_is_measured(quick: None) -> None:
    bench = Bench()
    async with bench.watching():
        await asyncio.sleep(0.05)
        stick(0.1)
        await asyncio.sleep(0.05)
    read = bench.metrics.registry.get_sample_value
    count = read("harbormaster_event_loop_lag_seconds_count")
    assert count is not None
    assert count >= 3
    assert (read("harbormaster_event_loop_lag_seconds_sum") or 0.0) > 0.05


async def test_without_an_address_nothing_listens() -> None:
    bench = Bench()
    async with Watch(bench.health, bench.metrics, bench.ended.append) as watcher:
        assert watcher.port == 0


async def test_a_port_in_use_is_refused_with_a_sentence_and_leaves_no_thread() -> None:
    bench = Bench()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = Listen("127.0.0.1", other.getsockname()[1])
        with pytest.raises(SettingsError, match=f"HARBORMASTER_HTTP: {address} can't be listened on: "):
            async with Watch(bench.health, bench.metrics, bench.ended.append, address):
                pass
    assert "watch" not in {thread.name for thread in threading.enumerate()}


async def test_a_request_that_cannot_be_read_is_no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with Bench().watching() as watcher:
        for junk in (
            b"GET / HTTP/x\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\nHost: \x00hand\r\n\r\n",
            b"\x16\x03\r\n\r\n",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", watcher.port)
            writer.write(junk)
            assert b" 400 " in await reader.readline()
            writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", watcher.port)
        writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n")
        assert b" 404 " in await reader.readline()
        writer.write(b"a hand")
        async with asyncio.timeout(1):
            with contextlib.suppress(ConnectionError):
                await reader.read()
        writer.close()
    assert {record.levelno for record in caplog.records if record.name == "aiohttp.server"} == {logging.INFO}
    assert "hand" not in caplog.text.replace("handl", "")

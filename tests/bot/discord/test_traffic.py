"""How requests to Discord are counted, and what the bot knows of Discord's time."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
import yarl

from bot.discord.traffic import Traffic, answer_of, kind_of
from bot.metrics import Metrics

BASE = "https://discord.com/api/v10"


@pytest.mark.parametrize(
    ("method", "url", "kind"),
    [
        ("POST", f"{BASE}/interactions/123/a-token/callback", "POST interactions/callback"),
        ("PATCH", f"{BASE}/webhooks/123/a-token/messages/@original", "PATCH webhooks/messages"),
        ("POST", f"{BASE}/channels/123/messages", "POST channels/messages"),
        ("PUT", f"{BASE}/applications/123/commands", "PUT applications/commands"),
        ("GET", f"{BASE}/gateway/bot", "GET gateway/bot"),
        ("GET", "https://cdn.example/secret.png", "GET other"),
        ("GET", "wss://gateway.discord.gg/?v=10&encoding=json", "gateway"),
    ],
)
def test_a_request_kind_contains_no_id_or_token(method: str, url: str, kind: str) -> None:
    assert kind_of(method, yarl.URL(url)) == kind


@pytest.mark.parametrize(("status", "answer"), [(200, "2xx"), (204, "2xx"), (404, "4xx"), (429, "429"), (503, "5xx")])
def test_answers_are_grouped_by_status_class(status: int, answer: str) -> None:
    assert answer_of(status) == answer


@pytest.mark.parametrize(
    ("url", "status", "calm"),
    [
        (f"{BASE}/channels/123", 500, False),
        (f"{BASE}/channels/123", 503, False),
        (f"{BASE}/channels/123", 408, False),
        (f"{BASE}/channels/123", None, False),
        (f"{BASE}/channels/123", 404, True),
        (f"{BASE}/channels/123", 429, True),
        ("wss://gateway.discord.gg/?v=10", 503, True),
        ("wss://gateway.discord.gg/?v=10", None, True),
    ],
)
async def test_only_failures_of_discords_api_end_the_calm(url: str, status: int | None, calm: bool) -> None:
    traffic = Traffic(Metrics())
    assert traffic.calm > 1e9, "nothing has failed yet"
    params: Any = SimpleNamespace(method="GET", url=yarl.URL(url), response=SimpleNamespace(status=status, headers={}))
    if status is None:
        await traffic._failed(None, SimpleNamespace(), params)
    else:
        await traffic._answered(None, SimpleNamespace(), params)
    assert (traffic.calm > 1e9) == calm


async def test_discords_time_does_not_depend_on_the_machines_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = Traffic(Metrics())
    assert traffic.now() == pytest.approx(time.time(), abs=5), "nobody has said another"
    answer = SimpleNamespace(status=200, headers={"Date": "Fri, 02 Jan 2026 00:00:00 GMT"})
    params: Any = SimpleNamespace(method="GET", url=yarl.URL(BASE), response=answer)
    await traffic._answered(None, SimpleNamespace(), params)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert traffic.now() == pytest.approx(1_767_312_000, abs=5)

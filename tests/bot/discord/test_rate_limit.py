"""A process's share of the requests that Discord grants a bot."""

from __future__ import annotations

import pytest
import yarl

from bot.discord.rate_limit import LONGEST, WINDOW, RateLimit, is_counted


def test_no_second_has_more_requests_than_the_share() -> None:
    limit, now, sent = RateLimit(7), 0.0, []
    for n in range(200):
        sent.append(now + limit.wait(now))
        now += 0.1 if n % 50 else 1.3
    assert sent == sorted(sent)
    for first, next_ in zip(sent, sent[7:], strict=False):
        assert next_ - first >= WINDOW - 1e-9


def test_no_request_waits_while_there_is_room() -> None:
    limit = RateLimit(3)
    assert [limit.wait(n) for n in range(100)] == [0.0] * 100
    assert [limit.wait(200.0) for _ in range(5)] == [0.0, 0.0, 0.0, WINDOW, WINDOW]


def test_processes_divide_the_rate_limit() -> None:
    limit = RateLimit(8)
    limit.divide(4)
    assert [limit.wait(0.0) for _ in range(6)] == [0.0, 0.0, WINDOW, WINDOW, 2 * WINDOW, 2 * WINDOW]
    limit.divide(1)
    assert [limit.wait(0.0) for _ in range(4)] == [2 * WINDOW] * 4  # none overtakes those before
    limit.divide(20)
    assert limit.wait(50.0) == 0.0
    assert limit.wait(50.0) == WINDOW


def test_a_request_that_would_wait_too_long_takes_no_place() -> None:
    limit = RateLimit(2)
    taken = [limit.wait(0.0) for _ in range(2 * int(LONGEST) + 2)]
    assert max(taken) == LONGEST
    for _ in range(100):
        with pytest.raises(TimeoutError):
            limit.wait(0.0)
    assert limit.wait(1.0) == LONGEST


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("http://proxy:3000/api/v10/channels/1/messages", True),
        ("https://discord.com/api/v10/users/@me/channels", True),
        ("https://discord.com/api/v10/interactions/1/token/callback", False),
        ("https://discord.com/api/v10/webhooks/1/token/messages/@original", False),
        ("wss://gateway.discord.gg/?v=10", False),
    ],
)
def test_interactions_and_the_gateway_dont_count(path: str, counts: bool) -> None:
    assert is_counted(yarl.URL(path)) is counts

"""A process's share of the requests that Discord grants a bot."""

from __future__ import annotations

import pytest
import yarl

from bot.discord.pace import LONGEST, WINDOW, Pace, is_counted


def test_never_more_than_the_share_in_any_second() -> None:
    pace, now, sent = Pace(7), 0.0, []
    for n in range(200):
        sent.append(now + pace.wait(now))
        now += 0.1 if n % 50 else 1.3
    assert sent == sorted(sent)
    for first, next_ in zip(sent, sent[7:], strict=False):
        assert next_ - first >= WINDOW - 1e-9


def test_nobody_waits_while_there_is_room() -> None:
    pace = Pace(3)
    assert [pace.wait(n) for n in range(100)] == [0.0] * 100
    assert [pace.wait(200.0) for _ in range(5)] == [0.0, 0.0, 0.0, WINDOW, WINDOW]


def test_processes_divide_what_there_is() -> None:
    pace = Pace(8)
    pace.divide(4)
    assert [pace.wait(0.0) for _ in range(6)] == [0.0, 0.0, WINDOW, WINDOW, 2 * WINDOW, 2 * WINDOW]
    pace.divide(1)
    assert [pace.wait(0.0) for _ in range(4)] == [2 * WINDOW] * 4  # nobody overtakes those before
    pace.divide(20)
    assert pace.wait(50.0) == 0.0
    assert pace.wait(50.0) == WINDOW


def test_who_would_wait_too_long_takes_no_place() -> None:
    pace = Pace(2)
    taken = [pace.wait(0.0) for _ in range(2 * int(LONGEST) + 2)]
    assert max(taken) == LONGEST
    for _ in range(100):
        with pytest.raises(TimeoutError):
            pace.wait(0.0)
    assert pace.wait(1.0) == LONGEST


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
def test_interactions_and_the_gateway_have_limits_of_their_own(path: str, counts: bool) -> None:
    assert is_counted(yarl.URL(path)) is counts

"""When something that has failed is tried again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.discord.show.channels import Backoff, ends_elsewhere

AGAIN = Backoff((1.0, 2.0), (1.0, 60.0, 600.0))


def answered(status: int) -> discord.HTTPException:
    """The error of a request that Discord has answered with this status."""
    return discord.HTTPException(cast(Any, SimpleNamespace(status=status, reason="")), "")


OUTAGE, REFUSAL, LIMIT, BUG = answered(503), answered(403), discord.RateLimited(45.0), KeyError()


@pytest.mark.parametrize(
    ("error", "waits"),
    [
        (None, [0.0, 1.0, 2.0, 2.0, 2.0]),
        (OUTAGE, [0.0, 1.0, 2.0, 2.0, 2.0]),
        (TimeoutError(), [0.0, 1.0, 2.0, 2.0, 2.0]),
        (REFUSAL, [0.0, 1.0, 60.0, 600.0, 600.0]),
        (BUG, [0.0, 1.0, 60.0, 600.0, 600.0]),
        (LIMIT, [45.0] * 5),
    ],
)
def test_waits_grow_with_the_failures_and_a_limit_says_its_own(error: Exception | None, waits: list[float]) -> None:
    assert [AGAIN.after(failures, error) for failures in range(5)] == waits


def test_without_waits_of_its_own_a_refusal_waits_like_an_outage() -> None:
    assert Backoff((1.0, 2.0)).after(9, REFUSAL) == 2.0


def test_only_an_outage_is_over_when_another_request_succeeds() -> None:
    assert [ends_elsewhere(error) for error in (OUTAGE, TimeoutError(), REFUSAL, LIMIT, BUG)] == [
        True,
        True,
        False,
        False,
        False,
    ]

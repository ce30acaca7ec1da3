"""A gateway that brings no events is logged, whatever is known of its heartbeats."""

from __future__ import annotations

import asyncio
import logging
from math import inf, nan

import pytest

from bot.discord.connecting import Pulse


@pytest.mark.parametrize(
    ("latency", "said"),
    [(0.0416, "although the latest heartbeat took 42 ms"), (inf, "nor a heartbeat"), (nan, "nor a heartbeat")],
)
async def test_silence_is_logged_with_the_latest_heartbeat(
    latency: float, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    pulse = Pulse(lambda: latency, 0.01)
    with caplog.at_level(logging.WARNING):
        pulse.beat()
        async with asyncio.timeout(5.0):
            while len(caplog.messages) < 2:  # noqa: ASYNC110 (it comes again when the silence has doubled)
                await asyncio.sleep(0.01)
    pulse.close()
    assert caplog.messages[0] == f"No event from Discord for 0 s, {said}"

"""How many more sessions Discord allows: with none left, it ends all of them and resets the token."""

from __future__ import annotations

import asyncio
import logging

from discord.http import HTTPClient

log = logging.getLogger(__name__)

RESERVE = 20
"""Number of Discord's sessions per day that are kept for the host, who might have to start Harbormaster again."""
LOOK_AGAIN = 600.0
"""Most seconds until Discord is asked again whether it allows more."""


async def session_in(http: HTTPClient) -> float:
    """Ask Discord in how many seconds a new session can begin: only Discord knows how many sessions other processes and
    earlier starts have begun."""
    limits = (await http.get_bot_gateway())[2]
    if limits["remaining"] > RESERVE:
        return 0.0
    wait: float = limits["reset_after"] / 1000.0 + 1.0
    log.error(
        "Discord allows only %d more sessions for the next %.0f minutes, which are kept in reserve: Harbormaster was "
        "started or cut off too often, and waits.",
        limits["remaining"],
        wait / 60.0,
    )
    return min(wait, LOOK_AGAIN)


async def wait_for_session(http: HTTPClient) -> None:
    """Wait until a new session can begin."""
    wait = await session_in(http)
    while wait:
        await asyncio.sleep(wait)
        wait = await session_in(http)

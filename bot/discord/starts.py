"""How many more sessions Discord allows: with none left it ends all of them, and takes the token away."""

from __future__ import annotations

import asyncio
import logging

from discord.http import HTTPClient

log = logging.getLogger(__name__)

RESERVE = 20
"""Of the sessions that Discord allows in a day, those that are left to the host, who may have to start the bot anew."""
LOOK_AGAIN = 600.0
"""Seconds after which Discord is asked again whether there may be more."""


async def session_in(http: HTTPClient) -> float:
    """In how many seconds a new session may begin. Discord is asked: it alone knows how many others, and earlier
    starts, have begun."""
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


async def room(http: HTTPClient) -> None:
    """Wait until a new session may begin."""
    wait = await session_in(http)
    while wait:
        await asyncio.sleep(wait)
        wait = await session_in(http)

"""What Discord says about its gateway: how many shards there are, and how many more sessions it allows. With none left,
it ends all of them and resets the token."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import discord
from discord.http import HTTPClient

log = logging.getLogger(__name__)

RESERVE = 20
"""Number of Discord's sessions per day that are kept for the host, who might have to start Harbormaster again."""
LOOK_AGAIN = 600.0
"""Most seconds until Discord is asked again whether it allows more."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """Discord's answer about its gateway."""

    shards: int
    """How many shards there should be."""
    concurrency: int
    """How many sessions can begin at a time."""
    remaining: int
    """How many more sessions can begin."""
    reset: float
    """Seconds until more can."""


async def ask(http: HTTPClient) -> Gateway:
    """Ask Discord about its gateway. Raises Discord's errors, and `ValueError` if the answer can't be read."""
    try:
        shards, _, limits = await http.get_bot_gateway()
        remaining, reset = int(limits["remaining"]), limits["reset_after"] / 1000.0
        return Gateway(int(shards), int(limits["max_concurrency"]), remaining, reset)
    except discord.GatewayNotFound as error:  # discord.py's name for whatever Discord has answered
        raise error.__cause__ or error from None
    except (KeyError, TypeError) as error:
        raise ValueError(f"Discord's answer about the gateway can't be read ({error!r})") from None


async def session_in(http: HTTPClient) -> float:
    """Ask Discord in how many seconds a new session can begin: only Discord knows how many sessions other processes and
    earlier starts have begun. Raises as `ask` does."""
    gateway = await ask(http)
    if gateway.remaining > RESERVE:
        return 0.0
    wait = gateway.reset + 1.0
    log.error(
        "Discord allows only %d more sessions for the next %.0f minutes, which are kept in reserve: Harbormaster was "
        "started or cut off too often, and waits.",
        gateway.remaining,
        wait / 60.0,
    )
    return min(wait, LOOK_AGAIN)

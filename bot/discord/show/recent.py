"""Things that are remembered for a while, or wait for a while, by Discord's clock."""

from __future__ import annotations

from math import inf
from typing import Any

import discord
from cachetools import TTLCache

from bot.service import orders


def now() -> float:
    """Seconds since the epoch by Discord's clock, which a simulated Discord moves."""
    return discord.utils.utcnow().timestamp()


def acted_by(since: float) -> float:
    """Seconds until an order of somebody whom a game has waited for since then would have acted, if there were one."""
    return since + orders.HASTE[1] + 1 - now()


def recent(seconds: float) -> TTLCache[Any, Any]:
    """A value for each key, forgotten so many seconds after it was noted."""
    return TTLCache(inf, seconds, timer=now)

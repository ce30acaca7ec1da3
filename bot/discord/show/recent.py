"""Remembering and waiting for a limited time, by discord.py's clock (`now`)."""

from __future__ import annotations

from math import inf
from typing import Any

import discord
from cachetools import TTLCache

from bot.service import orders


def now() -> float:
    """Seconds since the epoch by discord.py's clock: this machine's, or one that a simulated Discord moves."""
    return discord.utils.utcnow().timestamp()


def acted_by(since: float) -> float:
    """Seconds until an autopilot would have acted, if a player whom the game has awaited since then had one."""
    return since + orders.DELAY[1] + 1 - now()


def recent(seconds: float) -> TTLCache[Any, Any]:
    """A cache that forgets each value so many seconds after it was set."""
    return TTLCache(inf, seconds, timer=now)

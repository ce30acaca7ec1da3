"""When something that could not be shown is tried again."""

from __future__ import annotations

import discord

from bot.discord.show import channels

RETRY = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0)
"""Seconds until the next try after a failure, growing."""
LONGER = (60.0, 120.0, 300.0, 600.0)
"""Seconds until the tries after those, for a failure that is no outage: a refusal by Discord, or a bug."""
APART = 5.0
"""Least seconds between two tries, however often another request succeeds."""


def limit_of(error: Exception) -> float:
    """Seconds for which a rate limit lasts that a request has met; 0: it has met none."""
    return error.retry_after if isinstance(error, discord.RateLimited) else 0.0


def ends_elsewhere(error: Exception) -> bool:
    """Whether an error is an outage, which is over as soon as any other request succeeds."""
    return channels.is_outage(error) and not limit_of(error)


def wait_after(error: Exception, failures: int) -> float:
    """Seconds until the next try after this many failures in a row, of which `error` is the latest."""
    if limit := limit_of(error):
        return limit
    waits = RETRY if ends_elsewhere(error) else RETRY + LONGER
    return waits[min(failures, len(waits)) - 1]

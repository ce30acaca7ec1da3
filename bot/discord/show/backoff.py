"""When something that has failed is tried again."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.discord.show import channels


def limit_of(error: BaseException) -> float:
    """Seconds for which a rate limit lasts that a request has met; 0: it has met none."""
    return error.retry_after if isinstance(error, discord.RateLimited) else 0.0


def ends_elsewhere(error: BaseException) -> bool:
    """Whether an error is an outage, which is over as soon as any other request succeeds."""
    return channels.is_outage(error) and not limit_of(error)


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds until the next try, by how many in a row have failed; the last wait repeats. A rate limit says itself how
    long it lasts."""

    outage: tuple[float, ...]
    refusal: tuple[float, ...] = ()
    """The waits if it is no outage, but a refusal by Discord, or a bug; empty: the same ones."""

    def after(self, failures: int, error: BaseException | None = None) -> float:
        """Seconds until the next try after this many failures in a row, of which `error` is the latest."""
        if error is not None and (limit := limit_of(error)):
            return limit
        waits = self.refusal if self.refusal and error is not None and not channels.is_outage(error) else self.outage
        return waits[min(failures, len(waits)) - 1] if failures else 0.0

"""Times, as each reader's own clock shows them."""

from __future__ import annotations

from math import ceil

from bot.words.language import _


def until(at: float | None) -> str:
    """When the window for answers closes (seconds since the epoch); None: nothing."""
    if at is None:
        return ""
    moment = ceil(at)
    return _("Answers close {soon} ({time}).", soon=f"<t:{moment}:R>", time=f"<t:{moment}:t>")

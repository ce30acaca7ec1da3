"""Times, as each reader's own clock shows them."""

from __future__ import annotations

from math import ceil

from bot.words.language import _


def until(at: float | None) -> str:
    """When the window for answers closes (`at` in seconds since the epoch); empty for None."""
    if at is None:
        return ""
    moment = ceil(at)
    return _("Answers close {soon} ({time}).", soon=f"<t:{moment}:R>", time=f"<t:{moment}:t>")

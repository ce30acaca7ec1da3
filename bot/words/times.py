"""Spans of time, in words and as typed; and what happens when time is over."""

from __future__ import annotations

import re

from bot.plaintext import Typed
from bot.table.options import DAY, DECIDE, HOUR, MINUTE, REMIND, VOTE
from bot.words.language import N_, _, n_, sentences
from engine.errors import RefereeError

AFTERWARDS = {
    REMIND: N_("reminders only"),
    DECIDE: N_("the simplest move is made for them"),
    VOTE: N_("a vote for a bot"),
}
"""What happens when time is over, within a sentence."""
_UNITS = {"m": MINUTE, "min": MINUTE, "h": HOUR, "hr": HOUR, "d": DAY, "w": 7 * DAY}
_LONG = {"second": 1, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY}
_PART = re.compile(r"\s*([0-9]{1,4}(?:\.[0-9])?|an?(?=\s)|one(?=\s)|two(?=\s))\s*([a-z]+)\s*(?:,|and)?")
_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2}
_NONE = ("none", "no", "no limit", "0", "off")


def span(seconds: float) -> str:
    """ "2 days", "1 hour 30 minutes", "5 minutes"; rounded to minutes."""
    minutes = max(round(seconds / MINUTE), 0)
    days, rest = divmod(minutes, DAY // MINUTE)
    hours, left = divmod(rest, HOUR // MINUTE)
    parts = [
        n_("{n} day", "{n} days", days) if days else "",
        n_("{n} hour", "{n} hours", hours) if hours else "",
        n_("{n} minute", "{n} minutes", left) if left or not minutes else "",
    ]
    return sentences(parts)


def about(seconds: float) -> str:
    """A span, rounded to days or hours if there are at least two of them."""
    unit = next((unit for unit in (DAY, HOUR) if seconds >= 2 * unit), MINUTE)
    return span(round(seconds / unit) * unit)


def pace(seconds: int) -> str:
    """A turn timer: "1 day", or "no timer"."""
    return span(seconds) if seconds else _("no timer")


def coded(seconds: int) -> str:
    """A time as every language reads it: "#86400"."""
    return f"#{seconds}"


def typed(text: str) -> int:
    """The seconds that are meant by "2 days", "1h 30m" or "none", or by a suggestion. Code: "pace"."""
    said = text.strip().casefold()
    if coded_ := re.fullmatch(r"#([0-9]{1,9})", said):
        return int(coded_[1])
    if said in (*_NONE, _("no timer")):
        return 0
    seconds = at = 0
    while found := _PART.match(said, at):
        unit = _UNITS.get(found[2]) or _UNITS.get(found[2].removesuffix("s")) or _LONG.get(found[2].removesuffix("s"))
        if unit is None:
            break
        seconds += round((_WORDS.get(found[1]) or float(found[1])) * unit)
        at = found.end()
    if at < len(said) or not at:
        raise RefereeError("pace/typed", typed=Typed(text))
    return seconds

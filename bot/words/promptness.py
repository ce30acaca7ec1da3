"""How fast people decide, in words."""

from __future__ import annotations

from bot.table.promptness import Promptness
from bot.words.language import N_, _

_CLASSES = {
    Promptness.HOUR: N_("usually within an hour"),
    Promptness.HOURS: N_("usually within a few hours"),
    Promptness.DAY: N_("usually within a day"),
    Promptness.LONGER: N_("usually takes more than a day"),
    Promptness.LATE: N_("often runs out of time"),
}


def in_words(promptness: Promptness) -> str:
    """ "usually within an hour", where it is clear what it is about."""
    return _(_CLASSES[promptness])


def own_line(promptness: Promptness) -> str:
    """A line about a person whose name stands above."""
    return _("In games over days: **{usually}**", usually=in_words(promptness))


def said_of(name: str, promptness: Promptness) -> str:
    """A sentence about a person."""
    return _("{name} in games over days: {usually}.", name=name, usually=in_words(promptness))

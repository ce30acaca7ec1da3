"""The dice as text."""

from __future__ import annotations

from bot.words.language import _, n_
from bot.words.marks import listing
from engine.views import View


def dice(view: View) -> str:
    """The number of rolls and the most frequent sums, in one line."""
    total, most = sum(view.rolls[2:13]), max(view.rolls[2:13])
    if not total:
        return _("No dice have been rolled yet.")
    often = _times([str(number) for number in range(2, 13) if view.rolls[number] == most], most)
    return n_(
        "**The dice:** {n} roll; most often {often}.",
        "**The dice:** {n} rolls; most often {often}.",
        total,
        often=often,
    )


def _times(numbers: list[str], n: int) -> str:
    """Which sums came how often: "8 (30 times)", "3 and 4 (once each)"."""
    each, sums = len(numbers) > 1, listing(numbers)
    if n == 1:
        return _("{numbers} (once each)", numbers=sums) if each else _("{numbers} (once)", numbers=sums)
    if n == 2:
        return _("{numbers} (twice each)", numbers=sums) if each else _("{numbers} (twice)", numbers=sums)
    if each:
        return n_("{numbers} ({n} time each)", "{numbers} ({n} times each)", n, numbers=sums)
    return n_("{numbers} ({n} time)", "{numbers} ({n} times)", n, numbers=sums)

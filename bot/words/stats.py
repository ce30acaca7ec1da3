"""The dice so far against what was to be expected, as text."""

from __future__ import annotations

from engine.board import pips
from engine.view import View

_WIDTH = 16
"""Characters of the longest bar."""


def dice(view: View) -> str:
    """A line per sum, 2 to 12: how often it was rolled, a bar, and how often it was to be expected."""
    total = sum(view.rolls[2:13])
    if not total:
        return "No dice have been rolled yet."
    most = max(view.rolls[2:13])
    lines = []
    for number in range(2, 13):
        n = view.rolls[number]
        bar = "█" * round(_WIDTH * n / most) if n else ""
        expected = total * _chance(number)
        lines.append(f"{number:>2} {n:>3}× {bar:<{_WIDTH}} {expected:>5.1f}")
    head = f"{total} rolls" if total != 1 else "1 roll"
    return f"**The dice so far** · {head}; at the right, how often each was to be expected\n" + _block(lines)


def _chance(number: int) -> float:
    """The chance of a sum of two dice."""
    return (6 if number == 7 else pips(number)) / 36


def _block(lines: list[str]) -> str:
    return "\n".join(["```", *lines, "```"])

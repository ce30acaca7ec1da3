"""The dice so far against what was to be expected, as text."""

from __future__ import annotations

from bot.presentation.texts.marks import count, listing
from engine.board import pips
from engine.views import View


def dice(view: View) -> str:
    """In one line how many rolls there were, and what came most often; all of it is in `numbers`."""
    total, most = sum(view.rolls[2:13]), max(view.rolls[2:13])
    if not total:
        return "No dice have been rolled yet."
    often = listing(str(number) for number in range(2, 13) if view.rolls[number] == most)
    times = "once" if most == 1 else "twice" if most == 2 else f"{most} times"
    return f"**The dice so far:** {count(total, 'roll')}; most often {often}, {times}{' each' * (' ' in often)}."


def numbers(view: View) -> str:
    """How often each sum was rolled and was to be expected: the picture of the dice in words."""
    total = sum(view.rolls[2:13])
    parts = [f"{n}: {view.rolls[n]} ({total * _chance(n):.1f})" for n in range(2, 13)]
    return (
        f"The dice so far, {count(total, 'roll')}: how often each sum came, and was to be expected. {', '.join(parts)}."
    )


def _chance(number: int) -> float:
    """The chance of a sum of two dice."""
    return (6 if number == 7 else pips(number)) / 36

"""The dice so far against what was to be expected, as text."""

from __future__ import annotations

from bot.presentation.texts.language import _, n_
from bot.presentation.texts.marks import listing
from engine.board import pips
from engine.views import View


def dice(view: View) -> str:
    """In one line how many rolls there were, and what came most often; all of it is in `numbers`."""
    total, most = sum(view.rolls[2:13]), max(view.rolls[2:13])
    if not total:
        return _("No dice have been rolled yet.")
    often = _times([str(number) for number in range(2, 13) if view.rolls[number] == most], most)
    return n_(
        "**The dice so far:** {n} roll; most often {often}.",
        "**The dice so far:** {n} rolls; most often {often}.",
        total,
        often=often,
    )


def _times(numbers: list[str], n: int) -> str:
    """What came how often: "8, 30 times", "3 and 4, once each"."""
    each, sums = len(numbers) > 1, listing(numbers)
    if n == 1:
        return _("{numbers}, once each", numbers=sums) if each else _("{numbers}, once", numbers=sums)
    if n == 2:
        return _("{numbers}, twice each", numbers=sums) if each else _("{numbers}, twice", numbers=sums)
    if each:
        return n_("{numbers}, {n} time each", "{numbers}, {n} times each", n, numbers=sums)
    return n_("{numbers}, {n} time", "{numbers}, {n} times", n, numbers=sums)


def numbers(view: View) -> str:
    """How often each sum was rolled and was to be expected: the picture of the dice in words."""
    total = sum(view.rolls[2:13])
    return n_(
        "The dice so far, {n} roll: how often each sum came, and was to be expected. {parts}.",
        "The dice so far, {n} rolls: how often each sum came, and was to be expected. {parts}.",
        total,
        parts=", ".join(f"{sum_}: {view.rolls[sum_]} ({total * _chance(sum_):.1f})" for sum_ in range(2, 13)),
    )


def _chance(number: int) -> float:
    """The chance of a sum of two dice."""
    return (6 if number == 7 else pips(number)) / 36

"""What is written in pictures; whoever has one drawn brings the words, in the language of its readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class FigureWords(NamedTuple):
    """Those of a game in figures."""

    title: str
    """Who has won, or how far the game is."""
    detail: str
    """By what, and when."""
    points: str
    course: str
    """Over the lines of points by turn."""
    rolls: str
    """Over the dice."""
    expected: str
    """Beside the mark of what was to be expected."""
    robberies: str
    """Over who took how many cards from whom."""
    thief: str
    """Over those who took them: "who"."""
    source: str
    """Before those from whom they were taken: "from"."""
    cards: str
    """Over what became of everybody's resource cards."""
    ways: Mapping[str, str]
    """By the fields of an `Account`, and "held"."""


class CostWords(NamedTuple):
    """Of a thing that can be built or bought: its name, and what it counts."""

    name: str
    worth: str


class HandWords(NamedTuple):
    """Of a hand: what stands below each kind of card, and on those that are new."""

    resources: Sequence[str]
    """In the order of `RESOURCES`."""
    cards: Sequence[str]
    """Development cards, in the order of `CARDS`."""
    fresh: Sequence[str]
    """By development card: that it, or so many of them, can't be played yet; empty where none is new."""

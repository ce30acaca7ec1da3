"""What is written in pictures; whoever has one drawn brings the words, in the language of its readers."""

from __future__ import annotations

from typing import NamedTuple


class EndWords(NamedTuple):
    """Those of the end of a game."""

    title: str
    """Who has won."""
    detail: str
    """By what, and when."""
    points: str
    counts: tuple[str, str, str, str]
    """Cards made, taken from others, lost to others, traded."""
    course: str
    """Over the lines of points by turn."""
    rolls: str
    """Over the dice."""


class DiceWords(NamedTuple):
    """Those of the dice so far."""

    title: str
    expected: str
    """Beside the mark of what was to be expected."""


class CostWords(NamedTuple):
    """Of a thing that can be built or bought: its name, and what it counts."""

    name: str
    worth: str

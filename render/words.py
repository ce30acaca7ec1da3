"""The words in pictures. The caller passes them in the language of the readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class FigureWords(NamedTuple):
    """The words in the stats of a game."""

    title: str
    """Who has won, or how far the game is."""
    detail: str
    """How and when the winner won, or the round of a running game."""
    points: str
    course: str
    """Heading of the chart of points by turn."""
    rolls: str
    """Heading of the chart of dice."""
    expected: str
    """Label of the mark for the expected count."""
    robberies: str
    """Heading of the robberies table: who took how many cards from whom."""
    thief: str
    """Label of its rows, the players who took cards: "who"."""
    source: str
    """Label of its columns, the players who lost cards: "from"."""
    cards: str
    """Heading of the table of resource cards."""
    ways: Mapping[str, str]
    """Labels of its rows, by the field of an `Account`, and by "held"."""


class CostWords(NamedTuple):
    """The words for a thing that can be built or bought: its name, and what it is worth."""

    name: str
    worth: str


class HandWords(NamedTuple):
    """The words in a hand: below each kind of card, and on new ones."""

    resources: Sequence[str]
    """In the order of `RESOURCES`."""
    cards: Sequence[str]
    """Development cards, in the order of `CARDS`."""
    fresh: Sequence[str]
    """By development card: a note that it, or how many of them, can't be played yet; empty if none is new."""

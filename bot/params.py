"""Parameters of refusals that only the bot has; the engine's stand in `engine.refusals`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.resources import Hand


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the program, to be said in the reader's language: a colour, the title of a scenario."""

    text: str
    capital: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """Several things in a sentence, joined by "and", or where one of them is meant by "or"."""

    items: Sequence[str]
    choice: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the program, one after the other with commas."""

    words: Sequence[str]


@dataclass(frozen=True, slots=True)
class Signs:
    """Resource cards with their signs: "2 🐑 wool and 1 🪨 ore"."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody typed, to be said back to them."""

    text: str
    limit: int = 20

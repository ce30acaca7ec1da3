"""Refusals, declared next to the rules that they come from: each states its key and its sentence once.

    NO_LAND = refusal("no-land", "{place} touches no land.")
    raise NO_LAND(place="C4")

The small types below are parameters of sentences. They can be said in other languages, or with names instead of colors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Generic, TypeVar

from engine.errors import SENTENCES, ConfigError, IllegalAction, RefereeError
from engine.resources import RESOURCES, Hand, describe

E = TypeVar("E", bound=RefereeError)


class Refusal(Generic[E]):
    """A reason to refuse. Called with the values of its sentence, it makes the error."""

    def __init__(self, key: str, one: str, many: str = "", *, error: type[E]) -> None:
        if key in SENTENCES:
            raise ValueError(f"two refusals are called {key}")
        SENTENCES[key] = one, many or one
        self.key, self.error = key, error
        self.fields = {name for _, name, _, _ in Formatter().parse(one + many) if name}

    def __call__(self, **params: object) -> E:
        if missing := self.fields - params.keys():
            raise TypeError(f"{self.key} speaks of {sorted(missing)}")
        return self.error(self.key, **params)


def refusal(key: str, one: str, many: str = "") -> Refusal[IllegalAction]:
    """A reason to refuse an action. `many`: the sentence where `n` isn't 1."""
    return Refusal(key, one, many, error=IllegalAction)


def config_refusal(key: str, sentence: str) -> Refusal[ConfigError]:
    """A reason to refuse a configuration."""
    return Refusal(key, sentence, error=ConfigError)


def joined(items: Iterable[str], choice: bool) -> str:
    """Items in English: "a, b and c", or "a, b or c"; there is at least one."""
    *others, last = items
    return f"{', '.join(others)} {'or' if choice else 'and'} {last}" if others else last


@dataclass(frozen=True, slots=True)
class CardList:
    """Resource cards in a sentence: "2 wool and 1 ore"."""

    hand: Hand

    def __str__(self) -> str:
        return describe(self.hand)


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource in a sentence: "wool"."""

    kind: int

    def __str__(self) -> str:
        return RESOURCES[self.kind]


@dataclass(frozen=True, slots=True)
class Player:
    """A player in a sentence: by color, because the engine knows no names."""

    seat: int
    color: str

    def __str__(self) -> str:
        return self.color


@dataclass(frozen=True, slots=True)
class Players:
    """Several players in a sentence: "red and blue", or with "or" if one of them is to be chosen."""

    players: Sequence[Player]
    choice: bool = False

    def __str__(self) -> str:
        return joined(map(str, self.players), self.choice)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the program, to be translated for the reader: a color, the title of a scenario."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the program, separated by commas."""

    words: Sequence[str]

    def __str__(self) -> str:
        return ", ".join(self.words)


@dataclass(frozen=True, slots=True)
class Listed:
    """Several things in a sentence, joined by "and", or by "or" if one of them is meant."""

    items: Sequence[str]
    choice: bool = False

    def __str__(self) -> str:
        return joined(self.items, self.choice)


@dataclass(frozen=True, slots=True)
class Hex:
    """A hex in a sentence, by its name: "3.2"."""

    at: int
    name: str

    def __str__(self) -> str:
        return self.name

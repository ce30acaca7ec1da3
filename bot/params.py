"""Parameters of refusals that only `bot/` has. The engine's are in `engine.refusals`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.resources import Hand


@dataclass(frozen=True, slots=True)
class Signs:
    """Resource cards with their signs: "2 🐑 wool and 1 🪨 ore"."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class Typed:
    """What a person typed, to be quoted to them."""

    text: str
    limit: int = 20


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time: "2 hours 5 minutes"."""

    seconds: float

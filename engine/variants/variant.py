"""What an alternate rule is: metadata for the lobby, and the functions with which it changes the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.data import Data
from engine.state import Rules


@dataclass(frozen=True, slots=True)
class Variant:
    """An alternate rule. `data` changes the numbers; `patch` changes the tables of moves, narrowings and reactions."""

    id: str
    title: str
    summary: str
    """One sentence for the lobby."""
    topic: str
    """The topic of the rules that it belongs to: "turn", "building", "cards", "robber", "trade" or "secrets"."""
    data: Callable[[Data], Data] = lambda data: data
    patch: Callable[[Rules], None] = lambda rules: None
    excludes: tuple[str, ...] = ()

"""A game's configuration, chosen before anything is drawn and kept next to the log."""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = 6
"""Version of the rules' behavior that new games get; a running game keeps its own."""

EDITIONS = ("2007", "1996")
LAYOUTS = ("spiral", "random", "balanced")
COLORS = ("red", "blue", "white", "orange", "green", "brown", "purple", "teal")
"""The eight player colors (A1)."""


@dataclass(frozen=True, slots=True)
class Config:
    """A game's configuration. `engine.scenarios.check` refuses what can't be played (section A).

    `colors` has one of `COLORS` per player, in the order of joining; its length is the number of players.
    `options` are the scenario's own choices as (name, value). `round_limit` 0 means none (I6).
    """

    colors: tuple[str, ...]
    scenario: str = "base"
    edition: str = "2007"
    variants: tuple[str, ...] = ()
    target: int = 10
    layout: str = "spiral"
    options: tuple[tuple[str, str], ...] = ()
    shuffle_seats: bool = True
    round_limit: int = 0
    answer_time: int = 3600
    """Seconds that players have to answer in `knight-interrupt` (L8)."""
    request_time: int = 0
    """Seconds for late requests before a special building phase (J2); 0: there is no window for them."""
    format: int = FORMAT

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.colors)

    def option(self, name: str, default: str) -> str:
        """The value of a scenario's option."""
        return dict(self.options).get(name, default)

"""What a scenario is: what the lobby shows of it, its rule data, and how its board is dealt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.board import Board
from engine.config import COLORS, LAYOUTS, Config
from engine.data import Data

Draw = Callable[[str, int], int]
"""`draw(kind, n)`: a number below n, from the game's provable chance; boards use the kind "board"."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a scenario offers in the lobby: `choices` are (value, one phrase on what it does, or nothing)."""

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]
    usual: str = ""
    """The value if none is chosen; if empty, the first choice."""
    only_with: tuple[str, str] | None = None
    """(name, value) of another option of the scenario: this one is offered only when that one has that value."""

    def of(self, config: Config) -> str:
        """The value chosen in a configuration."""
        return config.option(self.name, self.usual or self.choices[0][0])


@dataclass(frozen=True, slots=True)
class StartPiece:
    """A settlement and its road, by id, with which a color starts on a fixed board."""

    color: str
    settlement: int
    road: int
    yields: bool
    """Whether it is the marked settlement, which yields the starting cards (A2)."""


def anything_goes(config: Config) -> None:
    """The `check` of scenarios whose options can all be combined."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario: metadata for the lobby, its data, and how its board is dealt."""

    id: str
    title: str
    summary: str
    """One sentence for the lobby."""
    players: tuple[int, ...]
    """Possible numbers of players."""
    deal: Callable[[Config, Draw], Board]
    """Deals the board; a pure function of configuration and draws."""
    data: Callable[[Config, Data], Data]
    """Changes the rule data: bank, deck, discard limit, … (the edition is already applied)."""
    layouts: tuple[str, ...] = LAYOUTS
    """Token layouts that can be chosen (B5); empty: the scenario has its own."""
    options: tuple[Option, ...] = ()
    check: Callable[[Config], None] = anything_goes
    """Raises `ConfigError` if the chosen options can't be combined."""
    start: tuple[StartPiece, ...] = ()
    """Pieces on the board at the start. With them, there is no setup phase (B7)."""
    colors: tuple[str, ...] = COLORS
    """Colors that can be played."""
    bridges: bool = False
    """Whether bridges can be built (K4)."""
    larger: str = ""
    """Id of the most similar scenario for more players; empty: there is none."""
    full_table_colors: tuple[str, ...] = ()
    """Colors that are played only with the largest number of players (B7)."""

    def offered(self, config: Config) -> tuple[Option, ...]:
        """The options that can be chosen, given the values of the others."""
        values = {option.name: option.of(config) for option in self.options}
        return tuple(o for o in self.options if o.only_with is None or values[o.only_with[0]] == o.only_with[1])

    def colors_for(self, players: int) -> tuple[str, ...]:
        """Colors that can be played by that many players."""
        left_out = self.full_table_colors if players < max(self.players) else ()
        return tuple(color for color in self.colors if color not in left_out)

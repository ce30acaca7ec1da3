"""What goes into the service and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from bot.models import Table
from engine.events import Event
from engine.game import Game
from engine.views import View


class Options(TypedDict, total=False):
    """What can be chosen in the lobby; left out: as it was. See `engine.config.Config`."""

    scenario: str
    edition: str
    variants: Sequence[str]
    target: int
    layout: str
    options: Mapping[str, str]
    shuffle_seats: bool
    round_limit: int
    answer_time: int
    anyone_starts: bool


@dataclass(frozen=True, slots=True)
class Played:
    """An accepted action, stored. `events` are what it did as the player may see it."""

    table: Table
    """After the action; mark what you show of it with `table.version`."""
    game: Game
    """After the action; never changes (a later action makes another `Game`). When repeated: the latest."""
    seat: int
    revision: int
    """Number of records with this action."""
    events: tuple[Event, ...]
    repeated: bool
    """The interaction had been carried out before; this is its earlier result."""

    @property
    def view(self) -> View:
        """The game as the player may see it."""
        return self.game.view(self.seat)

"""What somebody looks for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.resources import Hand


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody looks for between their turns, as all see it. It binds nobody."""

    user: int
    want: Hand
    give: Hand
    """What they would give for it; `NOTHING`: they haven't said."""
    turn: int
    """How many turns of their own had begun: with the next one it is over."""

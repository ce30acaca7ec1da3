"""A request: what a player is looking for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.resources import Hand


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player is looking for between their turns. All see it; it binds no one."""

    user: int
    want: Hand
    give: Hand
    """What they would give for it; `NOTHING`: they haven't said."""
    turn: int
    """How many of their own turns had begun. With the next one, the request is over."""

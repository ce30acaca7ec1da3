"""What somebody has decided before, in one game, and what was done by it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Done:
    """What was done for somebody by an order of theirs."""

    turn: int
    order: str
    about: int = 0
    """Id of the offer that was declined."""
    revision: int = 0
    """Of the views before it."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What somebody has decided before, in one game: their secret."""

    user: int
    roll: bool = False
    """Whether the dice are rolled for them, unless they could play a card first."""
    end: bool = False
    """Whether their turn is ended when they can't build, buy, play a card or trade with the bank, and nothing may
    come of an offer any more."""
    keep: tuple[int, ...] | None = None
    """Kinds of resources that they keep as long as they can when they must discard; None: they choose themselves."""
    never: tuple[int, ...] = ()
    """Kinds of resources of which they decline all offers."""
    refused: tuple[int, ...] = ()
    """Users of whom they do."""
    least: int = 0
    """How many cards an offer must give for each that it wants, or they decline it; 0: any."""
    building: tuple[str, ...] = ()
    """Keys of `BUILDS`: in this game's special building phases a pass is given for them while they can have none of
    these (J2); empty: as in their settings."""
    done: tuple[Done, ...] = ()
    """What was done of late, in order."""


@dataclass(frozen=True, slots=True)
class ChangedOrders:
    """Other orders of somebody in a game."""

    before: Orders | None
    """From which they were made; None: whatever they were."""
    after: Orders

"""Tables that tests of several sections begin with."""

from __future__ import annotations

from typing import Any

from engine.actions import MakeOffer
from tests.engine.builder import Seat, Table, cards, seat, table


def trading(edition: str = "2007") -> Table:
    """Three players, with some of everything among them."""
    return table(
        seat(settlements="B4", roads="c4", hand="bbww", cards="km"),
        seat(hand="ol"),
        seat(hand="og"),
        edition=edition,
    )


def offer(give: str, want: str, to: tuple[int, ...] = (), answers: int = -1) -> MakeOffer:
    """An offer, its cards as letters."""
    return MakeOffer(cards(give), cards(want), to, answers)


def later(t: Table) -> Table:
    """Move the table to the second round, so that all players have had a turn."""
    t.state.round = 2
    return t


def five(*seats: Seat, standing: int = 0, **config: Any) -> Table:
    """Five players of `extension`. By default no player is called to build by their number of cards (`standing`)."""
    filled = [*seats, *[seat()] * (5 - len(seats))]
    t = table(*filled, **{"scenario": "extension", **config})
    t.state.standing = [standing] * 5
    return t

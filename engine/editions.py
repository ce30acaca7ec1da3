"""The editions of the rules (A2): what differs between printings, as changes of the rule data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.data import DECK_25, DECK_34, Data


def edition_2007(data: Data) -> Data:
    """The printing of 2007: 19 of each resource, 25 development cards, a strict bank and strict trades."""
    return replace(
        data,
        bank=19,
        deck=DECK_25,
        lone_claim_paid=True,
        same_resource_trades=False,
        may_decline_card=False,
    )


def edition_1996(data: Data) -> Data:
    """The printing of 1996: 24 of each resource, 34 development cards, freer trades, a mild robber."""
    return replace(
        data,
        bank=24,
        deck=DECK_34,
        lone_claim_paid=False,
        same_resource_trades=True,
        may_decline_card=True,
    )


EDITIONS: dict[str, Callable[[Data], Data]] = {"2007": edition_2007, "1996": edition_1996}
"""All editions by id, the default first; applied before the scenario's own changes."""

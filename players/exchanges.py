"""Trades with the bank that pay for something."""

from __future__ import annotations

from collections.abc import Iterator

from engine.resources import Hand, hand


def exchanges(have: list[int], cost: Hand, rates: list[int]) -> Iterator[tuple[Hand, Hand]]:
    """Trades with the bank, as (give, get), after which a price can be paid; none is larger than needed."""
    get = [max(0, cost[r] - have[r]) for r in range(5)]
    lots = sum(get)
    spare = [max(0, have[r] - cost[r]) // rates[r] for r in range(5)]
    if not 0 < lots <= sum(spare):
        return
    for chosen in _split(lots, spare, 0):
        yield hand(chosen[r] * rates[r] for r in range(5)), hand(get)


def _split(lots: int, spare: list[int], at: int) -> Iterator[list[int]]:
    """Ways to take that many lots out of what is spare, from the resource `at` on."""
    if at == 4:
        if lots <= spare[4]:
            yield [0, 0, 0, 0, lots]
        return
    for n in range(min(lots, spare[at]) + 1):
        for way in _split(lots - n, spare, at + 1):
            way[at] = n
            yield way

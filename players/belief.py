"""What a seat knows of another's cards: the hands that it may hold, and its development cards on average."""

from __future__ import annotations

from collections.abc import Iterable

from engine.resources import Hand, covers, hand

WAYS = 8
"""Hands of another that are told apart: the likeliest ones, as if there were no others."""


class Belief:
    """Another's cards, as far as they are known; unchangeable."""

    __slots__ = ("_gained", "_robbed", "development", "ways")

    def __init__(self, ways: Iterable[tuple[Hand, float]], development: tuple[float, ...]) -> None:
        """`ways`: hands, at least one, and how likely each is next to the others."""
        best = sorted(ways, key=_likeliest)[:WAYS]
        total = sum([likely for _, likely in best])
        self.ways: tuple[tuple[Hand, float], ...] = tuple([(cards, likely / total) for cards, likely in best])
        """Hands, and how likely each is: together 1."""
        self.development = development
        """Unplayed development cards by kind, on average."""
        self._robbed: dict[int, Belief] = {}
        self._gained: dict[Hand, Belief] = {}

    def drawn(self, resource: int) -> float:
        """How likely a card drawn from the hand is of a resource, 0 to 1."""
        return sum([likely * cards[resource] / sum(cards) for cards, likely in self.ways if cards[resource]])

    def robbed(self, resource: int) -> Belief:
        """What is known after a card was drawn from the hand and is of a resource."""
        found = self._robbed.get(resource)
        if found is None:
            ways = []
            for cards, likely in self.ways:
                if cards[resource]:
                    left = [*cards]
                    left[resource] -= 1
                    ways.append((hand(left), likely * cards[resource] / sum(cards)))
            found = self._robbed[resource] = Belief(ways, self.development)
        return found

    def gained(self, cards: Hand) -> Belief:
        """What is known after cards that all saw came to the hand."""
        found = self._gained.get(cards)
        if found is None:
            ways = [(hand([a + b for a, b in zip(held, cards, strict=True)]), likely) for held, likely in self.ways]
            found = self._gained[cards] = Belief(ways, self.development)
        return found

    def traded(self, give: Hand, get: Hand) -> Belief | None:
        """What is known after the hand gave some cards for others; None if it can't have held them."""
        ways = []
        for held, likely in self.ways:
            if covers(held, give):
                ways.append((hand([held[r] - give[r] + get[r] for r in range(5)]), likely))
        return Belief(ways, self.development) if ways else None

    def stripped(self, resource: int) -> Belief:
        """What is known after all cards of a resource have gone from the hand."""
        found: dict[Hand, float] = {}
        for cards, likely in self.ways:
            left = hand([0 if r == resource else cards[r] for r in range(5)])
            found[left] = found.get(left, 0.0) + likely
        return Belief(found.items(), self.development)


def _likeliest(way: tuple[Hand, float]) -> tuple[float, Hand]:
    return -way[1], way[0]

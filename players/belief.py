"""What a seat knows of another seat's cards: hands that it can hold, and its development cards on average."""

from __future__ import annotations

from collections.abc import Iterable

from engine.resources import Hand, covers, hand

WAYS = 8
"""How many hands of another seat are considered: the likeliest ones, as if there were no others."""


class Belief:
    """Another seat's cards, as far as they are known. Immutable."""

    __slots__ = ("_gained", "_robbed", "development", "ways")

    def __init__(self, ways: Iterable[tuple[Hand, float]], development: tuple[float, ...]) -> None:
        """`ways` are possible hands, at least one, and how likely each is relative to the others."""
        best = sorted(ways, key=_likeliest)[:WAYS]
        total = sum([likely for _, likely in best])
        self.ways: tuple[tuple[Hand, float], ...] = tuple([(cards, likely / total) for cards, likely in best])
        """Possible hands, each with its probability; these add up to 1."""
        self.development = development
        """Unplayed development cards by kind, on average."""
        self._robbed: dict[int, Belief] = {}
        self._gained: dict[Hand, Belief] = {}

    def drawn(self, resource: int) -> float:
        """How likely a card drawn from the hand is of that resource, 0 to 1."""
        return sum([likely * cards[resource] / sum(cards) for cards, likely in self.ways if cards[resource]])

    def robbed(self, resource: int) -> Belief:
        """The belief after a card of that resource was drawn from the hand."""
        belief = self._robbed.get(resource)
        if belief is None:
            ways = []
            for cards, likely in self.ways:
                if cards[resource]:
                    left = [*cards]
                    left[resource] -= 1
                    ways.append((hand(left), likely * cards[resource] / sum(cards)))
            belief = self._robbed[resource] = Belief(ways, self.development)
        return belief

    def gained(self, cards: Hand) -> Belief:
        """The belief after the hand gained cards that everyone saw."""
        belief = self._gained.get(cards)
        if belief is None:
            ways = [(hand([a + b for a, b in zip(held, cards, strict=True)]), likely) for held, likely in self.ways]
            belief = self._gained[cards] = Belief(ways, self.development)
        return belief

    def traded(self, give: Hand, get: Hand) -> Belief | None:
        """The belief after the hand gave some cards for others; None if it can't have held them."""
        ways = []
        for held, likely in self.ways:
            if covers(held, give):
                ways.append((hand([held[r] - give[r] + get[r] for r in range(5)]), likely))
        return Belief(ways, self.development) if ways else None

    def stripped(self, resource: int) -> Belief:
        """The belief after the hand lost all cards of a resource."""
        ways: dict[Hand, float] = {}
        for cards, likely in self.ways:
            left = hand([0 if r == resource else cards[r] for r in range(5)])
            ways[left] = ways.get(left, 0.0) + likely
        return Belief(ways.items(), self.development)


def _likeliest(way: tuple[Hand, float]) -> tuple[float, Hand]:
    return -way[1], way[0]

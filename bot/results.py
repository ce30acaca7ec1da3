"""What came of a game for the people in it, as it is kept for ratings (docs/ratings.md)."""

from __future__ import annotations

from dataclasses import dataclass, field

STAYED, RESIGNED, REPLACED, LEFT, CAME = "stayed", "resigned", "replaced", "left", "came"
"""How somebody was in a game: to its end; until they resigned; until a computer played for them, which still did at the
end; until somebody else took their seat; or only later, in the seat of another."""


@dataclass(frozen=True, slots=True)
class PersonResult:
    """What came of a game for somebody."""

    user: int
    name: str = field(compare=False)
    """The latest that was known; names change."""
    points: int
    """Of the seat at the end, hidden ones included, whoever sat there then."""
    won: bool
    """Whether they won, themselves."""
    fate: str = STAYED
    """One of the above."""

    @property
    def rated(self) -> bool:
        """Whether the game counts for them."""
        return self.fate != CAME


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a game that counts."""

    game: int
    """Its number."""
    guild: int
    """The server in which it was played."""
    ended: float
    """Seconds since the epoch."""
    scenario: str
    people: tuple[PersonResult, ...]
    """In the order of their seats at the table; who came later stands behind the one who had sat there."""

    @property
    def places(self) -> dict[int, int]:
        """The place of each for whom it counts, by user: winners first, then by points, last who didn't stay; who has
        the same shares a place."""
        ranks = {person.user: _rank(person) for person in self.people if person.rated}
        return {user: 1 + sum(other < rank for other in ranks.values()) for user, rank in ranks.items()}


def _rank(person: PersonResult) -> tuple[int, int]:
    """The less, the better."""
    if person.fate != STAYED:
        return 2, 0
    return (0 if person.won else 1), -person.points

"""Results of games for the people in them, as they are kept for ratings (docs/ratings.md)."""

from __future__ import annotations

from dataclasses import dataclass, field

STAYED, RESIGNED, REPLACED, LEFT, CAME = "stayed", "resigned", "replaced", "left", "came"
"""How long a person was in a game: to its end; until they resigned; until a bot played for them, which still did at the
end; until another person took their seat; or only later, in another person's seat."""
EXCUSED = "excused"
"""The fate of those who were away at the end, but whose seat won, or for whom others had a bot play less than a day
before."""


@dataclass(frozen=True, slots=True)
class PersonResult:
    """A person's result of a game."""

    user: int
    name: str = field(compare=False)
    """The latest name that was known; names change."""
    points: int
    """The seat's points at the end, including hidden ones, no matter who sat there then."""
    won: bool
    """Whether they won themselves."""
    fate: str = STAYED
    """One of the above."""

    @property
    def rated(self) -> bool:
        """Whether the game counts for them."""
        return self.fate not in (CAME, EXCUSED)


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game that counts."""

    game: int
    """The game's number."""
    guild: int
    """The server on which it was played."""
    ended: float
    """Seconds since the epoch."""
    scenario: str
    people: tuple[PersonResult, ...]
    """In order of their places at the table. A person who came later follows the person who sat there before."""

    @property
    def places(self) -> dict[int, int]:
        """Each person's rank, by user, if the game counts for them: winners first, then by points, and last those who
        didn't stay. Equals share a rank."""
        ranks = {person.user: _rank(person) for person in self.people if person.rated}
        return {user: 1 + sum(other < rank for other in ranks.values()) for user, rank in ranks.items()}


def _rank(person: PersonResult) -> tuple[int, int]:
    """A sort key; less is better."""
    if person.fate != STAYED:
        return 2, 0
    return (0 if person.won else 1), -person.points

"""An open offer of a trade (E2)."""

from __future__ import annotations

from typing import Any

from engine.resources import Hand


class Offer:
    """An open offer; `to`, `accepted` and `declined` are masks of the seats asked, and of those that have answered."""

    __slots__ = ("accepted", "answers", "declined", "give", "id", "seat", "to", "want")

    def __init__(
        self,
        id: int,
        seat: int,
        give: Hand,
        want: Hand,
        to: int,
        answers: int = -1,
        accepted: int = 0,
        declined: int = 0,
    ) -> None:
        self.id = id
        self.seat = seat
        self.give = give
        self.want = want
        self.to = to
        self.answers = answers
        self.accepted = accepted
        self.declined = declined

    def values(self) -> tuple[Any, ...]:
        """All fields, in the order of the constructor."""
        return (self.id, self.seat, self.give, self.want, self.to, self.answers, self.accepted, self.declined)

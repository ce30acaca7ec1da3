"""Offers out of a log."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import DecideFor, MakeOffer
from engine.record import Record


def last_offer(records: Sequence[Record], seat: int) -> MakeOffer | None:
    """The offer that a seat has made last, open or not, naming whom it asked; nobody: all others (E2)."""
    for number in reversed(range(len(records))):
        made = records[number].action
        if records[number].actor == seat and isinstance(made, MakeOffer):
            to = made.to or _asked(records[:number], seat, made.answers)
            return MakeOffer(made.give, made.want, to, made.answers)
    return None


def _asked(earlier: Sequence[Record], seat: int, answers: int) -> tuple[int, ...]:
    """Whom an offer asked that named nobody: the maker of the one that it answers, the player on turn, or (): all."""
    if answers != -1:
        makers = [record.actor for record in earlier if isinstance(record.action, MakeOffer)]
        return (makers[answers - 1],)
    for record in reversed(earlier):
        if any(kind == "dice" for kind, _, _, _ in record.draws):
            on_turn = record.action.seat if isinstance(record.action, DecideFor) else record.actor
            return () if on_turn == seat else (on_turn,)
    return ()

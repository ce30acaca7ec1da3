"""Offers and trades found in a log."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import AcceptOffer, BankTrade, CloseOffer, DecideFor, MakeOffer
from engine.record import Record


def last_offer(records: Sequence[Record], seat: int) -> MakeOffer | None:
    """The last offer that a seat made, open or not; `to` has the seats that it asked, or is empty: all others (E2)."""
    for number in reversed(range(len(records))):
        action = records[number].action
        if records[number].actor == seat and isinstance(action, MakeOffer):
            to = action.to or _asked(records[:number], seat, action.answers)
            return MakeOffer(action.give, action.want, to, action.answers)
    return None


def has_traded(records: Sequence[Record], seat: int) -> bool:
    """Whether a seat has traded with the bank or with a player, even if that was undone."""
    makers, on_turn = list[int](), -1
    for record in records:
        if any(kind == "dice" for kind, _, _, _ in record.draws):
            on_turn = _rolled(record)
        match record.action:
            case MakeOffer():
                makers.append(record.actor)
            case BankTrade() if record.actor == seat:
                return True
            case CloseOffer(_offer, partner) if seat in (record.actor, partner):
                return True
            case AcceptOffer(offer) if record.actor == on_turn and seat in (on_turn, makers[offer - 1]):
                return True  # the player on turn accepts, which closes it (E2)
    return False


def _rolled(record: Record) -> int:
    """The seat that rolled the dice."""
    return record.action.seat if isinstance(record.action, DecideFor) else record.actor


def _asked(earlier: Sequence[Record], seat: int, answers: int) -> tuple[int, ...]:
    """The seats asked by an offer that named none: the maker of the offer it answers, the player on turn, or () for
    all others."""
    if answers != -1:
        makers = [record.actor for record in earlier if isinstance(record.action, MakeOffer)]
        return (makers[answers - 1],)
    for record in reversed(earlier):
        if any(kind == "dice" for kind, _, _, _ in record.draws):
            on_turn = _rolled(record)
            return () if on_turn == seat else (on_turn,)
    return ()

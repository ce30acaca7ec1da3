"""Why a seat has nothing to undo: what stands in the way (architecture: Undo)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    BuyCard,
    DeclineOffer,
    Discard,
    EndTrade,
    MakeOffer,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
    WithdrawOffer,
)
from engine.errors import IllegalAction
from engine.events import BuildersCalled, CardTaken, Event, InterruptOpened, Traded
from engine.refusals import Refusal, refusal

Why = Refusal[IllegalAction]

NOT_UNDOABLE = refusal("no-undo", "Nothing to undo: your last move can't be undone.")
NOTHING_YET = refusal("no-undo/nothing", "Nothing to undo: you haven't moved yet.")
OTHERS_ACTED = refusal("no-undo/others", "Nothing to undo: someone else has acted since your last move.")
TIME_RAN_OUT = refusal("no-undo/time", "Nothing to undo: someone's time has run out since your last move.")

_OFFER = refusal(
    "no-undo/offer", "Your last move was an offer. Cancel it instead. What you did before it can't be undone anymore."
)
_CANCELED = refusal(
    "no-undo/canceled",
    "Your last move was canceling an offer: make it again instead. What you did before can't be undone anymore.",
)
_ANSWER = refusal(
    "no-undo/answer",
    "Your last move was an answer to an offer. You can change it while the offer is open, but not undo it.",
)
_VOTE = refusal(
    "no-undo/vote", "Your last move was a vote. Change it instead. What you did before it can't be undone anymore."
)
_CARD = refusal("no-undo/card", "You've played a development card, and that can't be undone.")
_BY_ACTION: dict[type[Action], Why] = {
    MakeOffer: _OFFER,
    WithdrawOffer: _CANCELED,
    AcceptOffer: _ANSWER,
    DeclineOffer: _ANSWER,
    AgreeToEnd: _VOTE,
    AgreeToCallOff: _VOTE,
    PlayKnight: _CARD,
    PlayMonopoly: _CARD,
    PlayRoadBuilding: _CARD,
    PlayVictoryPoint: _CARD,
    PlayYearOfPlenty: _CARD,
    Roll: refusal("no-undo/dice", "The dice are rolled, and that can't be undone."),
    BuyCard: refusal("no-undo/bought", "You've drawn a development card, and that can't be undone."),
    Discard: refusal("no-undo/discard", "All discards are in, and that can't be undone."),
    EndTrade: refusal("no-undo/phase", "You've gone on to build, and there is no way back to trading."),
    PassOn: refusal("no-undo/pass", "You've passed, and that can't be undone."),
}
_BY_EVENT: dict[type[Event], Why] = {
    Traded: refusal("no-undo/trade", "You've traded with another player, and that can't be undone."),
    CardTaken: refusal("no-undo/stolen", "A card was stolen, and that can't be undone."),
    InterruptOpened: refusal("no-undo/asked", "The others have been asked for a knight, so that can't be undone."),
    BuildersCalled: refusal("no-undo/called", "Others have been called to build, so that can't be undone."),
}


def obstacle(action: type[Action], events: Iterable[Event]) -> Why:
    """Why a seat's last action can't be undone, by what kind of action it was and what came of it."""
    by_event = next((_BY_EVENT[type(event)] for event in events if type(event) in _BY_EVENT), None)
    return by_event or _BY_ACTION.get(action, NOT_UNDOABLE)

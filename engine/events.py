"""What has happened, as small frozen values. Hidden parts are `Secret`; `redact` opens or removes them.

Resources, hands and cards are coded as in `engine.resources`; places are ids of the board's grid.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self, cast

from engine.codec import Secret, encode, fields_of
from engine.resources import NOTHING, Hand
from engine.terms import Award, EndReason, Piece
from engine.values import value


@value
class Event:
    """Base of all events; `name` is the name in JSON and in texts."""

    name: ClassVar[str] = ""
    binding: ClassVar[bool] = False
    """Whether the action that led to it can't be undone, although nothing was drawn."""

    def redact(self, seat: int | None, over: bool = False) -> Self:
        """The event as a seat or an onlooker (None) can see it: secrets are opened or None; `over`: all are opened."""
        opened = {
            name: value.value if over else value.for_seat(seat)
            for name, _hint in fields_of(cast(Any, type(self)))
            if isinstance(value := getattr(self, name), Secret)
        }
        return dataclasses.replace(self, **opened) if opened else self

    def to_json(self) -> dict[str, Any]:
        """Plain data; raises `TypeError` if there is still a secret inside."""
        return {"event": self.name, **encode(self)}


@value
class SeatsTaken(Event):
    """Who sits where (C1): `players[seat]` is the number in the order of joining."""

    name = "seats_taken"
    players: tuple[int, ...]


@value
class FirstRolls(Event):
    """One round of rolling for first (C2): (seat, die, die) of each seat that rolled."""

    name = "first_rolls"
    rolls: tuple[tuple[int, int, int], ...]


@value
class FirstPlayer(Event):
    """Who begins (C2)."""

    name = "first_player"
    seat: int


@value
class TurnBegan(Event):
    """A turn begins; turns count from 1."""

    name = "turn_began"
    seat: int
    turn: int


@value
class Rolled(Event):
    """The dice of a turn; `counted` is false for a roll that is made again (L4)."""

    name = "rolled"
    seat: int
    dice: tuple[int, int]
    counted: bool = True


@value
class Produced(Event):
    """A seat got cards from the bank: by a roll, or by a starting settlement (`setup`)."""

    name = "produced"
    seat: int
    cards: Hand
    setup: bool = False


@value
class Shortage(Event):
    """The bank couldn't pay all: `seats` were due the resource, and got less or nothing (A2)."""

    name = "shortage"
    resource: int
    seats: tuple[int, ...]


@value
class DiscardsDue(Event):
    """Who must discard how many, as (seat, count) (D4)."""

    name = "discards_due"
    owed: tuple[tuple[int, int], ...]


@value
class DiscardChosen(Event):
    """A seat has chosen its discard; which cards is revealed when all have chosen."""

    name = "discard_chosen"
    seat: int


@value
class DiscardTakenBack(Event):
    """A seat has undone its discard, and owes it again."""

    name = "discard_taken_back"
    seat: int


@value
class Discarded(Event):
    """What a seat discarded."""

    name = "discarded"
    seat: int
    cards: Hand


@value
class RobberMoved(Event):
    """The robber moved. `origin` -1: from off the board; `origin` equal to `hex`: it was left where it is (L5)."""

    name = "robber_moved"
    seat: int
    origin: int
    hex: int


@value
class CardTaken(Event):
    """The robber took a card; only thief and victim know which (G3). `card` is a resource."""

    name = "card_taken"
    seat: int
    victim: int
    card: Any


@value
class NothingTaken(Event):
    """The robber took nothing: there was no victim, or the mover chose not to."""

    name = "nothing_taken"
    seat: int


@value
class Built(Event):
    """A piece was placed; free in setup and by road building."""

    name = "built"
    seat: int
    piece: Piece
    place: int
    free: bool = False


@value
class CardBought(Event):
    """A development card was bought; only the buyer knows `card`."""

    name = "card_bought"
    seat: int
    card: Any


@value
class CardPlayed(Event):
    """A development card was played (index into `CARDS`)."""

    name = "card_played"
    seat: int
    card: int


@value
class PlentyTaken(Event):
    """Cards taken by year of plenty."""

    name = "plenty_taken"
    seat: int
    cards: Hand


@value
class Monopolised(Event):
    """All cards of a resource went to a seat; `taken` is (seat, count) of each seat that had any."""

    name = "monopolised"
    seat: int
    resource: int
    taken: tuple[tuple[int, int], ...]


@value
class BankTraded(Event):
    """A trade with the bank."""

    name = "bank_traded"
    seat: int
    give: Hand
    get: Hand


@value
class OfferMade(Event):
    """A new offer: `seat` gives `give` and wants `want`; `to` are the seats asked; `answers` as in `MakeOffer`."""

    name = "offer_made"
    seat: int
    offer: int
    give: Hand
    want: Hand
    to: tuple[int, ...]
    answers: int = -1


@value
class OfferAnswered(Event):
    """A seat accepted or declined an offer."""

    name = "offer_answered"
    seat: int
    offer: int
    accepted: bool


@value
class OfferWithdrawn(Event):
    """An offer was withdrawn or replaced."""

    name = "offer_withdrawn"
    seat: int
    offer: int


@value
class Traded(Event):
    """Two players traded: `seat` (on turn) gave `give` to `partner` and got `get`."""

    name = "traded"
    seat: int
    partner: int
    give: Hand
    get: Hand


@value
class AwardMoved(Event):
    """An award moved from `origin` to `seat`; None: no one. `size`: segments or knights."""

    name = "award_moved"
    award: Award
    origin: int | None
    seat: int | None
    size: int


@value
class TradeEnded(Event):
    """A seat has gone on from trade to building (L11)."""

    name = "trade_ended"
    seat: int


@value
class TurnEnded(Event):
    """A turn ended."""

    name = "turn_ended"
    seat: int


@value
class BuildersCalled(Event):
    """Who builds in the special building phase, in order (J2)."""

    name = "builders_called"
    binding = True  # it reveals who has asked in secret
    seats: tuple[int, ...]


@value
class Passed(Event):
    """A seat ended its part of the special building phase."""

    name = "passed"
    seat: int


@value
class RequestsOpened(Event):
    """The window for late requests to build after the turn of `seat` is open (J2)."""

    name = "requests_opened"
    seat: int


@value
class DecidedFor(Event):
    """A seat's time is over: what follows was decided for it."""

    name = "decided_for"
    seat: int


@value
class InterruptOpened(Event):
    """Others can answer the robber's move of `seat` with a knight (L8)."""

    name = "interrupt_opened"
    binding = True  # others may have answered in secret
    seat: int


@value
class InterruptPassed(Event):
    """No one has answered the robber's move of `seat` with a knight (L8)."""

    name = "interrupt_passed"
    seat: int


@value
class Undone(Event):
    """A seat undid its last action."""

    name = "undone"
    seat: int


@value
class Resigned(Event):
    """A seat left the game (I7)."""

    name = "resigned"
    seat: int
    cards: Hand = dataclasses.field(default=NOTHING, compare=False)
    """Its resource cards, as the bank shows; a discard that it had chosen before isn't among them (D4)."""


@value
class EndAgreed(Event):
    """A seat agrees, or no longer agrees, to end the game and count the points (I6)."""

    name = "end_agreed"
    seat: int
    agree: bool


@value
class CallOffAgreed(Event):
    """A seat agrees, or no longer agrees, to call the game off (I6)."""

    name = "call_off_agreed"
    seat: int
    agree: bool


@value
class GameEnded(Event):
    """The game is over."""

    name = "game_ended"
    reason: EndReason
    winners: tuple[int, ...]

"""What has happened, as small frozen values. Hidden parts are `Secret`; `redact` opens or removes them.

Resources, hands, cards and places are coded as in `engine.resources` and by the board's grid.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Self

from engine.codec import Secret, encode
from engine.resources import Hand
from engine.terms import Award, EndReason, Piece
from engine.values import value


@value
class Event:
    """Base of all events; `name` is the name in JSON and in texts."""

    name: ClassVar[str] = ""
    binding: ClassVar[bool] = False
    """Whether the action that led to it can't be taken back, although nothing was drawn."""

    def redact(self, seat: int | None, over: bool = False) -> Self:
        """The event as a seat, or an onlooker (None), may see it: secrets are opened or None; all open when `over`."""
        opened = {
            f.name: value.value if over else value.for_seat(seat)
            for f in dataclasses.fields(self)
            if isinstance(value := getattr(self, f.name), Secret)
        }
        return dataclasses.replace(self, **opened) if opened else self

    def to_json(self) -> dict[str, Any]:
        """Plain data; raises `TypeError` while a secret is inside."""
        return {"event": self.name, **encode(self)}


@value
class SeatsTaken(Event):
    """Who sits where (C1): `players[seat]` is the number in the order of joining."""

    name = "seats_taken"
    players: tuple[int, ...]


@value
class FirstRolls(Event):
    """One round of rolling for first (C2): (seat, die, die) of all who rolled."""

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
    """Cards from the bank to a seat: by a roll, or by the second settlement (`setup`)."""

    name = "produced"
    seat: int
    cards: Hand
    setup: bool = False


@value
class Shortage(Event):
    """The bank could not pay: `seats` were due the resource and got less or nothing (A2)."""

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
    """A seat has chosen its discards; what they are is told when all have."""

    name = "discard_chosen"
    seat: int


@value
class DiscardTakenBack(Event):
    """A seat has taken its discards back, and owes them again."""

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
    """The robber moved; `origin` -1 means from off the board; equal hexes: it was left (L5)."""

    name = "robber_moved"
    seat: int
    origin: int
    hex: int


@value
class CardTaken(Event):
    """The robber took a card; which one only thief and victim know (G3). `card` is a resource."""

    name = "card_taken"
    seat: int
    victim: int
    card: Any


@value
class NothingTaken(Event):
    """The robber took nothing: nobody to take from, or declined."""

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
    """A development card was bought; `card` is known to the buyer."""

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
    """All cards of a resource went to a seat; `taken` is (seat, count) of those who had any."""

    name = "monopolised"
    seat: int
    resource: int
    taken: tuple[tuple[int, int], ...]


@value
class BankTraded(Event):
    """A maritime trade."""

    name = "bank_traded"
    seat: int
    give: Hand
    get: Hand


@value
class OfferMade(Event):
    """An offer stands: `seat` gives `give` and wants `want`; `to` are the seats asked; `answers` as in MakeOffer."""

    name = "offer_made"
    seat: int
    offer: int
    give: Hand
    want: Hand
    to: tuple[int, ...]
    answers: int = -1


@value
class OfferAnswered(Event):
    """Somebody accepted or declined an offer."""

    name = "offer_answered"
    seat: int
    offer: int
    accepted: bool


@value
class OfferWithdrawn(Event):
    """An offer was taken back."""

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
    """An award changed hands; None: from, or to, nobody. `size`: segments or knights."""

    name = "award_moved"
    award: Award
    origin: int | None
    seat: int | None
    size: int


@value
class TradeEnded(Event):
    """Somebody has gone on to build (L11)."""

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
    binding = True  # it tells who has asked in secret
    seats: tuple[int, ...]


@value
class Passed(Event):
    """A seat ended its part of the special building phase."""

    name = "passed"
    seat: int


@value
class RequestsOpened(Event):
    """Whoever wants to build after the turn of `seat` may still say so (J2)."""

    name = "requests_opened"
    seat: int


@value
class DecidedFor(Event):
    """A seat's time is over: what follows was decided for it."""

    name = "decided_for"
    seat: int


@value
class InterruptOpened(Event):
    """Others may answer the robber's move with a knight (L8)."""

    name = "interrupt_opened"
    binding = True  # others may have answered in secret
    seat: int


@value
class InterruptPassed(Event):
    """Nobody has answered the robber's move of `seat` with a knight (L8)."""

    name = "interrupt_passed"
    seat: int


@value
class Undone(Event):
    """A seat took its last action back."""

    name = "undone"
    seat: int


@value
class Resigned(Event):
    """A seat left the game (I7)."""

    name = "resigned"
    seat: int


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

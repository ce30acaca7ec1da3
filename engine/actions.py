"""What a player can do: small frozen values with a JSON form, `["build_road", 12]`.

Places are ids of the board's grid, hands are five counts (`engine.resources`), seats count from 0.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from engine.codec import decode, encode, fields_of, is_sound
from engine.errors import MalformedInput, UnknownInput
from engine.resources import Hand
from engine.terms import PlaceKind
from engine.values import value

ACTIONS: dict[str, type[Action]] = {}
"""All actions by name."""


@value
class Action:
    """Base of all actions; `name` is the name in JSON and in texts."""

    name: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if cls.name:
            ACTIONS[cls.name] = cls

    def to_json(self) -> list[Any]:
        """The name and the fields, in order."""
        return [self.name, *(encode(getattr(self, field)) for field, _ in fields_of(cast(Any, type(self))))]


@value
class PlaceAction(Action):
    """Base of actions that choose a place: `place` is its kind, `at` its id."""

    place: ClassVar[PlaceKind] = PlaceKind.INTERSECTION
    at: int


def action_from_json(data: Any) -> Action:
    """Read an action from a JSON list; raises `MalformedInput`."""
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise MalformedInput("no action")
    if data[0] not in ACTIONS:
        raise UnknownInput("no such action")
    cls = ACTIONS[data[0]]
    fields = fields_of(cast(Any, cls))
    if len(fields) < len(data) - 1:
        raise UnknownInput(f"{data[0]} with a value more")
    if len(fields) != len(data) - 1:
        raise MalformedInput(f"{data[0]} takes {len(fields)} values")
    action = cls(*(decode(kind, value) for (_, kind), value in zip(fields, data[1:], strict=True)))
    if not is_sound(action):
        raise MalformedInput(f"{data[0]} has a number that is out of bounds")
    return action


# --- the turn


@value
class Roll(Action):
    """Roll the dice (D1)."""

    name = "roll"


@value
class EndTurn(Action):
    """End the turn (D1)."""

    name = "end_turn"


@value
class EndTrade(Action):
    """Go on from trade to building (L11 only)."""

    name = "end_trade"


# --- building, also in setup


@value
class BuildRoad(PlaceAction):
    """Place a road on an edge (F2)."""

    name = "build_road"
    place = PlaceKind.EDGE


@value
class BuildBridge(PlaceAction):
    """Place a bridge on a sea edge (K4)."""

    name = "build_bridge"
    place = PlaceKind.EDGE


@value
class BuildSettlement(PlaceAction):
    """Place a settlement on an intersection (F4)."""

    name = "build_settlement"


@value
class BuildCity(PlaceAction):
    """Replace a settlement of the seat with a city (F5)."""

    name = "build_city"


@value
class ChooseYield(PlaceAction):
    """Pick the starting settlement that yields cards (A2, `beginner` in the 1996 edition)."""

    name = "choose_yield"


# --- development cards


@value
class BuyCard(Action):
    """Buy the top development card (F6)."""

    name = "buy_card"


@value
class PlayKnight(Action):
    """Play a knight (H3)."""

    name = "play_knight"


@value
class PlayRoadBuilding(Action):
    """Play road building (H4); the roads follow as `BuildRoad` or `BuildBridge`."""

    name = "play_road_building"


@value
class PlayYearOfPlenty(Action):
    """Take these cards from the bank (H5)."""

    name = "play_year_of_plenty"
    cards: Hand


@value
class PlayMonopoly(Action):
    """Take all cards of one resource (H6)."""

    name = "play_monopoly"
    resource: int


@value
class PlayVictoryPoint(Action):
    """Lay down a victory point card (L1 only)."""

    name = "play_victory_point"


# --- the robber


@value
class Discard(Action):
    """Discard these cards after a seven (D4)."""

    name = "discard"
    cards: Hand


@value
class TakeBackDiscard(Action):
    """Undo the seat's discard while others still owe theirs (D4)."""

    name = "take_back_discard"


@value
class MoveRobber(PlaceAction):
    """Move the robber to a hex (G1)."""

    name = "move_robber"
    place = PlaceKind.HEX


@value
class LeaveRobber(Action):
    """Leave the robber where it is (L5 only)."""

    name = "leave_robber"


@value
class TakeCard(Action):
    """Take a card at random from a seat (G2)."""

    name = "take_card"
    seat: int


@value
class DeclineCard(Action):
    """Take no card (A2, 1996)."""

    name = "decline_card"


@value
class PassOn(Action):
    """Do nothing: end the seat's special building, don't ask for it (J2), or let the robber's move stand (L8)."""

    name = "pass"


@value
class AskToBuild(Action):
    """Ask, or no longer ask, to take part in the special building phase after this turn (J2)."""

    name = "ask_to_build"
    wanted: bool = True


# --- trade


@value
class BankTrade(Action):
    """Trade with the bank at the seat's best rates (E4)."""

    name = "bank_trade"
    give: Hand
    get: Hand


@value
class MakeOffer(Action):
    """Offer `give` for `want` (E2).

    By the player on turn: to the seats `to`. If that is empty, to the maker of the offer that it counters, or to all.
    By another player: to the player on turn, with `to` empty. `answers` is the id of the offer that it counters, or -1.
    """

    name = "make_offer"
    give: Hand
    want: Hand
    to: tuple[int, ...] = ()
    answers: int = -1


@value
class AcceptOffer(Action):
    """Accept an offer. If the player on turn accepts, the trade is made immediately."""

    name = "accept_offer"
    offer: int


@value
class DeclineOffer(Action):
    """Decline an offer."""

    name = "decline_offer"
    offer: int


@value
class CloseOffer(Action):
    """Close the seat's own offer with a player who accepted it."""

    name = "close_offer"
    offer: int
    seat: int


@value
class WithdrawOffer(Action):
    """Withdraw the seat's own offer."""

    name = "withdraw_offer"
    offer: int


# --- the table


@value
class SetStanding(Action):
    """Set the standing number: with so many cards or more, the seat builds between turns unasked; 0: never (J2)."""

    name = "set_standing"
    cards: int


@value
class Expire(Action):
    """By the referee only: the time for the decision with that serial number is over."""

    name = "expire"
    serial: int


@value
class DecideFor(Action):
    """By the referee only: a seat's time is over, and the plainest legal choice is made for it."""

    name = "decide_for"
    seat: int


@value
class DeclineFor(Action):
    """By the referee only: a seat's time to answer an offer is over, and it declines."""

    name = "decline_for"
    seat: int
    offer: int


@value
class CallOff(Action):
    """By the referee only: the game ends here, no one wins and nothing counts."""

    name = "call_off"


@value
class Undo(Action):
    """Undo the seat's last action."""

    name = "undo"


@value
class Resign(Action):
    """Leave the game for good (I7)."""

    name = "resign"


@value
class AgreeToEnd(Action):
    """Agree, or no longer agree, to end the game here and count the points (I6)."""

    name = "agree_to_end"
    agree: bool = True


@value
class AgreeToCallOff(Action):
    """Agree, or no longer agree, to call the game off: no one wins (I6)."""

    name = "agree_to_call_off"
    agree: bool = True

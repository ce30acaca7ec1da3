"""What one seat, or an onlooker, may know of a game (section M): built up from nothing, never cut down.

Pictures, panels and hands are made from views alone. Masks have a bit per id of the board's grid.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Board
from engine.config import Config
from engine.events import Event
from engine.resources import Hand


@dataclass(frozen=True, slots=True)
class OfferView:
    """An open offer (E2): `seat` gives `give` for `want`; masks of seats asked, and of those who answered."""

    id: int
    seat: int
    give: Hand
    want: Hand
    to: int
    accepted: int
    declined: int
    answers: int = -1


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player as the viewer sees them; None stands for what the viewer may not know."""

    seat: int
    player: int
    """Number in the order of joining."""
    color: str
    roads: int
    settlements: int
    cities: int
    """Masks of edges (roads and bridges) and intersections."""
    cards: int
    """Number of resource cards."""
    hand: Hand | None
    development: int
    """Number of unplayed development cards."""
    development_cards: Hand | None
    """Unplayed development cards by kind, new ones included."""
    fresh_cards: Hand | None
    """Those of them that are too new to play."""
    played: Hand
    """Development cards played, by kind."""
    points: int
    """Points that everybody sees."""
    all_points: int | None
    """Points with hidden cards."""
    road_length: int
    pieces_left: tuple[int, int, int]
    """Roads, settlements, cities in the supply."""
    rates: Hand
    """Best maritime rate by resource (public: it follows from the board)."""
    resigned: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: "target", "last", "agreement", "rounds" or "called_off"; winners may share (I6)."""

    reason: str
    winners: tuple[int, ...]
    """Nobody when it was called off."""
    points: tuple[int, ...]
    """All points, by seat."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as `seat` (None: an onlooker) may see it."""

    seat: int | None
    config: Config
    board: Board
    revision: int
    """Grows with every record that anybody could notice; not with secret requests and answers."""
    step: str
    """Kind of the decision on top: "setup", "pre_roll", "main", "discard", "move_robber", "take_card",
    "road_building", "choose_yield", "special_building", "interrupt", "over"."""
    on_turn: int | None
    """Whose turn it is; None in setup and after the end."""
    turn: int
    """Turns begun so far; 0 in setup."""
    round: int
    """Rounds begun so far; 0 in setup."""
    awaited: int
    """Mask of the seats that owe a decision."""
    piece: str | None
    """What is to be placed in setup ("settlement", "road") and in road building ("road")."""
    owed: tuple[int, ...]
    """Cards each seat has still to discard, by seat."""
    first: int
    """Who began."""
    players: tuple[PlayerView, ...]
    bank: Hand
    deck: int
    """Development cards left to buy."""
    robber: int
    """Hex of the robber; -1 off the board."""
    longest_road: int | None
    largest_army: int | None
    dice: tuple[int, int] | None
    """The roll of this turn, once made."""
    rolls: tuple[int, ...]
    """How often each sum 0 to 12 was rolled."""
    offers: tuple[OfferView, ...]
    events: tuple[Event, ...]
    """What has happened since the turn began (in setup: since the start), redacted for the viewer."""
    last: tuple[Event, ...]
    """What the latest record did, redacted for the viewer."""
    card_played: bool
    """Whether the one development card of this turn has been played (H2)."""
    end_votes: int
    """Mask of the seats that agree to end the game (I6)."""
    asked_to_build: bool
    """Whether the viewer has asked for the special building phase (J2)."""
    targets: int
    """Where the robber may go, or from whom a card may be taken, as masks of hexes or seats: public facts."""
    undo: int | None = None
    """Seat that may take its last action back: everybody can tell, since no die or hidden card lies behind it."""
    outcome: Outcome | None = None

"""The facts of a position: small integers and lists of them, with slots and a handwritten copy."""

from __future__ import annotations

from engine.board import Board
from engine.chance import DRAW_KINDS
from engine.data import Data
from engine.offer import Offer
from engine.outcome import Outcome


class Facts:
    """What is on the table and what has been done. Lists are by seat, except bank, deck, rolls, offers and ordinals;
    masks of places have a bit for each id of the grid. -1 means no one or nowhere."""

    __slots__ = (
        "army",
        "asked",
        "bank",
        "board",
        "buildings",
        "built",
        "card_played",
        "cities",
        "closed",
        "counts",
        "deck",
        "development_cards",
        "dice",
        "extra",
        "first",
        "fresh",
        "hands",
        "longest",
        "next_offer",
        "next_serial",
        "offers",
        "on_turn",
        "order",
        "ordinals",
        "outcome",
        "paved",
        "place",
        "played",
        "players",
        "rates",
        "reach",
        "resigned",
        "road_length",
        "roads",
        "robber",
        "rolls",
        "round",
        "settlements",
        "standing",
        "turn",
        "turns",
        "votes",
    )
    board: Board
    players: int
    """Number of players."""
    order: tuple[int, ...]
    """By seat, the player's number in the order of joining."""
    hands: list[list[int]]
    bank: list[int]
    development_cards: list[list[int]]
    fresh: list[list[int]]
    played: list[list[int]]
    deck: list[int]
    roads: list[int]
    reach: list[int]
    """Masks of the intersections at the ends of the seat's roads."""
    settlements: list[int]
    cities: list[int]
    buildings: int
    """Mask of all settlements and cities."""
    paved: int
    """Mask of all roads and bridges."""
    closed: int
    """Mask of the intersections closed by a building or the distance rule."""
    rates: list[list[int]]
    robber: int
    road_length: list[int]
    longest: int
    army: int
    first: int
    on_turn: int
    place: int
    """Place of the turn in the round, counted from the first player."""
    turn: int
    turns: list[int]
    """Turns begun, by seat."""
    round: int
    dice: tuple[int, int] | None
    rolls: list[int]
    card_played: bool
    built: bool
    """Whether something was built or bought this turn."""
    offers: list[Offer]
    next_offer: int
    asked: int
    """Mask of the seats that asked for the special building phase this turn (J2)."""
    standing: list[int]
    """Standing numbers: with at least so many cards a seat builds between turns without asking; 0: never (J2)."""
    votes: int
    resigned: int
    counts: list[int]
    """Accepted actions, by seat; part of the decision ids."""
    ordinals: list[int]
    next_serial: int
    extra: dict[str, int]
    """More facts by name: those of alternate rules, and who agrees to call the game off."""
    outcome: Outcome | None

    def lay_out(self, data: Data) -> None:
        """Set all facts to the start of a game: only the robber on the board, and empty hands."""
        n = self.players
        self.hands = [[0] * 5 for _ in range(n)]
        self.bank = [data.bank] * 5
        self.development_cards = [[0] * 5 for _ in range(n)]
        self.fresh = [[0] * 5 for _ in range(n)]
        self.played = [[0] * 5 for _ in range(n)]
        self.deck = list(data.deck)
        self.roads = [0] * n
        self.reach = [0] * n
        self.settlements = [0] * n
        self.cities = [0] * n
        self.buildings = 0
        self.paved = 0
        self.closed = 0
        self.rates = [[4] * 5 for _ in range(n)]
        self.robber = self.board.robber
        self.road_length = [0] * n
        self.longest = -1
        self.army = -1
        self.first = 0
        self.on_turn = -1
        self.place = 0
        self.turn = 0
        self.turns = [0] * n
        self.round = 0
        self.dice = None
        self.rolls = [0] * 13
        self.card_played = False
        self.built = False
        self.offers = []
        self.next_offer = 1
        self.asked = 0
        self.standing = [data.standing if data.special_building else 0] * n
        self.votes = 0
        self.resigned = 0
        self.counts = [0] * n
        self.ordinals = [0] * len(DRAW_KINDS)
        self.next_serial = 1
        self.extra = {}
        self.outcome = None

    def take_over(self, other: Facts) -> None:
        """Copy the facts of another position; no list is shared."""
        self.hands = [h[:] for h in other.hands]
        self.bank = other.bank[:]
        self.development_cards = [c[:] for c in other.development_cards]
        self.fresh = [c[:] for c in other.fresh]
        self.played = [c[:] for c in other.played]
        self.deck = other.deck[:]
        self.roads = other.roads[:]
        self.reach = other.reach[:]
        self.settlements = other.settlements[:]
        self.cities = other.cities[:]
        self.buildings = other.buildings
        self.paved = other.paved
        self.closed = other.closed
        self.rates = [r[:] for r in other.rates]
        self.robber = other.robber
        self.road_length = other.road_length[:]
        self.longest = other.longest
        self.army = other.army
        self.first = other.first
        self.on_turn = other.on_turn
        self.place = other.place
        self.turn = other.turn
        self.turns = other.turns[:]
        self.round = other.round
        self.dice = other.dice
        self.rolls = other.rolls[:]
        self.card_played = other.card_played
        self.built = other.built
        self.offers = [Offer(*o.values()) for o in other.offers]
        self.next_offer = other.next_offer
        self.asked = other.asked
        self.standing = other.standing[:]
        self.votes = other.votes
        self.resigned = other.resigned
        self.counts = other.counts[:]
        self.ordinals = other.ordinals[:]
        self.next_serial = other.next_serial
        self.extra = dict(other.extra)
        self.outcome = other.outcome

    def active(self) -> int:
        """Mask of the seats that have not resigned."""
        return ((1 << self.players) - 1) & ~self.resigned

    def following(self, seat: int) -> list[int]:
        """The other active seats, clockwise from the left of `seat`."""
        n = self.players
        return [s for i in range(1, n) if not self.resigned >> (s := (seat + i) % n) & 1]

    def opponents(self, seat: int) -> int:
        """Mask of all other seats' buildings."""
        return self.buildings & ~(self.settlements[seat] | self.cities[seat])

"""What is true in a game, in slotted lists of small integers with a copy by hand."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from engine.board import Board
from engine.chance import KINDS
from engine.offer import Offer
from engine.refusals import Hex, Player, Players
from engine.resources import VICTORY_POINT

if TYPE_CHECKING:
    from engine.outcome import Outcome
    from engine.rules import Rules
    from engine.step import Step


class State:
    """A position. Lists go by seat; masks have bits by id of the grid. -1 stands for nobody and nowhere."""

    __slots__ = (
        "agenda",
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
        "rules",
        "settlements",
        "standing",
        "turn",
        "turns",
        "votes",
    )
    hands: list[list[int]]
    bank: list[int]
    development_cards: list[list[int]]
    fresh: list[list[int]]
    played: list[list[int]]
    deck: list[int]
    roads: list[int]
    reach: list[int]
    """Intersections at the ends of own roads."""
    settlements: list[int]
    cities: list[int]
    buildings: int
    """All settlements and cities."""
    paved: int
    """All roads and bridges."""
    closed: int
    """Intersections that the distance rule, or a building, closes."""
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
    """Seats that asked for the special building phase this turn (J2)."""
    standing: list[int]
    """Cards from which a seat is called without asking; 0: never (J2)."""
    votes: int
    resigned: int
    counts: list[int]
    """Accepted actions, by seat; part of the decision ids."""
    ordinals: list[int]
    next_serial: int
    agenda: list[Step]
    extra: dict[str, int]
    """Further facts by name: of alternate rules, and who agrees to end the game."""
    outcome: Outcome | None

    def __init__(self, rules: Rules, board: Board, order: tuple[int, ...]) -> None:
        self.rules = rules
        self.board = board
        self.players = len(order)
        self.order = order

    @classmethod
    def new(cls, rules: Rules, board: Board, order: tuple[int, ...]) -> State:
        """Nothing on the board but the robber, and nothing in any hand."""
        n = len(order)
        state = cls(rules, board, order)
        state.hands = [[0] * 5 for _ in range(n)]
        state.bank = [rules.data.bank] * 5
        state.development_cards = [[0] * 5 for _ in range(n)]
        state.fresh = [[0] * 5 for _ in range(n)]
        state.played = [[0] * 5 for _ in range(n)]
        state.deck = list(rules.data.deck)
        state.roads = [0] * n
        state.reach = [0] * n
        state.settlements = [0] * n
        state.cities = [0] * n
        state.buildings = 0
        state.paved = 0
        state.closed = 0
        state.rates = [[4] * 5 for _ in range(n)]
        state.robber = board.robber
        state.road_length = [0] * n
        state.longest = -1
        state.army = -1
        state.first = 0
        state.on_turn = -1
        state.place = 0
        state.turn = 0
        state.turns = [0] * n
        state.round = 0
        state.dice = None
        state.rolls = [0] * 13
        state.card_played = False
        state.built = False
        state.offers = []
        state.next_offer = 1
        state.asked = 0
        state.standing = [rules.data.standing if rules.data.special_building else 0] * n
        state.votes = 0
        state.resigned = 0
        state.counts = [0] * n
        state.ordinals = [0] * len(KINDS)
        state.next_serial = 1
        state.agenda = []
        state.extra = {}
        state.outcome = None
        return state

    def copy(self) -> State:
        """An independent copy."""
        twin = State(self.rules, self.board, self.order)
        twin.hands = [h[:] for h in self.hands]
        twin.bank = self.bank[:]
        twin.development_cards = [c[:] for c in self.development_cards]
        twin.fresh = [c[:] for c in self.fresh]
        twin.played = [c[:] for c in self.played]
        twin.deck = self.deck[:]
        twin.roads = self.roads[:]
        twin.reach = self.reach[:]
        twin.settlements = self.settlements[:]
        twin.cities = self.cities[:]
        twin.buildings = self.buildings
        twin.paved = self.paved
        twin.closed = self.closed
        twin.rates = [r[:] for r in self.rates]
        twin.robber = self.robber
        twin.road_length = self.road_length[:]
        twin.longest = self.longest
        twin.army = self.army
        twin.first = self.first
        twin.on_turn = self.on_turn
        twin.place = self.place
        twin.turn = self.turn
        twin.turns = self.turns[:]
        twin.round = self.round
        twin.dice = self.dice
        twin.rolls = self.rolls[:]
        twin.card_played = self.card_played
        twin.built = self.built
        twin.offers = [Offer(*o.values()) for o in self.offers]
        twin.next_offer = self.next_offer
        twin.asked = self.asked
        twin.standing = self.standing[:]
        twin.votes = self.votes
        twin.resigned = self.resigned
        twin.counts = self.counts[:]
        twin.ordinals = self.ordinals[:]
        twin.next_serial = self.next_serial
        twin.agenda = [s.copy() for s in self.agenda]
        twin.extra = dict(self.extra)
        twin.outcome = self.outcome
        return twin

    def push(self, step: Step) -> None:
        """Put a decision on top of the agenda."""
        step.serial = self.next_serial
        self.next_serial += 1
        self.agenda.append(step)

    def replace(self, step: Step, others: list[Step]) -> None:
        """Put other decisions in the place of one on the agenda, the last of them uppermost."""
        for other in others:
            other.serial = self.next_serial
            self.next_serial += 1
        at = self.agenda.index(step)
        self.agenda[at : at + 1] = others

    def remove(self, step: Step) -> None:
        """Take a decision off the agenda, wherever it lies."""
        self.agenda = [s for s in self.agenda if s is not step]

    def active(self) -> int:
        """Mask of the seats that have not resigned."""
        return ((1 << self.players) - 1) & ~self.resigned

    def color(self, seat: int) -> str:
        """The colour of a seat."""
        return self.rules.config.colors[self.order[seat]]

    def player(self, seat: int) -> Player:
        """A seat in a sentence."""
        return Player(seat, self.color(seat))

    def players_in(self, seats: int, choice: bool = False) -> Players:
        """Several seats (a mask) in a sentence; `choice`: joined by "or"."""
        return Players([self.player(s) for s in range(self.players) if seats >> s & 1], choice)

    def hex(self, at: int) -> Hex:
        """A hex in a sentence."""
        return Hex(at, self.board.grid.hex_names[at])

    def following(self, seat: int) -> list[int]:
        """The other active seats, clockwise from the left of `seat`."""
        n = self.players
        return [s for i in range(1, n) if not self.resigned >> (s := (seat + i) % n) & 1]

    def opponents(self, seat: int) -> int:
        """Mask of the buildings of everybody else."""
        return self.buildings & ~(self.settlements[seat] | self.cities[seat])

    def points(self, seat: int) -> int:
        """Points that everybody sees (I4)."""
        points = (
            self.settlements[seat].bit_count() + 2 * self.cities[seat].bit_count() + self.played[seat][VICTORY_POINT]
        )
        if self.longest == seat:
            points += 2
        if self.army == seat:
            points += 2
        return points

    def all_points(self, seat: int) -> int:
        """Points with hidden victory point cards (H7)."""
        return self.points(seat) + (self.development_cards[seat][VICTORY_POINT] if self.rules.data.hidden_points else 0)

    def position(self) -> list[Any]:
        """The canonical position, version 1: plain data that says everything about the game to come."""
        b = self.board
        return [
            1,
            [b.terrain, b.tokens, [(h.hex, h.side, h.kind) for h in b.harbors]],
            [self.order, self.hands, self.bank, self.development_cards, self.fresh, self.played, self.deck],
            [self.roads, self.settlements, self.cities, self.robber, self.longest, self.army],
            [self.first, self.on_turn, self.place, self.turn, self.turns, self.round, self.dice, self.rolls],
            [self.card_played, self.built, [o.values() for o in self.offers], self.next_offer],
            [self.asked, self.standing, self.votes, self.resigned, self.counts, self.ordinals],
            [self.next_serial, [(s.kind, s.serial, s.data()) for s in self.agenda]],
            sorted(self.extra.items()),
            None if self.outcome is None else [self.outcome.reason, self.outcome.winners, self.outcome.points],
        ]

    def hash(self) -> str:
        """SHA-256 of the canonical position, in hex."""
        text = json.dumps(self.position(), separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

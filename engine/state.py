"""What is true in a game, in slotted lists of small integers with a copy by hand."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from engine.board import Board
from engine.chance import KINDS
from engine.refusals import Hex, Player, Players
from engine.resources import VICTORY_POINT, Hand

if TYPE_CHECKING:
    from engine.outcome import Outcome
    from engine.rules import Rules
    from engine.step import Step


class Offer:
    """An open offer; the masks say who is asked, and who accepted or declined."""

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

    def __init__(self, rules: Rules, board: Board, order: tuple[int, ...]) -> None:
        n = len(order)
        self.rules = rules
        self.board = board
        self.players = n
        self.order = order
        self.hands = [[0] * 5 for _ in range(n)]
        self.bank = [rules.data.bank] * 5
        self.development_cards = [[0] * 5 for _ in range(n)]
        self.fresh = [[0] * 5 for _ in range(n)]
        self.played = [[0] * 5 for _ in range(n)]
        self.deck = list(rules.data.deck)
        self.roads = [0] * n
        self.reach = [0] * n
        """Intersections at the ends of own roads."""
        self.settlements = [0] * n
        self.cities = [0] * n
        self.buildings = 0
        """All settlements and cities."""
        self.paved = 0
        """All roads and bridges."""
        self.closed = 0
        """Intersections that the distance rule, or a building, closes."""
        self.rates = [[4] * 5 for _ in range(n)]
        self.robber = board.robber
        self.road_length = [0] * n
        self.longest = -1
        self.army = -1
        self.first = 0
        self.on_turn = -1
        self.place = 0
        """Place of the turn in the round, counted from the first player."""
        self.turn = 0
        self.turns = [0] * n
        """Turns begun, by seat."""
        self.round = 0
        self.dice: tuple[int, int] | None = None
        self.rolls = [0] * 13
        self.card_played = False
        self.built = False
        """Whether something was built or bought this turn."""
        self.offers: list[Offer] = []
        self.next_offer = 1
        self.asked = 0
        """Seats that asked for the special building phase this turn (J2)."""
        self.standing = [rules.data.standing if rules.data.special_building else 0] * n
        """Cards from which a seat is called without asking; 0: never (J2)."""
        self.votes = 0
        self.resigned = 0
        self.counts = [0] * n
        """Accepted actions, by seat; part of the decision ids."""
        self.ordinals = [0] * len(KINDS)
        self.next_serial = 1
        self.agenda: list[Step] = []
        self.extra: dict[str, int] = {}
        """Further facts by name: of alternate rules, and who agrees to end the game."""
        self.outcome: Outcome | None = None

    def copy(self) -> State:
        """An independent copy."""
        twin = State.__new__(State)
        twin.rules = self.rules
        twin.board = self.board
        twin.players = self.players
        twin.order = self.order
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

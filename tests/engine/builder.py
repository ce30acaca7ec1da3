"""Positions for tests in a few words: the fixed board of B7 with any pieces, hands and cards.

    t = table(seat(settlements="B4", roads="c4", hand="bbl"), seat(cities="D3"), dice=[(3, 3)], step="pre_roll")
    t.play(0, Roll())
    assert t.hand(1) == "bb"

Hands are letters (`b`rick, `l`umber, `w`ool, `g`rain, `o`re), development cards too (`k`night, `r`oad building,
`y`ear of plenty, `m`onopoly, `v`ictory point). Places are named as on the board: "C4", "c4", "3.2".
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from engine.actions import Action, PlaceAction
from engine.awards import award_road, measure_road
from engine.board import Board
from engine.chance import DRAW_KINDS
from engine.changes import BoardSnapshot, Recent
from engine.config import COLORS, Config
from engine.counting import Tally
from engine.domains import Options, Places
from engine.errors import IllegalAction
from engine.events import Event
from engine.game import Game
from engine.geometry import bits, mask_of
from engine.pieces import update_rates
from engine.resources import Hand, hand
from engine.scenarios.beginner import deal
from engine.state import Step, Tx
from engine.steps.turn import Main, PreRoll

RESOURCE_LETTERS = "blwgo"
CARD_LETTERS = "krymv"
E = TypeVar("E", bound=Event)
BOARD: Board = deal(Config(colors=COLORS[:4], scenario="beginner"), lambda kind, n: 0)
"""The fixed board: terrain, tokens and harbors as listed in B7."""


def cards(letters: str) -> Hand:
    """Resource cards by letter: `cards("bbl")`."""
    return hand(letters.count(x) for x in RESOURCE_LETTERS)


def letters(counts: Sequence[int], names: str = RESOURCE_LETTERS) -> str:
    """The letters of a hand: "bbl"."""
    return "".join(x * n for x, n in zip(names, counts, strict=True))


def node(name: str) -> int:
    """The id of an intersection."""
    return BOARD.grid.node_names.index(name)


def edge(name: str) -> int:
    """The id of an edge."""
    return BOARD.grid.edge_names.index(name)


def hex_(name: str) -> int:
    """The id of a hex."""
    return BOARD.grid.hex_names.index(name)


class Script:
    """Chance with given results: lists by kind of draw. Without one, seat 0 rolls highest, and everything else comes
    out lowest."""

    def __init__(self) -> None:
        self.next: dict[str, list[int]] = {kind: [] for kind in DRAW_KINDS}

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        if self.next[kind]:
            result = self.next[kind].pop(0)
            assert 0 <= result < n
            return result
        return 5 if kind == "first" and ordinal < 2 else 0


class Seeded:
    """Fast chance for random games: each draw has the same result in every process."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        return random.Random(f"{self.seed}/{kind}/{ordinal}").randrange(n)


@dataclass(frozen=True)
class Seat:
    """What a player has: places as names with spaces between, cards as letters. The `fresh` ones are part of
    `cards`."""

    settlements: str = ""
    cities: str = ""
    roads: str = ""
    hand: str = ""
    cards: str = ""
    fresh: str = ""
    played: str = ""


seat = Seat


class Table:
    """A game in a certain position, with the methods that tests need."""

    def __init__(self, game: Game, script: Script) -> None:
        self.game = game
        self.script = script

    @property
    def state(self) -> Any:
        """The position itself. The caller can change it, so the cached options are dropped."""
        self.game._options.clear()
        return self.game.state

    @property
    def step(self) -> Any:
        """What all see of the decision on top. It is `Any`, because each kind of step has its own facts."""
        return self.game.view().step

    def play(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Carry out an action. Returns the events."""
        return self.game.play(seat, action)

    def refused(self, seat: int, action: Action) -> IllegalAction:
        """Try an action that must be refused without a trace. Returns the refusal."""
        before = (self.game.hash(), self.game.revision, self.game.last_events, self.game.can_undo(seat))
        with pytest.raises(IllegalAction) as refused:
            self.game.play(seat, action)
        assert (self.game.hash(), self.game.revision, self.game.last_events, self.game.can_undo(seat)) == before
        assert str(refused.value).endswith(".")
        return refused.value

    def code(self, seat: int, action: Action) -> str:
        """The code with which an action is refused."""
        return self.refused(seat, action).code

    def places(self, seat: int, cls: type[PlaceAction]) -> str:
        """Names of the places where a seat can do something, in order, with spaces between."""
        grid = self.game.board.grid
        names = {"Settlement": grid.node_names, "City": grid.node_names, "Yield": grid.node_names}
        kind = next((n for k, n in names.items() if k in cls.__name__), grid.edge_names)
        if cls.__name__ == "MoveRobber":
            kind = grid.hex_names
        return " ".join(kind[at] for at in places_of(self.game.options(seat), cls))

    def can(self, seat: int, action: Action) -> bool:
        """Whether the options list the action."""
        return self.game.options(seat).allows(action)

    def hand(self, seat: int) -> str:
        """A seat's resource cards as letters."""
        return letters(self.state.hands[seat])

    def rolls(self, *dice: tuple[int, int]) -> None:
        """Set the next rolls."""
        self.script.next["dice"] += [face - 1 for pair in dice for face in pair]

    def draws_card(self, letter: str) -> None:
        """Set the development card that is bought next."""
        self.script.next["deck"].append(sum(self.state.deck[: CARD_LETTERS.index(letter)]))

    def steals(self, victim: int, letter: str) -> None:
        """Set the card that the robber takes next, from the victim's present hand."""
        self.script.next["steal"].append(sum(self.state.hands[victim][: RESOURCE_LETTERS.index(letter)]))


def table(
    *seats: Seat,
    players: int = 3,
    on_turn: int = 0,
    step: str | Step = "main",
    robber: str = "3.3",
    bank: str | None = None,
    dice: Iterable[tuple[int, int]] = (),
    **config: Any,
) -> Table:
    """A base game on the board of B7 with these players. Bank and awards follow from what they have; `bank`
    overrides."""
    count = max(len(seats), 2) if seats else players
    settings = Config(colors=COLORS[:count], shuffle_seats=False, **config)
    script = Script()
    game = Game.new(settings, script)
    state = game.state
    state.board = BOARD
    state.robber = hex_(robber)
    for number, seat in enumerate(seats):
        _put(state, number, seat)
    _derive(state)
    if bank is not None:
        state.bank = list(cards(bank))
    state.on_turn, state.place = on_turn, on_turn
    state.turn = state.round = 1
    state.turns = [1] * count
    state.agenda.clear()
    if isinstance(step, str):
        state.dice = (1, 2) if step == "main" else None
        step = {"main": Main, "pre_roll": PreRoll}[step](on_turn)
    state.push(step)
    game.last_events = ()
    game._recent = Recent.after_deal(1, (), count, BoardSnapshot.of(state))
    game._tally = Tally(state.rules.data, tuple(map(hand, state.hands)))
    made = Table(game, script)
    made.rolls(*dice)
    return made


def _put(state: Any, number: int, seat: Seat) -> None:
    grid = state.board.grid
    state.settlements[number] = mask_of(map(grid.node_names.index, seat.settlements.split()))
    state.cities[number] = mask_of(map(grid.node_names.index, seat.cities.split()))
    state.roads[number] = mask_of(map(grid.edge_names.index, seat.roads.split()))
    state.hands[number] = list(cards(seat.hand))
    for to, letters in ((state.development_cards, seat.cards), (state.fresh, seat.fresh), (state.played, seat.played)):
        to[number] = [letters.count(x) for x in CARD_LETTERS]


def _derive(state: Any) -> None:
    """Set everything that follows from pieces and hands."""
    seats = range(state.players)
    state.bank = [n - sum(state.hands[s][r] for s in seats) for r, n in enumerate([state.rules.data.bank] * 5)]
    state.deck = [
        n - sum(state.development_cards[s][c] + state.played[s][c] for s in seats)
        for c, n in enumerate(state.rules.data.deck)
    ]
    state.buildings = state.paved = state.closed = 0
    for s in seats:
        state.buildings |= state.settlements[s] | state.cities[s]
        state.paved |= state.roads[s]
        state.reach[s] = 0
        for e in bits(state.roads[s]):
            state.reach[s] |= state.board.grid.edge_node_mask[e]
        update_rates(state, s)
    for n in bits(state.buildings):
        state.closed |= state.board.blocks[n]
    for s in seats:
        measure_road(state, s)
    state.longest = state.army = -1
    award_road(state, Tx(state, Script()))
    knights = [state.played[s][0] for s in seats]
    if max(knights) >= state.rules.data.army_award and knights.count(max(knights)) == 1:
        state.army = knights.index(max(knights))


def places_of(options: Options, cls: type[PlaceAction]) -> list[int]:
    """Ids of the places where an action is possible."""
    domain = options.get(cls)
    assert domain is None or isinstance(domain, Places)
    return [action.at for action in domain or ()]


def events_of(events: Iterable[Event], *kinds: type[E]) -> list[E]:
    """The events of these kinds."""
    return [e for e in events if isinstance(e, kinds)]

"""The rules a second time, worked out slowly from the board alone: what can be built where, what a roll pays, who has
an award."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import BankTrade, BuildCity, BuildRoad, BuildSettlement, BuyCard, Undo
from engine.game import Game
from engine.geometry import bits
from engine.resources import DESERT, SEA, single
from engine.state import State
from engine.steps.robber import CountKnights
from engine.steps.turn import Main
from tests.engine.builder import places_of
from tests.engine.invariants import trail_by_hand


def owners(state: State) -> dict[int, tuple[int, int]]:
    """Buildings by intersection: (seat, cards that each hex gives)."""
    found = {}
    for seat in range(state.players):
        for n in range(len(state.board.grid.nodes)):
            if state.settlements[seat] >> n & 1:
                found[n] = (seat, 1)
            if state.cities[seat] >> n & 1:
                found[n] = (seat, 2)
    return found


def roads(state: State, seat: int) -> set[int]:
    """Edges where the seat can build a road (F2)."""
    grid, built = state.board.grid, owners(state)
    mine = {e for e in range(len(grid.edges)) if state.roads[seat] >> e & 1}
    taken = {e for e in range(len(grid.edges)) for s in range(state.players) if state.roads[s] >> e & 1}
    found = set()
    for e, ends in enumerate(grid.edges):
        land = any(state.board.terrain[h] != SEA for h in grid.edge_hexes[e])
        for n in ends if land and e not in taken else ():
            if n in built:
                if built[n][0] == seat:
                    found.add(e)
            elif any(n in grid.edges[road] for road in mine):
                found.add(e)
    return found


def settlements(state: State, seat: int) -> set[int]:
    """Intersections where the seat can build a settlement (F3, F4, K5)."""
    grid, built = state.board.grid, owners(state)
    found = {n for e, ends in enumerate(grid.edges) if state.roads[seat] >> e & 1 for n in ends}
    for e, (a, b) in enumerate(grid.edges):
        if any(state.board.terrain[h] != SEA for h in grid.edge_hexes[e]):
            found -= {b} if a in built else set()
            found -= {a} if b in built else set()
    return {n for n in found if n not in built and any(state.board.terrain[h] != SEA for h in grid.node_hexes[n])}


def check_building(game: Game) -> None:
    """Check that the options to build and to trade with the bank in the main part of a turn are those of the rules."""
    state, step = game.state, game.state.agenda[-1]
    if not isinstance(step, Main) or game.config.variants:
        return
    seat = step.seat
    hand, options = state.hands[seat], game.options(seat)

    def pays(cost: tuple[int, ...]) -> bool:
        return all(h >= c for h, c in zip(hand, cost, strict=True))

    cities = {n for n, (s, size) in owners(state).items() if s == seat and size == 1}
    used = [state.roads[seat].bit_count(), len(cities), state.cities[seat].bit_count()]
    expected = {
        BuildRoad: roads(state, seat) if pays((1, 1, 0, 0, 0)) and used[0] < 15 else set(),
        BuildSettlement: settlements(state, seat) if pays((1, 1, 1, 1, 0)) and used[1] < 5 else set(),
        BuildCity: cities if pays((0, 0, 0, 2, 3)) and used[2] < 4 else set(),
    }
    for cls, places in expected.items():
        assert set(places_of(options, cls)) == places
    assert (BuyCard in options) == (pays((0, 0, 1, 1, 1)) and sum(state.deck) > 0)
    trades = {
        BankTrade(single(r, state.rates[seat][r]), single(s))
        for r in range(5)
        for s in range(5)
        if r != s and hand[r] >= state.rates[seat][r] and state.bank[s]
    }
    assert set(options.get(BankTrade, ())) == trades


def payout(state: State, number: int) -> list[list[int]]:
    """The cards that every seat gets for a roll (D2, A2, G4, I7)."""
    board, built = state.board, owners(state)
    due = [[0] * 5 for _ in range(state.players)]
    for h, token in enumerate(board.tokens):
        if token == number and h != state.robber and board.terrain[h] < DESERT:
            for n in board.grid.hex_nodes[h]:
                if n in built and not state.resigned >> built[n][0] & 1:
                    due[built[n][0]][board.terrain[h]] += built[n][1]
    for r in range(5):
        if sum(d[r] for d in due) > state.bank[r]:
            claims = [d for d in due if d[r]]
            alone = len(claims) == 1 and state.rules.config.edition == "2007"
            for d in claims:
                d[r] = state.bank[r] if alone else 0
    return due


def holder(before: int, counts: Sequence[int], resigned: int, least: int) -> int:
    """Who has an award, by each seat's number of segments or knights (I1 to I3, I7). Its holder (`before`) keeps it
    while no seat in play has more. Otherwise the only seat with the most takes it. If there is none, or the most is
    less than `least`, no seat has it (-1)."""
    playing = [seat for seat in range(len(counts)) if not resigned >> seat & 1]
    most = max(counts[seat] for seat in playing)
    best = [seat for seat in playing if counts[seat] == most]
    if most < least:
        return -1
    if before in best:
        return before
    return best[0] if len(best) == 1 else -1


class Awards:
    """Follows, action by action, who must have the two awards, from what is on the board, and compares that with the
    engine."""

    def __init__(self, game: Game, road: int = -1, army: int = -1) -> None:
        """`road`, `army`: the seats that have the awards at the beginning."""
        self.held = (road, army)
        self._lengths: dict[tuple[int, int], int] = {}
        self._earlier: dict[object, tuple[int, int]] = {}
        self._note(game.state)

    def check(self, game: Game) -> None:
        """Check the awards. Call it after each action."""
        state = game.state
        if isinstance(game.records[-1].action, Undo):
            self.held = self._earlier[_facts(state)]
        else:
            road, army = self.held
            knights, now = self._knights, [played[0] for played in state.played]
            army = holder(army, knights, state.resigned, 3)
            for seat in self._laid if now != knights else ():  # counted in the order played (H3, L8)
                knights[seat] += 1
                army = holder(army, knights, state.resigned, 3)
            assert knights == now
            lengths = [self._length(state, seat) for seat in range(state.players)]
            self.held = (holder(road, lengths, state.resigned, 5), army)
        assert (state.longest, state.army) == self.held
        self._note(state)

    def _note(self, state: State) -> None:
        self._earlier[_facts(state)] = self.held
        self._knights = [played[0] for played in state.played]
        self._laid = [seat for step in state.agenda if isinstance(step, CountKnights) for seat in step.seats]

    def _length(self, state: State, seat: int) -> int:
        walls = state.buildings & ~(state.settlements[seat] | state.cities[seat])
        key = (state.roads[seat], walls)
        if key not in self._lengths:
            ends = [state.board.grid.edges[e] for e in bits(state.roads[seat])]
            self._lengths[key] = trail_by_hand(ends, set(bits(walls)))
        return self._lengths[key]


def _facts(state: State) -> object:
    """All that the awards depend on."""
    return (*state.roads, *state.settlements, *state.cities, *map(tuple, state.played), state.resigned)

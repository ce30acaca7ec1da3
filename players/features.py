"""Features: what makes a seat strong, in numbers. Each has a weight (`players.chances`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.board import pips
from engine.geometry import bits
from engine.resources import DESERT, KNIGHT, VICTORY_POINT, Hand
from engine.state import State
from players.belief import Belief
from players.survey import Survey

BLOCKED = 0.5
"""How much the pips count that the robber blocks. It moves on after some rolls."""


class Sites(NamedTuple):
    """Where a seat can settle."""

    now: float
    """Pips of the best intersection that it reaches."""
    following: float
    """Pips of the best that it reaches with one more road."""
    far: float
    """Pips of the best that it reaches with two more roads."""
    open: int
    """How many intersections it can settle now."""
    best: int
    """The best intersection now, or if there is none, with one more road; -1: none."""


class Judge:
    """Works out the features of seats in positions on one board. Remembers what depends only on the pieces there."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._sites: dict[tuple[int, int, int, int], Sites] = {}
        self._production: dict[tuple[int, int, int], list[float]] = {}
        self._brings: dict[tuple[int, int, int], list[Hand | None]] = {}
        self._paces: dict[tuple[int, int, int, tuple[int, ...]], list[float]] = {}

    def key(self, state: State, seat: int, belief: Belief | None = None) -> tuple[object, ...]:
        """Everything that a seat's features depend on. An action changes it for few seats only."""
        return (
            seat,
            belief or (tuple(state.hands[seat]), tuple(state.development_cards[seat])),
            state.settlements[seat],
            state.cities[seat],
            state.roads[seat],
            self.robbed(state, seat),
            self.sites(state, seat),
            state.longest,
            state.army,
            tuple(state.road_length),
            tuple([played[KNIGHT] for played in state.played]),
            state.played[seat][VICTORY_POINT],
            state.on_turn,
            not any(state.deck),
        )

    def features(self, state: State, seat: int, belief: Belief | None = None) -> dict[str, float]:
        """The features of a seat by name, always in the same order; most lie between 0 and 1.

        With a `belief` about its cards, the features that depend on them are averages.
        """
        data = state.rules.data
        target = float(data.target)
        development: Sequence[float] = state.development_cards[seat] if belief is None else belief.development
        points = state.points(seat) + (development[VICTORY_POINT] if data.hidden_points else 0)
        early = 1.0 - points / target
        production = self.production(state, seat)
        rates = state.rates[seat]
        bank, kinds = 0.0, 0
        roots = [0.0, 0.0, 0.0, 0.0, 0.0]
        for r in range(5):
            n = production[r]
            if n > 0.0:
                kinds += 1
                roots[r] = n**0.5
                bank += n / rates[r]
        paces = self.paces(state, seat)
        sites = self.sites(state, seat)
        roads = state.roads[seat].bit_count()
        can_road = roads < data.roads
        settlements = state.settlements[seat].bit_count()
        cities = state.cities[seat].bit_count()
        can_settle = settlements < data.settlements and sites.open > 0
        can_city = cities < data.cities and settlements > 0
        knights = state.played[seat][KNIGHT]
        others_road, others_army = 0, 0
        for s in range(state.players):
            if s != seat and not state.resigned >> s & 1:  # who has left can't hold an award (I7)
                others_road = max(others_road, state.road_length[s])
                others_army = max(others_army, state.played[s][KNIGHT])
        limit, deck = data.discard_limit, any(state.deck)
        cards = at_risk = to_road = to_settlement = to_city = to_card = 0.0
        for hand, likely in ((state.hands[seat], 1.0),) if belief is None else belief.ways:
            size = hand[0] + hand[1] + hand[2] + hand[3] + hand[4]
            cards += likely * min(size, limit)
            at_risk += likely * max(0, size - limit)
            if can_road:
                to_road += likely * near(hand, data.road_cost, rates)
            if can_settle:
                to_settlement += likely * near(hand, data.settlement_cost, rates)
            if can_city:
                to_city += likely * near(hand, data.city_cost, rates)
            if deck:
                to_card += likely * near(hand, data.card_cost, rates)
        hidden = development[0] + development[1] + development[2] + development[3]
        length = state.road_length[seat]
        turn = state.on_turn if state.on_turn >= 0 else state.first
        return {
            "points": points / target,
            "points_late": (points / target) ** 3,
            "brick": production[0] * early / 10.0,
            "lumber": production[1] * early / 10.0,
            "wool": production[2] * early / 10.0,
            "grain": production[3] * early / 10.0,
            "ore": production[4] * early / 10.0,
            "brick_root": roots[0] / 3.0,
            "lumber_root": roots[1] / 3.0,
            "wool_root": roots[2] / 3.0,
            "grain_root": roots[3] / 3.0,
            "ore_root": roots[4] / 3.0,
            "kinds": kinds / 5.0,
            "bank": bank / 10.0,
            "road_pace": paces[0],
            "settlement_pace": paces[1],
            "city_pace": paces[2],
            "card_pace": paces[3],
            "cards": cards / 7.0,
            "at_risk": at_risk / 7.0,
            "to_road": to_road,
            "to_settlement": to_settlement,
            "to_city": to_city,
            "to_card": to_card,
            "site_now": sites.now / 10.0,
            "site_next": sites.following / 10.0,
            "site_far": sites.far / 10.0,
            "sites": min(sites.open, 4) / 4.0,
            "road": length / 10.0,
            "road_gap": min(0, length - max(others_road, data.road_award - 1)) / 10.0,
            "road_award": 1.0 if state.longest == seat else 0.0,
            "knights": knights / 5.0,
            "army_gap": min(0, knights - max(others_army, data.army_award - 1)) / 5.0,
            "army_award": 1.0 if state.army == seat else 0.0,
            "knight_cards": development[KNIGHT] / 3.0,
            "other_cards": (hidden - development[KNIGHT]) / 3.0,
            "full": 1.0 if settlements >= data.settlements else 0.0,
            "wait": ((seat - turn) % state.players) / state.players,
        }

    def robbed(self, state: State, seat: int) -> int:
        """The robber's hex if it touches one of the seat's buildings, else -1."""
        if state.robber < 0:
            return -1
        touched = state.board.hex_node_mask[state.robber] & (state.settlements[seat] | state.cities[seat])
        return state.robber if touched else -1

    def production(self, state: State, seat: int) -> list[float]:
        """Pips by resource that the seat's buildings bring; those that the robber blocks count less."""
        at = self.robbed(state, seat)
        key = (state.settlements[seat], state.cities[seat], at)
        found = self._production.get(key)
        if found is not None:
            return found
        made, board = [0.0, 0.0, 0.0, 0.0, 0.0], state.board
        for number, cards in enumerate(self.brings(state, seat)):
            if cards is not None:
                for r in range(5):
                    made[r] += pips(number) * cards[r]
        if at >= 0 and board.terrain[at] < DESERT:
            around = board.hex_node_mask[at]
            buildings = (around & state.settlements[seat]).bit_count() + 2 * (around & state.cities[seat]).bit_count()
            made[board.terrain[at]] += BLOCKED * pips(board.tokens[at]) * buildings
        self._production[key] = made
        return made

    def brings(self, state: State, seat: int) -> list[Hand | None]:
        """The cards that each roll, 0 to 12, brings to the seat's buildings if the bank has them; None: nothing."""
        key = (state.settlements[seat], state.cities[seat], self.robbed(state, seat))
        found = self._brings.get(key)
        if found is None:
            cards = [[0, 0, 0, 0, 0] for _ in range(13)]
            for nodes, each in ((state.settlements[seat], 1), (state.cities[seat], 2)):
                for node in bits(nodes):
                    for h, resource, number in self.survey.hexes[node]:
                        if h != state.robber:
                            cards[number][resource] += each
            found = self._brings[key] = [(b, lu, w, g, o) if b + lu + w + g + o else None for b, lu, w, g, o in cards]
        return found

    def paces(self, state: State, seat: int) -> list[float]:
        """How many roads, settlements, cities or cards the seat could pay for in ten rolls, buying nothing else."""
        key = (state.settlements[seat], state.cities[seat], self.robbed(state, seat), tuple(state.rates[seat]))
        found = self._paces.get(key)
        if found is None:
            production = self.production(state, seat)
            data, rates = state.rules.data, state.rates[seat]
            costs = (data.road_cost, data.settlement_cost, data.city_cost, data.card_cost)
            found = self._paces[key] = [10.0 / rolls(cost, production, rates) for cost in costs]
        return found

    def sites(self, state: State, seat: int) -> Sites:
        """Where the seat can settle now, with one more road, and with two.

        Edges that take only a bridge count like others.
        """
        own = state.settlements[seat] | state.cities[seat]
        key = (state.reach[seat] | own, state.closed, state.paved, state.buildings & ~own)
        found = self._sites.get(key)
        if found is not None:
            return found
        board, total = state.board, self.survey.total
        free = board.settle_mask & ~state.closed
        edges = (board.road_mask | board.bridge_mask) & ~state.paved
        strangers = state.buildings & ~own
        most, best = [0, 0, 0], [-1, -1, -1]
        seen = state.reach[seat] | own
        frontier = seen
        for step in range(3):
            nodes = (state.reach[seat] if step == 0 else frontier) & free
            while nodes:
                low = nodes & -nodes
                nodes ^= low
                at = low.bit_length() - 1
                if total[at] > most[step]:
                    most[step], best[step] = total[at], at
            if step < 2:
                frontier = self._spread(frontier & ~strangers, edges) & ~seen
                seen |= frontier
        found = Sites(
            float(most[0]),
            float(most[1]),
            float(most[2]),
            (state.reach[seat] & free).bit_count(),
            best[0] if best[0] >= 0 else best[1],
        )
        self._sites[key] = found
        return found

    def _spread(self, nodes: int, edges: int) -> int:
        """Both ends of those `edges` that touch one of the `nodes`."""
        grid, ends = self.survey.board.grid, 0
        node_edges, edge_nodes = grid.node_edge_mask, grid.edge_node_mask
        while nodes:
            low = nodes & -nodes
            nodes ^= low
            ways = node_edges[low.bit_length() - 1] & edges
            while ways:
                way = ways & -ways
                ways ^= way
                ends |= edge_nodes[way.bit_length() - 1]
        return ends


def near(hand: Sequence[int], cost: tuple[int, int, int, int, int], rates: list[int]) -> float:
    """How near a hand is to a price, trades with the bank included: 1 if it can pay, 0 if it has none of it."""
    missing, lots, price = 0, 0, 0
    for r in range(5):
        spare = hand[r] - cost[r]
        price += cost[r]
        if spare < 0:
            missing -= spare
        else:
            lots += spare // rates[r]
    missing = max(0, missing - lots)
    return 1.0 - missing / price


def rolls(cost: Sequence[float], production: list[float], rates: list[int]) -> float:
    """Rolls until an empty hand can pay a price, if it trades spare cards with the bank; at most 200."""
    low, high = 0.0, 200.0
    for _ in range(10):
        middle = (low + high) / 2.0
        balance = 0.0
        for r in range(5):
            over = production[r] / 36.0 * middle - cost[r]
            balance += over / rates[r] if over > 0.0 else over
        if balance < 0.0:
            low = middle
        else:
            high = middle
    return high

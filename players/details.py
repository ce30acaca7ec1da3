"""Details: inputs of the net in addition to the features that have weights (`players.net`)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.board import pips
from engine.geometry import bits
from engine.resources import KNIGHT, MONOPOLY, ROAD_BUILDING, VICTORY_POINT, YEAR_OF_PLENTY, covers
from engine.state import State
from players.belief import Belief
from players.features import BLOCKED, Judge, rolls

DETAILS = (
    *("has_brick", "has_lumber", "has_wool", "has_grain", "has_ore"),
    *("pays_road", "pays_settlement", "pays_city", "pays_card"),
    *("soon_road", "soon_settlement", "soon_city", "soon_card"),
    *("brick_rate", "lumber_rate", "wool_rate", "grain_rate", "ore_rate"),
    *("site_brick", "site_lumber", "site_wool", "site_grain", "site_ore"),
    *("site_new", "site_rate", "site_contested"),
    *("roads_left", "settlements_left", "cities_left", "road_building", "year_of_plenty", "monopoly"),
    *("road_margin", "army_margin", "deck", "round", "others", "lead", "on_turn"),
    *("production", "spread", "upgrade", "settlements", "cities"),
)


def details(judge: Judge, state: State, seat: int, belief: Belief | None = None) -> list[float]:
    """The details of a seat, in the order of `DETAILS`; with a `belief` about its cards, averages."""
    data, rates = state.rules.data, state.rates[seat]
    development: Sequence[float] = state.development_cards[seat] if belief is None else belief.development
    hand = [0.0, 0.0, 0.0, 0.0, 0.0]
    pays = [0.0, 0.0, 0.0, 0.0]
    costs = (data.road_cost, data.settlement_cost, data.city_cost, data.card_cost)
    for cards, likely in ((state.hands[seat], 1.0),) if belief is None else belief.ways:
        for r in range(5):
            hand[r] += likely * cards[r]
        for k in range(4):
            if covers(cards, costs[k]):
                pays[k] += likely
    points = state.points(seat) + (development[VICTORY_POINT] if data.hidden_points else 0)
    rivals = [*bits(state.active() & ~(1 << seat))]
    ahead = max([state.points(s) for s in rivals], default=0)
    longest = max([state.road_length[s] for s in rivals], default=0)
    knights = max([state.played[s][KNIGHT] for s in rivals], default=0)
    roads, settlements = state.roads[seat].bit_count(), state.settlements[seat].bit_count()
    cities, production = state.cities[seat].bit_count(), judge.production(state, seat)
    return [
        *[min(4.0, n) / 4.0 for n in hand],
        *pays,
        *[10.0 / (10.0 + rolls([cost[r] - hand[r] for r in range(5)], production, rates)) for cost in costs],
        *[(4 - rate) / 2.0 for rate in rates],
        *_site(judge, state, seat, production),
        max(0, data.roads - roads) / 15.0,
        max(0, data.settlements - settlements) / 5.0,
        max(0, data.cities - cities) / 4.0,
        development[ROAD_BUILDING] / 2.0,
        development[YEAR_OF_PLENTY] / 2.0,
        development[MONOPOLY] / 2.0,
        (state.road_length[seat] - longest) / 5.0 if state.longest == seat else 0.0,
        (state.played[seat][KNIGHT] - knights) / 3.0 if state.army == seat else 0.0,
        sum(state.deck) / 25.0,
        min(state.round, 30) / 20.0,
        ahead / data.target,
        (points - ahead) / data.target,
        1.0 if state.on_turn == seat else 0.0,
        sum(production) / 20.0,
        *_yields(judge, state, seat),
        settlements / 5.0,
        cities / 4.0,
    ]


def _site(judge: Judge, state: State, seat: int, production: list[float]) -> list[float]:
    """The best intersection that the seat can settle soon: its pips by resource, its new resources, its harbor, and
    whether others reach it."""
    at = judge.sites(state, seat).best
    if at < 0:
        return [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    pips, rates = judge.survey.yields[at], state.rates[seat]
    new = sum([1.0 for r in range(5) if pips[r] and production[r] <= 0.0])
    better = judge.survey.saved(at, rates, production)
    return [*[n / 5.0 for n in pips], new / 3.0, better, 1.0 if is_contested(state, seat, at) else 0.0]


def is_contested(state: State, seat: int, at: int) -> bool:
    """Whether another seat's roads reach an intersection."""
    return any(state.reach[s] >> at & 1 for s in bits(state.active() & ~(1 << seat)))


def _yields(judge: Judge, state: State, seat: int) -> list[float]:
    """How likely a roll brings cards, and the pips of the best settlement to upgrade to a city."""
    spread, best = 0, 0.0
    for number, cards in enumerate(judge.brings(state, seat)):
        if cards is not None:
            spread += pips(number)
    for node in bits(state.settlements[seat]):
        total = 0.0
        for h, _, number in judge.survey.hexes[node]:
            total += (BLOCKED if h == state.robber else 1.0) * pips(number)
        best = max(best, total)
    return [spread / 36.0, best / 15.0]

"""A newcomer's plan for their turn: what to go for next, what is missing for it, and the next step toward it.

It is simpler than what a strong bot would do, so that each step follows from the one before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.actions import (
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CloseOffer,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayKnight,
    Roll,
    TakeCard,
)
from engine.domains import Cards, Options, Places
from engine.events import OfferMade
from engine.geometry import bits
from engine.position import Position
from engine.resources import NOTHING, Hand, covers, hand, single
from engine.rules import data_of
from engine.state import State
from engine.terms import Piece
from engine.values import value
from engine.views import PlayerView, View
from players.features import Judge, rolls
from players.places import rank_hexes, site_worth
from players.survey import survey_of

FAR = 2
"""Most roads to build for a settlement."""
MOST_OFFERS = 2
"""Most offers in a turn: more would only hold up the others."""
CARD = 0.35
"""Points that a development card is worth; a settlement or a city is worth one, and what it brings."""


@value
class Goal:
    """Something to go for: what builds or buys it in the end, a settlement, a city or a development card."""

    action: BuildSettlement | BuildCity | BuyCard
    ways: tuple[int, ...]
    """Edges that need a road first, in this order."""
    cost: Hand
    """Including the roads."""
    missing: Hand

    @property
    def at(self) -> int:
        """The intersection; -1: none."""
        return -1 if isinstance(self.action, BuyCard) else self.action.at


def goal(view: View) -> Goal | None:
    """The goal worth most for the time it takes, by the viewer's hand and yield; None if there is none left."""
    position, me = Position.of(view, random.Random(0)), _me(view)  # whatever others may hold
    production = Judge(survey_of(view.board)).production(position.state, me.seat)

    def rank(aim: Goal) -> tuple[float, int, int]:
        waiting = rolls(aim.missing, production, [*me.rates]) + 4 + 2 * len(aim.ways)
        return _worth(view, aim) / waiting, -sum(aim.cost), -aim.at

    return max(_goals(view, position), key=rank, default=None)


def _worth(view: View, aim: Goal) -> float:
    """A goal's points, and what it brings."""
    match aim.action:
        case BuildSettlement(at):
            return 1.0 + site_worth(view, at) / 10
        case BuildCity(at):
            return 1.0 + survey_of(view.board).total[at] / 10
        case _:
            return CARD


def _goals(view: View, position: Position) -> Iterator[Goal]:
    """Possible goals: the best city, each settlement within reach, and a development card."""
    data, me, total = data_of(view.config), _me(view), survey_of(view.board).total
    roads, settlements, cities = me.pieces_left

    def made(action: BuildSettlement | BuildCity | BuyCard, cost: Hand, ways: tuple[int, ...] = ()) -> Goal:
        return Goal(action, ways, cost, hand(max(0, c - h) for c, h in zip(cost, _held(view), strict=True)))

    if cities and (places := position.room(me.seat, Piece.CITY)):
        yield made(BuildCity(max(bits(places), key=lambda node: (total[node], -node))), data.city_cost)
    if settlements:
        for node, ways in _sites(position.state, me.seat).items():
            if len(ways) <= roads:
                cost = hand(s + len(ways) * r for s, r in zip(data.settlement_cost, data.road_cost, strict=True))
                yield made(BuildSettlement(node), cost, ways)
    if view.deck:
        yield made(BuyCard(), data.card_cost)


def _sites(state: State, seat: int) -> dict[int, tuple[int, ...]]:
    """Intersections where a seat could settle after some roads, each with the edges of the shortest way there."""
    board, others = state.board, state.opponents(seat)
    free = board.road_mask & ~state.paved
    start = state.reach[seat] | state.settlements[seat] | state.cities[seat]
    ways: dict[int, tuple[int, ...]] = dict.fromkeys(bits(start), ())
    frontier = [*bits(start & ~others)]
    for _ in range(FAR):
        following = []
        for node in frontier:
            for edge in bits(board.grid.node_edge_mask[node] & free):
                end = next(n for n in board.grid.edges[edge] if n != node)
                if end not in ways:
                    ways[end] = (*ways[node], edge)
                    if not others >> end & 1:
                        following.append(end)
        frontier = following
    sites = board.settle_mask & ~state.closed
    return {node: way for node, way in ways.items() if sites >> node & 1}


def step(view: View, options: Options, aim: Goal | None) -> Action | None:
    """The next action, toward the goal if there is one; None if nothing fits the present decision."""
    if isinstance(cards := options.get(Discard), Cards):
        return Discard(_spared(cards, NOTHING if aim is None else aim.cost))
    if isinstance(places := options.get(MoveRobber), Places):
        return MoveRobber(rank_hexes(view, bits(places.mask))[0])
    if TakeCard in options:
        victims = [action for action in options[TakeCard] if isinstance(action, TakeCard)]
        return max(victims, key=lambda action: (view.players[action.seat].points, view.players[action.seat].hand_size))
    if CloseOffer in options:
        return next(iter(options[CloseOffer]))
    if PlayKnight in options and _is_robbed(view):
        return PlayKnight()
    if Roll in options:
        return Roll()
    candidates = () if aim is None else _wanted(view, aim)
    best = next((action for action in candidates if options.allows(action)), None)
    return best or (EndTurn() if EndTurn in options else None)


def _spared(cards: Cards, cost: Hand) -> Hand:
    """A discard, card by card of the resource that the goal needs least."""
    left, discarded = list(cards.caps), [0] * 5
    for _ in range(cards.total):
        kind = max((k for k in range(5) if left[k]), key=lambda k: left[k] - cost[k])
        left[kind] -= 1
        discarded[kind] += 1
    return hand(discarded)


def _wanted(view: View, aim: Goal) -> Iterator[Action]:
    """Actions toward a goal, the best first, as far as the cards allow."""
    data, have = data_of(view.config), _held(view)
    yield BuildRoad(aim.ways[0]) if aim.ways else aim.action
    spare = [h - c for h, c in zip(have, aim.cost, strict=True)]
    lacking = sorted((kind for kind in range(5) if aim.missing[kind]), key=lambda kind: -aim.missing[kind])
    giving = sorted((kind for kind in range(5) if spare[kind] > 0), key=lambda kind: -spare[kind])
    rates = _me(view).rates
    for give in giving:
        for get in lacking:
            if spare[give] >= rates[give] and give != get:
                yield BankTrade(single(give, rates[give]), single(get))
    made = sum(isinstance(e, OfferMade) and e.seat == view.seat for e in view.events)
    for give in giving if made < MOST_OFFERS else ():
        for get in lacking:
            if spare[give] > made:  # players who turned down one card could take two
                yield MakeOffer(single(give, made + 1), single(get))
    if sum(have) > data.discard_limit and covers([max(0, n) for n in spare], data.card_cost):
        yield BuyCard()  # with cards that the goal doesn't need: a 7 would cost them


def _is_robbed(view: View) -> bool:
    """Whether the robber is next to one of the viewer's buildings."""
    me = _me(view)
    return view.robber >= 0 and bool(view.board.hex_node_mask[view.robber] & (me.settlements | me.cities))


def _me(view: View) -> PlayerView:
    assert view.seat is not None
    return view.players[view.seat]


def _held(view: View) -> Hand:
    return _me(view).hand or NOTHING

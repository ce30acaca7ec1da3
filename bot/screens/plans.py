"""A newcomer's plan for their turn: what to go for next, what is missing for it, and the next step toward it.

It is simpler than what a strong bot would do, so that each step follows from the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.screens.ranking import intersection_value, rank_hexes
from bot.screens.viewer import Viewer
from bot.words import room
from bot.words.purchases import DEVELOPMENT_CARD
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
from engine.board import pips
from engine.domains import Cards, Places
from engine.events import OfferMade
from engine.geometry import bits
from engine.resources import DESERT, NOTHING, Hand, covers, hand, single
from engine.rules import data_of
from engine.terms import Piece
from engine.views import PlayerView, View
from players.features import rolls

FAR = 2
"""Most roads to build for a settlement."""
MOST = 2
"""Most offers in a turn: more would only hold up the others."""
WORTH = {Piece.SETTLEMENT: 1.0, Piece.CITY: 1.0, DEVELOPMENT_CARD: 0.35}
"""Points that a goal is worth, apart from its yield."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to go for: a settlement, a city or a development card."""

    what: str
    at: int
    """The intersection; -1: none."""
    ways: tuple[int, ...]
    """Edges that need a road first, in this order."""
    cost: Hand
    """Including the roads."""
    missing: Hand


def goal(view: View) -> Goal | None:
    """The goal worth most for the time it takes, by the viewer's hand and yield; None if there is none left."""
    found = list(_goals(view))
    return max(found, key=lambda one: (_worth(view, one), -sum(one.cost), -one.at)) if found else None


def step(viewer: Viewer, aim: Goal | None) -> Action | None:
    """The next action, toward the goal if there is one; None if nothing fits the present decision."""
    view, options = viewer.view, viewer.options
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
    candidates = [*_wanted(view, aim)] if aim is not None else []
    best = next((action for action in candidates if options.allows(action)), None)
    if best is not None:
        return best
    return EndTurn() if options.allows(EndTurn()) else None


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
    if aim.ways:
        yield BuildRoad(aim.ways[0])
    elif aim.what == Piece.SETTLEMENT:
        yield BuildSettlement(aim.at)
    elif aim.what == Piece.CITY:
        yield BuildCity(aim.at)
    else:
        yield BuyCard()
    spare = [h - c for h, c in zip(have, aim.cost, strict=True)]
    lacking = sorted((kind for kind in range(5) if aim.missing[kind]), key=lambda kind: -aim.missing[kind])
    giving = sorted((kind for kind in range(5) if spare[kind] > 0), key=lambda kind: -spare[kind])
    rates = view.players[view.seat or 0].rates
    for give in giving:
        for get in lacking:
            if spare[give] >= rates[give] and give != get:
                yield BankTrade(single(give, rates[give]), single(get))
    made = sum(isinstance(e, OfferMade) and e.seat == view.seat for e in view.events)
    for give in giving if made < MOST else ():
        for get in lacking:
            if spare[give] > made:  # players who turned down one card could take two
                yield MakeOffer(single(give, made + 1), single(get))
    if sum(have) > data.discard_limit and covers([max(0, n) for n in spare], data.card_cost):
        yield BuyCard()  # with cards that the goal doesn't need: a 7 would cost them


def _goals(view: View) -> Iterator[Goal]:
    """Possible goals: the best city, each settlement within reach, and a development card."""
    data, me = data_of(view.config), _me(view)
    roads, settlements, cities = me.pieces_left
    have = _held(view)

    def made(what: str, at: int, ways: tuple[int, ...], cost: Hand) -> Goal:
        missing = hand(max(0, c - h) for c, h in zip(cost, have, strict=True))
        return Goal(what, at, ways, cost, missing)

    if cities and (places := room.places(view, Piece.CITY)):
        best = max(bits(places), key=lambda node: (view.board.pips_at(node), -node))
        yield made(Piece.CITY, best, (), data.city_cost)
    if settlements:
        for node, ways in _sites(view).items():
            if len(ways) <= roads:
                cost = hand(s + len(ways) * r for s, r in zip(data.settlement_cost, data.road_cost, strict=True))
                yield made(Piece.SETTLEMENT, node, ways, cost)
    if view.deck:
        yield made(DEVELOPMENT_CARD, -1, (), data.card_cost)


def _sites(view: View) -> dict[int, tuple[int, ...]]:
    """Intersections where the viewer could settle after some roads, each with the edges of the shortest way there."""
    me, grid = _me(view), view.board.grid
    paved = others = 0
    for player in view.players:
        paved |= player.roads
        others |= 0 if player is me else player.settlements | player.cities
    free = view.board.road_mask & ~paved
    ways: dict[int, tuple[int, ...]] = dict.fromkeys(bits(room.ends(view, me) | me.settlements | me.cities), ())
    frontier = [node for node in ways if not others >> node & 1]
    for _ in range(FAR):
        following = []
        for node in frontier:
            for edge in grid.node_edges[node]:
                end = next(n for n in grid.edges[edge] if n != node)
                if free >> edge & 1 and end not in ways:
                    ways[end] = (*ways[node], edge)
                    if not others >> end & 1:
                        following.append(end)
        frontier = following
    return {node: way for node, way in ways.items() if view.free_intersections >> node & 1}


def _worth(view: View, aim: Goal) -> float:
    """A goal's points and yield, for each roll of waiting."""
    brings = 0.0
    if aim.what == Piece.SETTLEMENT:
        brings = intersection_value(view, aim.at) / 10
    elif aim.what == Piece.CITY:
        brings = view.board.pips_at(aim.at) / 10
    waiting = rolls(aim.missing, _yields(view), list(_me(view).rates))
    return (WORTH[aim.what] + brings) / (waiting + 4 + 2 * len(aim.ways))


def _yields(view: View) -> list[float]:
    """Pips of the viewer's buildings, by resource."""
    board, me, found = view.board, _me(view), [0.0] * 5
    for nodes, each in ((me.settlements, 1), (me.cities, 2)):
        for node in bits(nodes):
            for h in board.grid.node_hexes[node]:
                if board.terrain[h] < DESERT and h != view.robber:
                    found[board.terrain[h]] += each * pips(board.tokens[h])
    return found


def _is_robbed(view: View) -> bool:
    """Whether the robber is next to one of the viewer's buildings."""
    me = _me(view)
    return view.robber >= 0 and bool(view.board.hex_node_mask[view.robber] & (me.settlements | me.cities))


def _me(view: View) -> PlayerView:
    assert view.seat is not None
    return view.players[view.seat]


def _held(view: View) -> Hand:
    return _me(view).hand or NOTHING

"""Turns positions of catanatron's engine into ours, and our actions into its actions.

Nothing of catanatron is imported; only the names in its objects are known. So the checkout to play in can be chosen
when the program runs. A move here is what catanatron calls an action, without its color: (type, value).
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from engine import actions as do
from engine.awards import measure_road
from engine.board import Board, Harbor
from engine.changes import Changes
from engine.config import COLORS, Config
from engine.domains import Options
from engine.pieces import update_rates
from engine.position import Position
from engine.resources import DESERT, KNIGHT, NOTHING, SEA
from engine.rules import rules_of
from engine.scenarios.base import ISLAND
from engine.state import State, Step
from engine.steps.cards import FreeRoads
from engine.steps.discard import Discards
from engine.steps.robber import CountKnights, RobberStep
from engine.steps.setup import Setup, setup_order
from engine.steps.take_card import victims
from engine.steps.turn import Main, PreRoll
from engine.views import View, build_view

Move = tuple[str, Any]

SEATS = 4
RULES = rules_of(Config(colors=COLORS[:SEATS]))
RESOURCES = ("BRICK", "WOOD", "SHEEP", "WHEAT", "ORE")
"""Their names of the resources, in our order."""
DECK_ORDER = ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")
"""The order of resources in their counts, and of cards in the values of their actions."""
KINDS = {name: kind for kind, name in enumerate((*RESOURCES, None))}
"""Our codes by their names; None is a desert as terrain, and a 3:1 harbor as a harbor."""
CARDS = ("KNIGHT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY", "VICTORY_POINT")
NODES = ("NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST")
SIDES = ("NORTHEAST", "EAST", "SOUTHEAST", "SOUTHWEST", "WEST", "NORTHWEST")
RENAMED = {"buy_card": "BUY_DEVELOPMENT_CARD", "play_knight": "PLAY_KNIGHT_CARD"}
"""Their names of actions, by ours, if they differ."""


class Atlas:
    """One of their maps as a board of ours, with the ids of its places both ways."""

    def __init__(self, map_: Any) -> None:
        grid = ISLAND.grid
        index = {place: at for at, place in enumerate(grid.hexes)}
        terrain, tokens, harbors = [SEA] * len(grid.hexes), [0] * len(grid.hexes), []
        self.hexes: dict[Any, int] = {}
        self.nodes: dict[int, int] = {}
        for (x, y, z), tile in map_.tiles.items():
            at = self.hexes[x, y, z] = index[z + 2, x - y]
            if (x, y, z) in map_.land_tiles:
                terrain[at] = KINDS[tile.resource]
                tokens[at] = tile.number or 0
                corners = {ref.name: node for ref, node in tile.nodes.items()}
                for name, node in zip(NODES, grid.hex_nodes[at], strict=True):
                    assert self.nodes.setdefault(corners[name], node) == node
            elif hasattr(tile, "direction"):
                harbors.append(Harbor(at, SIDES.index(tile.direction.name), KINDS[tile.resource]))
        desert = terrain.index(DESERT)
        self.board = Board(ISLAND.land, ISLAND.sea, tuple(terrain), tuple(tokens), tuple(harbors), desert)
        self.their_hexes = {at: place for place, at in self.hexes.items()}
        self.their_nodes = {node: place for place, node in self.nodes.items()}
        self.their_edges = {e: tuple(sorted(self.their_nodes[n] for n in ends)) for e, ends in enumerate(grid.edges)}
        self.edges = {place: edge for edge, place in self.their_edges.items()}
        self._verify(map_)

    def _verify(self, map_: Any) -> None:
        """Assert that both engines agree on what is around every place."""
        board, grid = self.board, self.board.grid
        assert len(self.their_hexes) == len(grid.hexes)
        assert len(self.their_nodes) == len(grid.nodes)
        land = {tile.id: self.hexes[place] for place, tile in map_.land_tiles.items()}
        for place, node in self.nodes.items():
            around = sorted(h for h in grid.node_hexes[node] if board.land_mask >> h & 1)
            assert around == sorted(land[tile.id] for tile in map_.adjacent_tiles[place])
            kinds = {KINDS[resource] for resource, nodes in map_.port_nodes.items() if place in nodes}
            assert set(board.harbors_at(node)) == kinds
        for coordinate, tile in map_.land_tiles.items():
            for ref, pair in tile.edges.items():
                side = SIDES.index(ref.name)
                assert self.edges[min(pair), max(pair)] == grid.hex_edges[self.hexes[coordinate]][side]


def position(game: Any, atlas: Atlas) -> State:
    """Their game as a position of ours, with the pending decision on top of the agenda. Seats follow their order."""
    theirs = game.state
    state = State.new(RULES, atlas.board, tuple(range(SEATS)))
    for seat in range(SEATS):
        facts = _facts(theirs, seat)
        state.hands[seat] = [facts[f"{name}_IN_HAND"] for name in RESOURCES]
        state.development_cards[seat] = [facts[f"{name}_IN_HAND"] for name in CARDS]
        state.played[seat] = [facts[f"PLAYED_{name}"] for name in CARDS]
        if facts["HAS_ROAD"]:
            state.longest = seat
        if facts["HAS_ARMY"]:
            state.army = seat
    state.bank = [theirs.resource_freqdeck[DECK_ORDER.index(name)] for name in RESOURCES]
    state.deck = [theirs.development_listdeck.count(name) for name in CARDS]
    state.robber = atlas.hexes[theirs.board.robber_coordinate]
    _pieces(state, theirs, atlas)
    if theirs.is_initial_build_phase:
        _setup(state, theirs, atlas)
    else:
        _turn(state, theirs)
    return state


def _facts(theirs: Any, seat: int) -> dict[str, Any]:
    """What their state has about a seat."""
    start = f"P{seat}_"
    return {key[len(start) :]: fact for key, fact in theirs.player_state.items() if key.startswith(start)}


def _pieces(state: State, theirs: Any, atlas: Atlas) -> None:
    """Put their pieces on the board, and work out what follows from them."""
    board = state.board
    for place, (color, kind) in theirs.board.buildings.items():
        node, seat = atlas.nodes[place], theirs.color_to_index[color]
        (state.cities if kind == "CITY" else state.settlements)[seat] |= 1 << node
        state.buildings |= 1 << node
        state.closed |= board.blocks[node]
    for (a, b), color in theirs.board.roads.items():
        edge, seat = atlas.edges[min(a, b), max(a, b)], theirs.color_to_index[color]
        state.roads[seat] |= 1 << edge
        state.paved |= 1 << edge
        state.reach[seat] |= board.grid.edge_node_mask[edge]
    for seat in range(SEATS):
        update_rates(state, seat)
        measure_road(state, seat)


def _setup(state: State, theirs: Any, atlas: Atlas) -> None:
    """Push the decision in setup."""
    step = Setup(setup_order(0, SEATS), state.paved.bit_count())
    assert step.seat == theirs.current_player_index
    if theirs.current_prompt.name == "BUILD_INITIAL_ROAD":
        step.at = atlas.nodes[theirs.buildings_by_color[theirs.current_color()]["SETTLEMENT"][-1]]
    state.push(step)


def _turn(state: State, theirs: Any) -> None:
    """Set whose turn it is and what happened in it, and push the pending decisions."""
    seat = state.on_turn = state.place = theirs.current_turn_index
    state.turn = turns_begun(theirs)
    state.turns = [(state.turn - s + SEATS - 1) // SEATS for s in range(SEATS)]
    state.round = state.turns[0]
    records = theirs.action_records[4 * SEATS :]  # after setup
    for record in records:
        kind = record.action.action_type.name
        if kind == "END_TURN":
            state.dice, state.built, state.fresh[seat] = None, False, list(NOTHING)
        elif kind == "ROLL":
            state.dice = record.result
            state.rolls[sum(record.result)] += 1
        elif kind == "BUY_DEVELOPMENT_CARD":
            state.fresh[seat][CARDS.index(record.result)] += 1
        state.built |= kind.startswith(("BUILD", "BUY")) or kind == "PLAY_ROAD_BUILDING"
    facts = _facts(theirs, seat)
    state.card_played = facts["HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"]
    steps: list[Step] = [Main(seat) if facts["HAS_ROLLED"] else PreRoll(seat)]
    prompt = theirs.current_prompt.name
    if prompt == "DISCARD":
        steps += [RobberStep(seat), Discards(tuple(theirs.discard_counts), (None,) * SEATS)]
    elif prompt == "MOVE_ROBBER" and records[-1].action.action_type.name == "PLAY_KNIGHT_CARD":
        # in our engine a knight counts only after the robber's move
        state.played[seat][KNIGHT] -= 1
        state.army = army(theirs, records[:-1])
        steps += [CountKnights((seat,)), RobberStep(seat, knight=True)]
    elif prompt == "MOVE_ROBBER":
        steps.append(RobberStep(seat))
    elif theirs.is_road_building:
        steps.append(FreeRoads(seat, theirs.free_roads_available))
    for step in steps:
        state.push(step)


def turns_begun(theirs: Any) -> int:
    """Turns begun after setup. Their own count includes each change of seats in setup."""
    return 0 if theirs.is_initial_build_phase else int(theirs.num_turns) - 2 * (SEATS - 1) + 1


def army(theirs: Any, records: Iterable[Any]) -> int:
    """The seat that holds the largest army after these actions; -1: none."""
    knights, holder = [0] * SEATS, -1
    for record in records:
        if record.action.action_type.name == "PLAY_KNIGHT_CARD":
            seat = theirs.color_to_index[record.action.color]
            knights[seat] += 1
            if knights[seat] >= RULES.data.army_award and (holder < 0 or knights[seat] > knights[holder]):
                holder = seat
    return holder


def question(state: State, seat: int, revision: int) -> tuple[View, Options]:
    """The question for our bot: what it can know, and what it can do. Trade with other players isn't included."""
    view = build_view(state, seat, revision, (), (), Changes(), None, None)
    return view, _without_trade(state.rules.options(state, seat))


def _without_trade(options: Options) -> Options:
    for kind in (do.MakeOffer, do.AcceptOffer, do.DeclineOffer, do.CloseOffer, do.WithdrawOffer):
        options.pop(kind, None)
    return options


def moves(action: do.Action, state: State, atlas: Atlas) -> list[Move]:
    """Their moves for an action of ours, in order; for the robber's move see `robber_move`."""
    match action:
        case do.BuildRoad(at=at):
            return [("BUILD_ROAD", atlas.their_edges[at])]
        case do.BuildSettlement(at=at) | do.BuildCity(at=at):
            return [(action.name.upper(), atlas.their_nodes[at])]
        case do.PlayYearOfPlenty(cards=cards):
            return [("PLAY_YEAR_OF_PLENTY", tuple(sorted(_names(cards), key=DECK_ORDER.index)))]
        case do.PlayMonopoly(resource=resource):
            return [("PLAY_MONOPOLY", RESOURCES[resource])]
        case do.Discard(cards=cards):
            return [("DISCARD_RESOURCE", name) for name in _names(cards)]
        case do.BankTrade(give=give, get=get):
            rates = dict(zip(RESOURCES, state.rates[state.on_turn], strict=True))
            lots = _names(n // rate for n, rate in zip(give, rates.values(), strict=True))
            pairs = zip(lots, _names(get), strict=True)
            return [("MARITIME_TRADE", (*[out] * rates[out], *[None] * (4 - rates[out]), into)) for out, into in pairs]
    return [(RENAMED.get(action.name, action.name.upper()), None)]


def robber_move(at: int, victim: int | None, theirs: Any, atlas: Atlas) -> Move:
    """The robber's move and the seat that loses a card, which are one move in their engine."""
    return ("MOVE_ROBBER", (atlas.their_hexes[at], None if victim is None else theirs.colors[victim]))


def robbed(state: State, at: int) -> list[int]:
    """Seats that a card can be taken from once the robber is there."""
    moved = state.copy()
    moved.robber = at
    return victims(moved, state.on_turn)


def _names(counts: Iterable[int]) -> list[str]:
    """Their names of cards, each as often as it is counted."""
    return [name for name, n in zip(RESOURCES, counts, strict=True) for _ in range(n)]


# --- the check


def differences(state: State, game: Any, atlas: Atlas) -> list[str]:
    """Where the engines disagree at a decision: possible actions, points, awards and lengths of roads."""
    theirs, seat, lengths = game.state, game.state.current_player_index, state.road_length
    view, options = question(state, seat, len(theirs.action_records))
    ours: set[Move] = set()
    for action in options.actions():
        if isinstance(action, do.MoveRobber):
            for victim in robbed(state, action.at) or (None,):
                ours.add(robber_move(action.at, victim, theirs, atlas))
        else:
            ours.update(moves(action, state, atlas))
    possible = {(action.action_type.name, action.value) for action in game.playable_actions}
    found = [f"only ours: {kind}" for kind, _ in ours - possible]
    found += [f"only theirs: {_reason(move, state, seat, atlas)}" for move in possible - ours]
    thinkable = _without_trade(Position.of(view, Random()).options(seat))
    if set(thinkable.actions()) != set(options.actions()):
        found.append("options of a view to think with")
    knight = any(isinstance(step, CountKnights) for step in state.agenda)
    for s in range(SEATS):
        facts = _facts(theirs, s)
        if state.all_points(s) != facts["ACTUAL_VICTORY_POINTS"] and not knight:
            found.append("points")
        if facts["LONGEST_ROAD_LENGTH"] not in (0, lengths[s]):  # theirs is 0 until the first road after setup
            found.append("length of a road")
    if {sum(held) for held in zip(state.bank, *state.hands, strict=True)} != {RULES.data.bank}:
        found.append("cards")
    if not knight and army(theirs, theirs.action_records) != state.army:
        found.append("largest army")
    if state.longest >= 0 and lengths[state.longest] < max(RULES.data.road_award, *lengths):
        found.append("longest road too short")
    return found


def _reason(move: Move, state: State, seat: int, atlas: Atlas) -> str:
    """A move that only they allow, with the reason if it is known."""
    kind, what = move
    if kind == "PLAY_YEAR_OF_PLENTY" and len(what) == 1:
        return f"{kind} for one card"
    if kind == "BUILD_ROAD":
        ends = state.board.grid.edge_node_mask[atlas.edges[what]] & state.reach[seat]
        return f"{kind} past a building" if ends and not ends & ~state.opponents(seat) else kind
    return kind

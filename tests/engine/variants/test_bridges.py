"""K4 and K5: bridges over the water, and neighbors across it, on two hexes of land in a small sea.

3.4 (fields) and 5.4 (hills) are land, everything else is sea. `h5`, between `D9` and `E9`, is the water between them.
"""

from __future__ import annotations

import pytest

from engine.actions import (
    BankTrade,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    PlayRoadBuilding,
    Undo,
)
from engine.board import Board
from engine.config import Config
from engine.game import Game
from engine.geometry import rows
from engine.pieces import place_road, place_settlement, roads_left
from engine.resources import BRICK, GRAIN, ROAD_BUILDING, SEA
from engine.state import Tx
from engine.steps.setup import Setup
from engine.steps.turn import Main
from tests.engine.builder import Script, Seeded, Table, cards, places_of, seat, table

OUTLINE = rows(4, 5, 6, 7, 6, 5, 4)
GRID = Board(OUTLINE, (), (SEA,) * 37, (0,) * 37, (), whole=True).grid
LAND = {"3.4": GRAIN, "5.4": BRICK}
WATER = Board(
    OUTLINE,
    (),
    tuple(LAND.get(name, SEA) for name in GRID.hex_names),
    tuple(5 if name in LAND else 0 for name in GRID.hex_names),
    (),
    bridges=True,
    whole=True,
)


def node(name: str) -> int:
    """The id of an intersection of the small sea."""
    return GRID.node_names.index(name)


def edge(name: str) -> int:
    """The id of an edge of the small sea."""
    return GRID.edge_names.index(name)


def sea(*pieces: str, hand: str = "", variants: tuple[str, ...] = ()) -> Table:
    """A table with seat 0 on turn. `pieces`: each seat's settlements and edges, as names with spaces between. `hand`:
    that of seat 0."""
    game = Game.new(Config(("red", "blue"), "islands", shuffle_seats=False, variants=variants), Seeded(1))
    state, tx = game.state, Tx(game.state, Script())
    state.board = WATER
    for number, line in enumerate(pieces):
        for name in line.split():
            if name[0].isupper():
                place_settlement(state, number, node(name), tx, free=True)
            else:
                place_road(state, number, edge(name), tx, free=True)
    state.hands[0] = list(cards(hand))
    state.bank = [n - h for n, h in zip(state.bank, state.hands[0], strict=True)]
    state.on_turn = 0
    state.agenda = []
    made = Table(game, Script())
    made.state.push(Main(0))
    return made


def names(t: Table, cls: type[BuildRoad] | type[BuildBridge]) -> set[str]:
    """Edges where seat 0 can place such a piece."""
    return {GRID.edge_names[at] for at in places_of(t.game.options(0), cls)}


def test_K4_a_bridge_costs_a_road_and_one_wool() -> None:
    t = sea("D9", hand="blw")
    t.play(0, BuildBridge(edge("h5")))
    assert t.hand(0) == ""
    assert t.refused(0, BuildBridge(edge("h4"))).code == "not-connected"
    poor = sea("D9", hand="bl")
    assert BuildBridge not in poor.game.options(0)
    assert "You still need 1 wool" in str(poor.refused(0, BuildBridge(edge("h5"))))


def test_K4_bridges_lie_between_two_sea_hexes_and_roads_along_land() -> None:
    t = sea("D9", hand="bbllww")
    assert names(t, BuildBridge) == {"h5"}
    assert names(t, BuildRoad) == {"g8", "g9"}
    assert t.code(0, BuildRoad(edge("h5"))) == "wrong-piece"
    assert t.code(0, BuildBridge(edge("g8"))) == "wrong-piece"


def test_K4_no_bridge_at_the_rim_of_the_board() -> None:
    """There is sea on one side and nothing on the other (B1)."""
    assert not WATER.bridge_mask >> edge("a1") & 1
    assert not WATER.road_mask >> edge("a1") & 1


def test_K4_no_bridges_on_boards_without_them() -> None:
    t = table(seat(settlements="A1", hand="blw"), seat())
    assert BuildBridge not in t.game.options(0)
    assert t.game.board.bridge_mask == 0


def test_K4_a_bridge_leads_to_another_island_like_a_road() -> None:
    t = sea("D9", hand="bbblllwwg")
    t.play(0, BuildBridge(edge("h5")))
    t.play(0, BuildRoad(edge("i8")))
    t.play(0, BuildSettlement(node("E8")))
    assert t.hand(0) == ""


def test_K4_a_bridge_can_continue_another_bridge_into_the_sea() -> None:
    t = sea("C7", hand="bbblllwww")
    t.play(0, BuildBridge(edge("e6")))
    out = names(t, BuildBridge) - names(sea("C7", hand="blw"), BuildBridge)
    assert out
    t.play(0, BuildBridge(edge(min(out))))
    assert t.state.road_length[0] == 2


def test_K4_a_bridge_cannot_be_continued_past_an_opponents_building() -> None:
    t = sea("D9 h5", "E9", hand="bbllww")
    assert not names(t, BuildRoad) & {"i8", "i9"}
    assert t.code(0, BuildRoad(edge("i8"))) == "blocked"


def test_K4_bridges_count_for_the_longest_road_and_are_interrupted_like_roads() -> None:
    t = sea("C8 e8 f5 g9 h5", "", hand="blwg")
    assert t.state.road_length[0] == 4
    assert t.state.longest == -1
    t.play(0, BuildRoad(edge("i9")))
    assert (t.state.road_length[0], t.state.longest) == (5, 0)
    place_settlement(t.state, 1, node("E9"), Tx(t.state, Script()), free=True)
    assert (t.state.road_length[0], t.state.longest) == (4, -1)


def test_K4_bridges_come_from_the_supply_of_roads() -> None:
    t = sea("D9 h5 g8 g9", hand="bblww")
    assert roads_left(t.state, 0) == 12
    assert t.game.view().players[0].pieces_left[0] == 12
    full = sea("D9 " + " ".join(GRID.edge_names[e] for e in range(15)), hand="blw")
    assert roads_left(full.state, 0) == 0
    assert not names(full, BuildBridge) | names(full, BuildRoad)
    assert full.code(0, BuildBridge(edge("h5"))) == "no-pieces"


@pytest.mark.parametrize(
    "pieces",
    [
        (BuildBridge(edge("h5")), BuildRoad(edge("i8"))),
        (BuildRoad(edge("g8")), BuildBridge(edge("h5"))),
        (BuildRoad(edge("g8")), BuildRoad(edge("g9"))),
        (BuildBridge(edge("h5")), BuildBridge(edge("g7"))),
    ],
    ids=lambda pieces: "-".join(p.name for p in pieces),
)
def test_K4_road_building_lays_roads_bridges_or_one_of_each(pieces: tuple[BuildRoad | BuildBridge, ...]) -> None:
    t = sea("D9 D8" if pieces[1].at == edge("g7") else "D9")
    t.state.development_cards[0][ROAD_BUILDING] = 1
    t.play(0, PlayRoadBuilding())
    for piece in pieces:
        assert t.game.view().step.kind == "road_building"
        t.play(0, piece)
    assert t.game.view().step.kind == "main"
    assert t.hand(0) == ""


def test_K4_a_free_bridge_can_be_undone() -> None:
    t = sea("D9")
    t.state.development_cards[0][ROAD_BUILDING] = 1
    t.play(0, PlayRoadBuilding())
    t.play(0, BuildBridge(edge("h5")))
    t.play(0, Undo())
    assert t.state.roads[0] == 0


def test_K4_in_setup_a_bridge_can_be_placed_at_the_settlement() -> None:
    """C4: like a road."""
    t = sea()
    t.state.on_turn = -1
    t.state.agenda.clear()
    t.state.push(Setup((0, 1, 1, 0)))
    t.play(0, BuildSettlement(node("D9")))
    assert names(t, BuildBridge) == {"h5"}
    assert names(t, BuildRoad) == {"g8", "g9"}
    t.play(0, BuildBridge(edge("h5")))
    assert t.game.to_act == (1,)


def test_K4_and_L6_a_bridge_ends_trade() -> None:
    t = sea("D9", hand="blw" + "gggg", variants=("build-ends-trade",))
    t.play(0, BuildBridge(edge("h5")))
    assert t.code(0, BankTrade(cards("gggg"), cards("o"))) == "alternate-rule"


def test_K5_settlements_separated_only_by_water_can_be_neighbours() -> None:
    t = sea("D9 h5", hand="blwg")
    t.play(0, BuildSettlement(node("E9")))
    assert t.state.settlements[0] == 1 << node("D9") | 1 << node("E9")


def test_K5_neighbours_across_water_can_belong_to_two_players_and_become_cities() -> None:
    t = sea("i8", "D9", hand="blwg" + "ggooo")
    t.play(0, BuildSettlement(node("E9")))
    t.play(0, BuildCity(node("E9")))
    assert not t.state.closed >> node("E11") & 1


def test_K5_along_land_the_distance_rule_holds() -> None:
    t = sea("D9 g9 h5", hand="blwg")
    assert t.code(0, BuildSettlement(node("D10"))) == "too-close"


def test_K5_neighbours_across_water_are_also_allowed_in_setup() -> None:
    t = sea("", "E9")
    t.state.agenda.clear()
    t.state.push(Setup((0, 1, 1, 0)))
    assert t.can(0, BuildSettlement(node("D9")))
    assert not t.can(0, BuildSettlement(node("E8")))


def test_K5_no_settlement_in_open_water() -> None:
    t = sea("D9 h5", hand="blwg")
    assert not WATER.settle_mask >> node("D7") & 1
    assert t.code(0, BuildSettlement(node("D7"))) == "no-land"

"""Section B on every board: land and sea, terrain, tokens and their layouts, harbors, the robber."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from math import atan2, pi

import pytest

from engine.board import Board, pips
from engine.config import Config
from engine.geometry import Hex, bits, neighbour, ring
from engine.resources import BRICK, DESERT, GENERIC, GRAIN, LUMBER, ORE, SEA, WOOL
from engine.scenarios import SCENARIOS, deal
from engine.scenarios.laying import spirals
from tests.engine.scenarios.dealing import (
    MANY,
    SOME_OR_MANY,
    boards,
    config,
    configs,
    draws,
    land_of,
    neighbouring_tokens,
)

ISLANDS = ("base", "extension", "big-island", "peanut")
"""Shuffled scenarios with a ring of sea. `mayfair-expansion` has the boards of `extension`."""
LETTERS_BASE = "A5 B2 C6 D3 E8 F10 G9 H12 I11 J4 K8 L10 M9 N4 O5 P6 Q3 R11"
LETTERS_EXTENSION = "A2 B5 C4 D6 E3 F9 G8 H11 I11 J10 K6 L3 M8 N4 O8 P10 Q11 R12 S10 T5 U4 V9 W5 X9 Y12 Za3 Zb2 Zc6"


def numbers(letters: str) -> list[int]:
    return [int(token.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabc")) for token in letters.split()]


def laid(board: Board) -> list[int]:
    return sorted(token for token in board.tokens if token)


def reds(tokens: Iterable[int]) -> int:
    return sum(token in (6, 8) for token in tokens)


@pytest.mark.parametrize(
    ("scenario", "land", "sea", "harbors", "intersections", "edges"),
    [
        ("base", 19, 18, 9, 54, 72),
        ("beginner", 19, 18, 9, 54, 72),
        ("extension", 30, 22, 11, 80, 109),
        ("mayfair-expansion", 30, 22, 11, 80, 109),
        ("big-island", 37, 24, 12, 96, 132),
        ("peanut", 38, 28, 14, 102, 139),
    ],
)
def test_b1_an_island_has_intersections_and_edges_only_where_there_is_land(
    scenario: str, land: int, sea: int, harbors: int, intersections: int, edges: int
) -> None:
    board = next(boards(scenario))
    assert len(land_of(board)) == land
    assert board.terrain.count(SEA) == len(board.sea) == sea
    assert len(board.harbors) == harbors
    assert len(board.grid.nodes) == board.settle_mask.bit_count() == intersections
    assert len(board.grid.edges) == board.road_mask.bit_count() == edges
    assert not board.bridges
    assert not board.bridge_mask


def test_b1_with_bridges_every_hex_has_its_intersections_and_edges() -> None:
    for scenario, hexes, intersections, edges in (("islands", 37, 96, 132), ("big-islands", 61, 150, 210)):
        for board in boards(scenario, range(20)):
            assert len(board.grid.hexes) == hexes
            assert len(board.grid.nodes) == intersections
            assert len(board.grid.edges) == edges
            assert board.bridges
            assert board.bridge_mask
            assert not board.bridge_mask & board.road_mask


def test_b2_base_boards_use_the_terrain_of_one_set() -> None:
    for board in (*boards("base"), next(boards("beginner"))):
        count = Counter(board.terrain)
        assert [count[kind] for kind in (LUMBER, WOOL, GRAIN, BRICK, ORE, DESERT)] == [4, 4, 4, 3, 3, 1]


@pytest.mark.parametrize("layout", ["spiral", "random", "balanced"])
def test_b3_and_b4_every_token_of_the_set_is_laid_and_no_desert_has_one(layout: str) -> None:
    sets = {
        "base": numbers(LETTERS_BASE),
        "extension": numbers(LETTERS_EXTENSION),
        "big-island": 2 * numbers(LETTERS_BASE),
        "peanut": 2 * numbers(LETTERS_BASE),
    }
    for scenario, tokens in sets.items():
        for board in boards(scenario, range(20), layout=layout):
            assert laid(board) == sorted(tokens)
            for kind, token in zip(board.terrain, board.tokens, strict=True):
                assert bool(token) == (kind not in (DESERT, SEA))


def around(land: set[Hex], start: Hex) -> list[Hex]:
    """The hexes of a convex island ring by ring, counter-clockwise by angle. Each ring begins next to the start of
    the ring before."""
    rows, columns = [r for r, _ in land], [x for _, x in land]
    middle = ((min(rows) + max(rows)) / 2, (min(columns) + max(columns)) / 2)

    def angle(place: Hex) -> float:
        return atan2(-(place[0] - middle[0]) * 3**0.5, place[1] - middle[1])

    def turn(place: Hex) -> float:
        return round((angle(place) - angle(start)) % (2 * pi), 6) % round(2 * pi, 6)

    order, left = list[Hex](), set(land)
    while left:
        rim = {h for h in left if any(neighbour(h, s) not in left for s in range(6))}
        start = start if not order else next(h for s in range(6) if (h := neighbour(start, s)) in rim)
        order += sorted(rim, key=turn)
        left -= rim
    return order


@pytest.mark.parametrize("scenario", ["base", "big-island", "extension"])
def test_b5_the_spiral_runs_counter_clockwise_inward_from_every_corner(scenario: str) -> None:
    land = tuple(sorted(land_of(next(boards(scenario)))))
    orders = spirals(land)
    assert len(orders) == 6
    assert len({order[0] for order in orders}) == 6
    for order in orders:
        assert sum(neighbour(order[0], s) in land for s in range(6)) == 3
        assert list(order) == around(set(land), order[0])
        assert all(b in {neighbour(a, s) for s in range(6)} for a, b in pairwise(order))


def test_b5_spiral_lays_the_letters_in_order_and_skips_the_desert() -> None:
    starts = set()
    for scenario, letters in (
        ("base", numbers(LETTERS_BASE)),
        ("extension", numbers(LETTERS_EXTENSION)),
        ("big-island", 2 * numbers(LETTERS_BASE)),
    ):
        for board in boards(scenario):
            by_place = dict(zip(board.grid.hexes, board.tokens, strict=True))
            fitting = [
                order[0] for order in spirals(board.land) if [by_place[h] for h in order if by_place[h]] == letters
            ]
            assert len(fitting) == 1
            starts.add((scenario, fitting[0]))
    assert len(starts) == 18  # from every corner of each island


@SOME_OR_MANY
def test_b5_random_has_no_red_numbers_side_by_side(seeds: range) -> None:
    for scenario in ISLANDS:
        for board in boards(scenario, seeds, layout="random"):
            assert all(reds(pair) < 2 for pair in neighbouring_tokens(board))


@SOME_OR_MANY
@pytest.mark.parametrize("scenario", ISLANDS)
def test_b5_the_balanced_layout_meets_all_its_conditions(scenario: str, seeds: range) -> None:
    for board in boards(scenario, seeds, layout="balanced"):
        for one, other in neighbouring_tokens(board):
            assert one != other
            assert reds((one, other)) < 2
        for hexes in board.grid.node_hexes:
            assert sum(pips(board.tokens[h]) for h in hexes) <= 12
        share = -(-reds(board.tokens) // 5)
        red = Counter(kind for kind, token in zip(board.terrain, board.tokens, strict=True) if token in (6, 8))
        assert max(red.values()) <= share


def test_j3_mayfair_expansion_has_the_boards_of_the_extension() -> None:
    assert SCENARIOS["mayfair-expansion"].deal is SCENARIOS["extension"].deal


def test_b6_the_land_is_ringed_by_sea_and_every_other_sea_hex_has_a_harbor() -> None:
    for scenario in (*ISLANDS, "beginner"):
        board = next(boards(scenario))
        assert set(board.sea) == set(ring(board.land))
        places = {h.hex for h in board.harbors}
        assert len(places) == len(board.harbors) == len(board.sea) / 2
        for harbor in board.harbors:
            assert not places & set(board.grid.neighbours[harbor.hex])


def test_b6_every_harbor_opens_to_its_own_coastal_edge() -> None:
    for scenario in (*ISLANDS, "beginner"):
        board = next(boards(scenario))
        nodes = 0
        for harbor in board.harbors:
            assert harbor.side is not None
            edge = board.grid.hex_edges[harbor.hex][harbor.side]
            assert board.road_mask >> edge & 1
            assert harbor.hex in board.grid.edge_hexes[edge]
            assert board.terrain[board.grid.neighbours[harbor.hex][harbor.side]] != SEA
            assert not nodes & board.grid.edge_node_mask[edge]
            nodes |= board.grid.edge_node_mask[edge]


def test_b6_harbor_kinds_are_shuffled() -> None:
    dealt = [tuple(h.kind for h in board.harbors) for board in boards("base", MANY)]
    assert all(sorted(kinds) == sorted((GENERIC,) * 4 + (BRICK, LUMBER, WOOL, GRAIN, ORE)) for kinds in dealt)
    assert len(set(dealt)) > 400
    assert {kinds[0] for kinds in dealt} == {BRICK, LUMBER, WOOL, GRAIN, ORE, GENERIC}


def test_b8_the_robber_starts_on_a_desert_or_off_the_board() -> None:
    for scenario in SCENARIOS:
        for chosen in configs(scenario):
            for seed in range(10):
                board = deal(chosen, draws(seed))
                deserts = [h for h, kind in enumerate(board.terrain) if kind == DESERT]
                assert board.robber in (deserts or [-1])


def test_b8_with_two_deserts_either_can_have_the_robber() -> None:
    for scenario in ("extension", "peanut"):
        first = [board.robber == board.terrain.index(DESERT) for board in boards(scenario, MANY)]
        assert 180 < sum(first) < 320


def test_the_same_draws_give_the_same_board() -> None:
    for scenario in SCENARIOS:
        for chosen in configs(scenario):
            assert deal(chosen, draws(3)) == deal(chosen, draws(3))


def test_every_place_gets_every_terrain_equally_often() -> None:
    dealt = list(boards("base", range(2000)))
    expected = {BRICK: 3, LUMBER: 4, WOOL: 4, GRAIN: 4, ORE: 3, DESERT: 1}
    for place in bits(dealt[0].land_mask):
        count = Counter(board.terrain[place] for board in dealt)
        for kind, many in expected.items():
            mean = 2000 * many / 19
            assert abs(count[kind] - mean) < 5 * mean**0.5


def test_a_board_takes_fewer_than_a_thousand_draws() -> None:
    """All of them go into the log."""
    for scenario in SCENARIOS:
        for chosen in configs(scenario):
            for seed in range(20):
                assert _count(chosen, seed) < 1000


def _count(chosen: Config, seed: int) -> int:
    made = 0
    draw = draws(seed)

    def counting(kind: str, n: int) -> int:
        nonlocal made
        made += 1
        return draw(kind, n)

    deal(chosen, counting)
    return made


def test_each_scenario_has_the_numbers_of_players_of_section_k() -> None:
    assert {scenario.id: scenario.players for scenario in SCENARIOS.values()} == {
        "base": (2, 3, 4),
        "beginner": (2, 3, 4),
        "extension": (5, 6),
        "mayfair-expansion": (5, 6),
        "big-island": (7, 8),
        "peanut": (7, 8),
        "islands": (2, 3, 4),
        "big-islands": (5, 6),
    }
    assert config("beginner", 3).colors == ("white", "blue", "orange")

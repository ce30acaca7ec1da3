"""A2, H1, J3 and the table of section K: terrain, harbors, cards and limits of every scenario and option."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.data import Data
from engine.editions import EDITIONS
from engine.resources import SEA
from engine.scenarios import SCENARIOS
from engine.scenarios.laying import spirals
from engine.scenarios.peanut import LEFT, RIGHT
from tests.engine.scenarios.coasts import coastline, edge_name, facings
from tests.engine.scenarios.dealing import boards, config, land_of, land_sides


def data(scenario: str, edition: str = "2007", **options: str) -> Data:
    chosen = config(scenario, None, edition=edition, **options)
    return SCENARIOS[scenario].data(chosen, EDITIONS[edition](Data()))


@pytest.mark.parametrize(
    ("scenario", "options", "land", "plain", "harbors"),
    [
        # counts by terrain: hills, forest, pasture, fields, mountains, desert; harbors: by resource, generic
        ("base", {}, (3, 4, 4, 4, 3, 1), 9, (1, 1, 1, 1, 1, 4)),
        ("beginner", {}, (3, 4, 4, 4, 3, 1), 9, (1, 1, 1, 1, 1, 4)),
        ("extension", {}, (5, 6, 6, 6, 5, 2), 11, (1, 1, 2, 1, 1, 5)),
        ("mayfair-expansion", {}, (5, 6, 6, 6, 5, 2), 11, (1, 1, 2, 1, 1, 5)),
        ("big-island", {}, (6, 8, 8, 8, 6, 1), 12, (1, 1, 1, 1, 1, 7)),
        ("big-island", {"harbors": "wool"}, (6, 8, 8, 8, 6, 1), 12, (1, 1, 2, 1, 1, 6)),
        ("peanut", {}, (6, 8, 8, 8, 6, 2), 14, (2, 2, 2, 2, 2, 4)),
        ("islands", {}, (3, 4, 4, 4, 3, 1), 9, (1, 1, 1, 1, 1, 4)),
        ("big-islands", {}, (5, 6, 6, 6, 5, 0), 18, (2, 2, 2, 2, 2, 5)),
        ("big-islands", {"variation": "A"}, (5, 7, 7, 7, 5, 0), 15, (2, 2, 2, 2, 2, 5)),
        ("big-islands", {"variation": "B"}, (6, 7, 7, 7, 6, 0), 18, (1, 1, 1, 1, 1, 5)),
        ("big-islands", {"variation": "B-sea"}, (6, 7, 7, 7, 6, 0), 13, (2, 2, 2, 2, 2, 5)),
        ("big-islands", {"variation": "C"}, (5, 6, 6, 6, 5, 2), 11, (1, 1, 2, 1, 1, 5)),
    ],
)
def test_k_each_scenario_has_its_terrain_and_harbors(
    scenario: str,
    options: dict[str, str],
    land: tuple[int, ...],
    plain: int,
    harbors: tuple[int, ...],
) -> None:
    for board in boards(scenario, range(5), **options):
        terrain, kinds = Counter(board.terrain), Counter(h.kind for h in board.harbors)
        assert tuple(terrain[kind] for kind in range(6)) == land
        assert tuple(kinds[kind] for kind in range(6)) == harbors
        assert terrain[SEA] == plain + sum(harbors)
        assert all(board.terrain[h.hex] == SEA for h in board.harbors)


@pytest.mark.parametrize(
    ("scenario", "options", "cards_2007", "cards_1996", "limit"),
    [
        ("base", {}, (19, 25), (24, 34), 7),
        ("beginner", {}, (19, 25), (24, 34), 7),
        ("extension", {}, (24, 34), (24, 34), 7),
        ("mayfair-expansion", {}, (24, 34), (24, 34), 10),
        ("big-island", {}, (38, 50), (48, 68), 13),
        ("big-island", {"limit": "10"}, (38, 50), (48, 68), 10),
        ("peanut", {}, (38, 50), (48, 68), 13),
        ("islands", {}, (19, 25), (24, 34), 7),
        ("islands", {"resources": "two"}, (38, 25), (48, 34), 7),
        ("islands", {"cards": "two"}, (19, 50), (24, 68), 7),
        ("islands", {"resources": "two", "cards": "two"}, (38, 50), (48, 68), 7),
        ("big-islands", {}, (24, 34), (24, 34), 10),
    ],
)
def test_h1_and_k_each_scenario_has_its_bank_deck_and_discard_limit(
    scenario: str,
    options: dict[str, str],
    cards_2007: tuple[int, int],
    cards_1996: tuple[int, int],
    limit: int,
) -> None:
    for edition, cards in (("2007", cards_2007), ("1996", cards_1996)):
        made = data(scenario, edition, **options)
        assert (made.bank, sum(made.deck)) == cards
        assert made.discard_limit == limit


def test_h1_each_deck_has_its_numbers_of_cards() -> None:
    assert data("base").deck == (14, 2, 2, 2, 5)
    assert data("extension").deck == data("base", "1996").deck == (20, 3, 3, 3, 5)
    assert data("peanut").deck == (28, 4, 4, 4, 10)


def test_a2_the_editions_differ_in_three_rules() -> None:
    for scenario in SCENARIOS:
        new, old = data(scenario), data(scenario, "1996")
        assert (new.lone_claim_paid, new.same_resource_trades, new.may_decline_card) == (True, False, False)
        assert (old.lone_claim_paid, old.same_resource_trades, old.may_decline_card) == (False, True, True)


def test_j1_and_j3_only_the_extension_has_a_special_building_phase() -> None:
    for edition in EDITIONS:
        assert [name for name in SCENARIOS if data(name, edition).special_building] == ["extension"]


@pytest.mark.parametrize(
    ("scenario", "first"),
    [("base", 0), ("extension", 0), ("mayfair-expansion", 0), ("big-island", 1), ("peanut", 0)],
)
def test_b6_and_k1_harbors_open_toward_the_longest_row(scenario: str, first: int) -> None:
    """`first`: the first sea hex with a harbor, counted from the one above the first land hex. Every other one
    follows."""
    board = next(boards(scenario))
    land = land_of(board)
    expected = []
    for sea in coastline(land)[first::2]:
        rows = facings(sea, land)
        (side,) = [side for side, count in rows.items() if count == max(rows.values())]
        expected.append((sea, side))
    assert [(board.grid.hexes[h.hex], h.side) for h in board.harbors] == expected


@pytest.mark.parametrize(
    ("scenario", "edges"),
    [
        ("base", "1.1-NW 1.2-NE 2.4-NE 3.5-E 4.4-SE 5.2-SE 5.1-SW 4.1-W 2.1-W"),
        ("extension", "1.1-NW 1.2-NE 2.4-NE 3.5-E 5.5-E 6.4-SE 7.2-SE 7.1-SW 5.1-SW 4.1-W 3.1-NW"),
    ],
)
def test_b6_harbors_are_at_the_listed_edges(scenario: str, edges: str) -> None:
    board = next(boards(scenario))
    land = land_of(board)
    assert edges.split() == [
        edge_name(board.grid.hexes[h.hex], h.side, land) for h in board.harbors if h.side is not None
    ]


def test_b6_on_the_base_board_harbors_that_flank_a_corner_run_parallel() -> None:
    """S0: the harbors 2 and 3, 5 and 6, 8 and 9 face rows of four."""
    board = next(boards("base"))
    sides = [h.side for h in board.harbors]
    assert sides[1] == sides[2]
    assert sides[4] == sides[5]
    assert sides[7] == sides[8]


def test_k1_every_harbor_hex_of_the_big_island_borders_two_land_hexes() -> None:
    board = next(boards("big-island"))
    for harbor in board.harbors:
        assert len(land_sides(board, harbor.hex)) == 2


def test_k1_the_waist_of_the_peanut_has_no_harbor() -> None:
    board = next(boards("peanut"))
    waist = [h for h, kind in enumerate(board.terrain) if kind == SEA and len(land_sides(board, h)) == 3]
    assert len(waist) == 2
    assert not set(waist) & {h.hex for h in board.harbors}


def test_k1_the_halves_of_the_peanut_share_a_side_of_five_edges() -> None:
    board = next(boards("peanut"))
    place = {h: i for i, h in enumerate(board.grid.hexes)}
    left, right = {place[h] for h in LEFT}, {place[h] for h in RIGHT}
    assert not left & right
    assert sum(bool(left & set(pair)) and bool(right & set(pair)) for pair in board.grid.edge_hexes) == 5


def test_k_each_half_of_the_peanut_is_laid_like_its_own_board() -> None:
    letters = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
    starts: tuple[set[int], set[int]] = (set(), set())
    for layout in ("spiral", "random", "balanced"):
        for board in boards("peanut", range(100), layout=layout):
            tokens = dict(zip(board.grid.hexes, board.tokens, strict=True))
            terrain = dict(zip(board.grid.hexes, board.terrain, strict=True))
            for half, outline in enumerate((LEFT, RIGHT)):
                assert Counter(terrain[h] for h in outline) == Counter({0: 3, 1: 4, 2: 4, 3: 4, 4: 3, 5: 1})
                assert sorted(tokens[h] for h in outline if tokens[h]) == sorted(letters)
                if layout == "spiral":
                    orders = [[tokens[h] for h in order if tokens[h]] for order in spirals(outline)]
                    assert list(letters) in orders
                    starts[half].add(orders.index(list(letters)))
    assert starts == (set(range(6)), set(range(6)))

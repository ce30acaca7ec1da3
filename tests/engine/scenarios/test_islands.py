"""K2 to K7: islands shuffled together with the sea, and boards with room for all players."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.board import Board, Harbor
from engine.config import Config
from engine.errors import ConfigError
from engine.geometry import bits, rows
from engine.resources import BRICK, DESERT, GENERIC, LUMBER, SEA
from engine.scenarios import SCENARIOS, check, deal, playable
from engine.scenarios.archipelago import Archipelago, lay_by_redraw, turned
from engine.scenarios.checks import deal_board
from engine.scenarios.scenario import Draw
from tests.engine.scenarios.dealing import (
    MANY,
    SOME_OR_MANY,
    boards,
    config,
    configs,
    draws,
    land_sides,
    neighbouring_tokens,
)
from tests.seeds import few_of


def shuffled_boards(seeds: range) -> Iterator[Board]:
    for scenario in ("islands", "big-islands"):
        for chosen in configs(scenario):
            if chosen.option("resources", "one") == chosen.option("cards", "one") == "one":
                yield from (deal(chosen, draws(seed)) for seed in seeds)


@SOME_OR_MANY
def test_k2_no_equal_numbers_and_no_red_ones_side_by_side(seeds: range) -> None:
    for board in shuffled_boards(seeds):
        for one, other in neighbouring_tokens(board):
            assert one != other
            assert {one, other} != {6, 8}


def test_k2_every_land_hex_but_the_desert_has_a_token_of_the_pool() -> None:
    for scenario, less in (("islands", ()), ("big-islands", (3, 5, 10))):
        one_set = Counter((5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11))
        pool = one_set if scenario == "islands" else one_set + one_set - Counter(less)
        for board in boards(scenario):
            count = Counter(token for token in board.tokens if token)
            assert count <= pool
            assert scenario != "islands" or count == pool
            for kind, token in zip(board.terrain, board.tokens, strict=True):
                assert bool(token) == (kind not in (SEA, DESERT))


def test_k6_the_pool_has_33_tokens_and_variation_b_lays_them_all() -> None:
    for variation, count in (("plain", 28), ("A", 31), ("B", 33), ("B-sea", 33), ("C", 28)):
        for board in boards("big-islands", range(20), variation=variation):
            assert sum(map(bool, board.tokens)) == count


def row_of(count: int) -> Archipelago:
    """A straight row of hills."""
    return Archipelago(outline=rows(count), terrain=(BRICK,) * count, harbors=(), tokens=())


def lay(pool: tuple[int, ...], first: int = 0) -> tuple[int, ...] | None:
    """Tokens laid on a row of as many hexes from the left. Among the tokens that fit, `first` is drawn each time."""
    row = row_of(len(pool))
    return lay_by_redraw(row.grid, range(len(pool)), (BRICK,) * len(pool), pool, lambda kind, n: first)


def test_k2_a_token_next_to_an_equal_one_is_drawn_again() -> None:
    assert lay((4, 4, 5)) == (4, 5, 4)


def test_k2_a_red_token_next_to_a_red_one_is_drawn_again() -> None:
    assert lay((6, 8, 5)) == (6, 5, 8)


def test_k2_a_last_token_that_conflicts_is_swapped_with_the_first_laid_that_works() -> None:
    assert lay((3, 4, 5, 9, 9)) == (9, 4, 5, 9, 3)
    # Here the first three would put 9 next to 9, and the fourth works.
    assert lay((4, 9, 3, 5, 2, 9, 9)) == (4, 9, 3, 9, 2, 9, 5)


def test_k2_tokens_are_laid_again_when_no_swap_works() -> None:
    assert lay((4, 9, 3, 5, 9, 9)) is None


def test_k2_tokens_are_laid_again_when_nothing_fits_before_the_last() -> None:
    assert lay((4, 4, 4)) is None
    assert lay((6, 8)) is None


def test_k2_a_board_that_takes_no_tokens_is_finally_refused() -> None:
    impossible = Archipelago(outline=rows(2, 3, 2), terrain=(BRICK,) * 7, harbors=(), tokens=(6, 6, 6, 8, 8, 8, 8))
    with pytest.raises(ConfigError):
        impossible.deal(draws(1))


def test_k3_a_harbor_faces_land_and_one_without_land_has_no_use() -> None:
    useless = 0
    for board in shuffled_boards(range(60)):
        for harbor in board.harbors:
            landward = land_sides(board, harbor.hex)
            if harbor.side is None:
                useless += 1
                assert not landward
            else:
                assert harbor.side in landward
    assert useless


def always(result: int) -> Draw:
    return lambda kind, n: result


def test_k3_a_harbor_turns_clockwise_until_it_faces_land() -> None:
    grid = row_of(3).grid  # the middle hex has land to the east (side 1) and to the west (side 4)
    terrain = (BRICK, SEA, LUMBER)
    for facing, side in ((0, 1), (1, 1), (2, 4), (3, 4), (4, 4), (5, 1)):
        (harbor,) = turned(grid, terrain, {1: GENERIC}, always(facing))
        assert harbor == Harbor(1, side, GENERIC)


def test_k3_two_harbors_may_share_an_intersection_and_both_rates_hold_there() -> None:
    shared = 0
    for board in boards("big-islands", range(40)):
        for node in range(len(board.grid.nodes)):
            harbors = [h for h in board.harbor_nodes if h[1] >> node & 1]
            assert len(board.harbors_at(node)) == len(harbors)
            shared += len(harbors) > 1
    assert shared


def test_k4_bridges_lie_between_two_sea_hexes_of_the_board() -> None:
    for board in shuffled_boards(range(50)):
        for edge, hexes in enumerate(board.grid.edge_hexes):
            land = [h for h in hexes if board.terrain[h] != SEA]
            assert bool(board.road_mask >> edge & 1) == bool(land)
            assert bool(board.bridge_mask >> edge & 1) == (not land and len(hexes) == 2)


def test_k5_the_distance_rule_ignores_edges_with_sea_on_both_sides() -> None:
    seen = 0
    for board in shuffled_boards(range(50)):
        for edge, (a, b) in enumerate(board.grid.edges):
            ignored = not board.road_mask >> edge & 1
            assert bool(board.blocks[a] >> b & 1) != ignored
            if board.settle_mask >> a & 1 and board.settle_mask >> b & 1:
                seen += ignored
    assert seen


def test_k6_variation_c_has_the_outline_of_the_extension() -> None:
    board = next(boards("big-islands", variation="C"))
    assert board.grid.hexes == next(boards("extension")).grid.hexes
    robbers = Counter(
        board.robber == board.terrain.index(DESERT) for board in boards("big-islands", MANY, variation="C")
    )
    assert min(robbers.values()) > 180


@pytest.mark.parametrize("boards", few_of((10, 40)))
@pytest.mark.parametrize("scenario", list(SCENARIOS))
def test_k7_all_players_can_place_two_settlements_with_roads_wherever_the_others_go(scenario: str, boards: int) -> None:
    for chosen in configs(scenario):
        for seed in range(boards):
            board = deal(chosen, draws(seed))
            assert playable(board, chosen.players)
            _place_at_random(board, 2 * chosen.players, random.Random(seed))


def _place_at_random(board: Board, settlements: int, chance: random.Random) -> None:
    free, edges = board.settle_mask, board.road_mask
    for _ in range(settlements):
        node = chance.choice(list(bits(free)))
        roads = [e for e in board.grid.node_edges[node] if edges >> e & 1]
        edges &= ~(1 << chance.choice(roads))
        free &= ~board.blocks[node]


def test_k7_a_board_without_room_is_dealt_again_and_finally_refused() -> None:
    small = Archipelago(outline=rows(2, 3, 2), terrain=(BRICK,), harbors=(), tokens=(5,))
    dealt = []

    def deal_small(_config: object, draw: Draw) -> Board:
        dealt.append(1)
        return small.deal(draw)

    scenario = replace(SCENARIOS["islands"], deal=deal_small)
    assert not playable(small.deal(draws(1)), 2)
    with pytest.raises(ConfigError):
        deal_board(scenario, config("islands"), draws(1))
    assert len(dealt) > 1


LAND = ("hills", "forest", "pasture", "fields", "mountains")


def own(*counts: int) -> Config:
    """A configuration of `big-islands` with these numbers of hexes by terrain."""
    hexes = zip(LAND, map(str, counts), strict=True)
    return replace(config("big-islands", variation="own"), options=(("variation", "own"), *hexes))


@pytest.mark.parametrize("counts", [(2, 2, 2, 2, 2), (4, 3, 2, 2, 4), (5, 6, 6, 6, 5), (8, 9, 9, 10, 10)])
def test_k6_any_balanced_numbers_of_land_hexes_can_be_chosen(counts: tuple[int, ...]) -> None:
    """As many hexes of each terrain as were chosen, the usual harbors, and a token for each land hex (K6)."""
    for seed in range(20):
        board = deal(own(*counts), draws(seed))
        assert tuple(board.terrain.count(kind) for kind in range(5)) == counts
        assert sum(token > 0 for token in board.tokens) == sum(counts)
        assert (len(board.harbors), board.terrain.count(DESERT)) == (15, 0)
        assert playable(board, 6)


def test_k6_the_pool_of_tokens_grows_by_whole_sets() -> None:
    """The pool has 33 tokens, enough for 33 hexes. For more hexes, 18 are added at a time."""
    tokens = Counter(token for token in deal(own(9, 9, 9, 9, 10), draws(1)).tokens if token)
    one_set = Counter((5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11))
    assert tokens <= one_set + one_set + one_set - Counter((3, 5, 10))


@pytest.mark.parametrize(
    ("counts", "code", "said"),
    [
        ((2, 2, 2, 2, 5), "option", "has 2, one 5"),
        ((10, 10, 10, 10, 10), "option", "room for 46 land hexes, not 50"),
        ((1, 2, 2, 2, 2), "option", "'1'"),
        ((17, 16, 16, 16, 16), "option", "'17'"),
    ],
)
def test_k6_unbalanced_numbers_of_land_hexes_are_refused(counts: tuple[int, ...], code: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as refused:
        check(own(*counts))
    assert refused.value.code == code


def test_k6_numbers_of_land_hexes_can_only_be_set_in_the_own_variation() -> None:
    with pytest.raises(ConfigError, match="no option 'hills'"):
        check(config("big-islands", hills="5"))

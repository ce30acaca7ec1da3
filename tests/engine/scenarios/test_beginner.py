"""B7: the fixed board, as S2 prints it."""

from __future__ import annotations

from engine.board import Board
from engine.data import Data
from engine.events import Built
from engine.game import Game
from engine.geometry import SIDES
from engine.resources import RESOURCES, SEA, TERRAINS
from engine.scenarios import SCENARIOS
from tests.engine.randomly import chance
from tests.engine.scenarios.dealing import boards, config

LAND = """
mountains 10, pasture 2, forest 9
fields 12, hills 6, pasture 4, hills 10
fields 9, forest 11, desert 0, forest 3, mountains 8
forest 8, mountains 3, fields 4, pasture 5
hills 5, fields 6, pasture 11
"""
HARBORS = (
    "1.1-NW 3:1, 1.2-NE grain, 2.4-NE ore, 3.5-E 3:1, 4.4-SE wool, 5.2-SE 3:1, 5.1-SW 3:1, 4.1-W brick, 2.1-W lumber"
)
PIECES = """
red 1.1/1.2/2.2 1.2/2.2; 3.1/3.2/4.1 3.2/4.1
white 1.3/2.3/2.4 1.3/2.3; 4.2/4.3/5.2 4.3/5.2
blue 4.3/4.4/5.3 4.3/4.4; 4.1/4.2/5.1 4.2/5.1
orange 3.4/3.5/4.4 3.4/3.5; 2.1/2.2/3.2 2.1/3.2
"""
"""The second settlement of each color has the star."""


def board() -> Board:
    return next(boards("beginner"))


def between(hexes: tuple[tuple[int, ...], ...], names: str) -> int:
    """The intersection or edge that exactly these hexes share."""
    grid = board().grid
    ids = {grid.hex_names.index(name) for name in names.split("/")}
    (found,) = [place for place, around in enumerate(hexes) if set(around) == ids]
    return found


def test_b7_terrain_and_tokens_are_as_printed() -> None:
    for row, line in enumerate(LAND.split("\n")[1:-1], 1):
        for column, hex_ in enumerate(line.split(", "), 1):
            place = board().grid.hex_names.index(f"{row}.{column}")
            terrain, token = hex_.split()
            assert (TERRAINS[board().terrain[place]], board().tokens[place]) == (terrain, int(token))


def test_b7_harbors_are_as_printed() -> None:
    grid = board().grid
    for harbor, text in zip(board().harbors, HARBORS.split(", "), strict=True):
        edge, kind = text.split()
        assert harbor.side is not None
        land = grid.neighbours[harbor.hex][harbor.side]
        assert edge == f"{grid.hex_names[land]}-{SIDES[(harbor.side + 3) % 6]}"
        assert kind == ("3:1" if harbor.rate == 3 else RESOURCES[harbor.kind])


def test_b7_starting_pieces_are_as_printed() -> None:
    grid = board().grid
    pieces = iter(SCENARIOS["beginner"].start)
    for line in PIECES.split("\n")[1:-1]:
        color, _, places = line.partition(" ")
        for starred, place in enumerate(places.split("; ")):
            settlement, road = place.split()
            piece = next(pieces)
            assert (piece.color, piece.yields) == (color, bool(starred))
            assert piece.settlement == between(grid.node_hexes, settlement)
            assert piece.road == between(grid.edge_hexes, road)
            assert piece.settlement in grid.edges[piece.road]
    assert next(pieces, None) is None


def test_b7_the_starting_pieces_obey_the_distance_rule() -> None:
    places = [piece.settlement for piece in SCENARIOS["beginner"].start]
    for place in places:
        assert not any(board().blocks[place] >> other & 1 for other in places if other != place)


def test_b7_blue_starts_with_brick_lumber_and_ore() -> None:
    (star,) = [piece for piece in SCENARIOS["beginner"].start if piece.color == "blue" and piece.yields]
    kinds = sorted(board().terrain[h] for h in board().grid.node_hexes[star.settlement])
    assert [RESOURCES[kind] for kind in kinds] == ["brick", "lumber", "ore"]


def test_b7_the_starting_pieces_cost_nothing() -> None:
    game = Game.new(config("beginner"), chance(1))
    placed = [event for event in game.last_events if isinstance(event, Built)]
    assert len(placed) == 4 * game.config.players
    assert all(event.free for event in placed)


def test_b7_the_board_is_the_same_in_every_game() -> None:
    assert len(set(map(repr, boards("beginner", range(5))))) == 1
    assert board().terrain.count(SEA) == 18


def test_a2_in_the_1996_edition_players_pick_the_settlement_that_yields() -> None:
    data = SCENARIOS["beginner"].data
    assert not data(config("beginner"), Data()).choose_yield
    assert data(config("beginner", edition="1996"), Data()).choose_yield

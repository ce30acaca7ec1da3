"""Every board fits its picture, and all its places can be named at the same time."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.geometry import bits, corners, mask_of
from engine.resources import SEA
from render.labels import Labels, height, places, size, tag
from render.layout import layout
from render.palette import USUAL, Look
from render.robber import robber
from render.scene import put
from tests.render.build import BOARDS

WIDTH = 1200


@pytest.mark.parametrize("name", BOARDS)
def test_hexes_and_harbors_lie_inside_the_picture(name: str) -> None:
    board = BOARDS[name]
    place = layout(board, WIDTH)
    points = [
        place.at(*corner)
        for h, terrain in zip(board.grid.hexes, board.terrain, strict=True)
        if board.whole or terrain != SEA
        for corner in corners(h)
    ]
    reach = place.sizes.sign + 3
    for harbor in board.harbors:
        x, y = place.harbor(harbor)
        points += [(x - reach, y - reach), (x + reach, y + reach)]
    assert all(0 <= x <= place.width and 0 <= y <= place.height for x, y in points)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_no_taller_than_a_phone_shows(name: str) -> None:
    place = layout(BOARDS[name], WIDTH)
    assert place.width * 0.4 < place.height < place.width * 1.15


@pytest.mark.parametrize("kind", ["nodes", "edges", "hexes"])
@pytest.mark.parametrize("name", BOARDS)
def test_labels_do_not_overlap_and_lie_inside(name: str, kind: str) -> None:
    """On one board in the size that is chosen, on the others in the least: to choose a larger one, each label is drawn
    in each size."""
    board = BOARDS[name]
    place = layout(board, WIDTH)
    shown = board.land_mask | board.harbor_mask  # where a robber can be
    masks = {
        "nodes": board.settle_mask,
        "edges": board.road_mask | board.bridge_mask,
        "hexes": mask_of(range(len(board.grid.hexes))) if board.whole else shown,
    }
    boxes = []
    labels = Labels(**{kind: masks[kind]})
    tall = height(place, labels) if name == "base" else size(place.radius)
    for label, (x, y) in places(place, labels):
        sprite = tag(label, tall)
        boxes.append((x - sprite.width / 2, y - sprite.height / 2, x + sprite.width / 2, y + sprite.height / 2, label))
    assert len(boxes) == masks[kind].bit_count()
    assert all(a >= 0 and b >= 0 and c <= place.width and d <= place.height for a, b, c, d, _ in boxes)
    overlapping = [
        (one[4], other[4])
        for one, other in combinations(boxes, 2)
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]
    assert not overlapping


def test_letters_stay_readable_on_a_phone() -> None:
    """A phone shows the picture at a third of its width. There a label needs at least six pixels."""
    assert all(size(layout(board, WIDTH).radius) / 3 >= 6 for board in BOARDS.values())


@pytest.mark.parametrize("name", BOARDS)
def test_labels_are_larger_when_there_are_few_and_in_the_large_look(name: str) -> None:
    few = Labels(nodes=BOARDS[name].settle_mask & -BOARDS[name].settle_mask)
    usual, large = (height(layout(BOARDS[name], WIDTH, look.large), few, look) for look in (USUAL, Look(large=True)))
    assert size(layout(BOARDS[name], WIDTH).radius) * 1.1 < usual < large


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_a_robber_on_any_hex_stands_inside_the_picture(name: str, large: bool) -> None:
    """On harbor hexes too (L9)."""
    board = BOARDS[name]
    place = layout(board, WIDTH, large)
    for h in bits(board.land_mask | board.harbor_mask):
        sprite = put(place.robber(h), robber, place.radius, place.body(h))
        assert sprite.x >= 0
        assert sprite.y >= 0
        assert sprite.x + sprite.image.width <= WIDTH
        assert sprite.y + sprite.image.height <= place.height + 2 * place.radius  # it is as high as it is above

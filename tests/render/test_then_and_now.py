"""Two boards in one picture: what is new is marked in the lower one, and only there."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

import render
from engine.changes import Changes
from engine.config import COLORS
from engine.events import Rolled
from engine.geometry import mask_of
from engine.views import View
from render.palette import GOLD
from tests.render.build import player, view
from tests.render.colors import pixels

NAMES = ("Annabelle", "Bob", "Cleo")
CAPTIONS = ("After your last move", "Now, turn 12")
LOOKS = [
    render.Look(p, dark, large) for p in ("standard", "colorblind") for dark in (False, True) for large in (False, True)
]


def moments() -> tuple[View, View]:
    """A board, and the same one some turns later with one more road, a city that replaces a settlement, and the
    robber elsewhere."""
    seats = [player(seat, COLORS[seat], settlements=[4 * seat], roads=[5 * seat]) for seat in range(3)]
    then = view(players=seats)
    seats[1] = player(1, COLORS[1], cities=[4], roads=[5, 6])
    robber = next(h for h, n in enumerate(then.board.tokens) if n and h != then.robber)
    return then, replace(view(players=seats), robber=robber, turn=12)


def drawn(then: View, now: View, look: render.Look = render.USUAL) -> Image.Image:
    return Image.open(BytesIO(render.then_and_now(then, now, CAPTIONS, NAMES, look))).convert("RGB")


def gold(image: Image.Image) -> int:
    return sum(pixel == GOLD for pixel in pixels(image))


def test_changes_are_found_from_the_two_boards_alone() -> None:
    then, now = moments()
    assert render.changes(then, now) == Changes(mask_of([4]), mask_of([6]), then.robber)
    assert render.changes(now, now) == Changes()
    marked = replace(then, changes=Changes(1, 1, 3)), replace(now, changes=Changes(2, 2, 5))
    assert render.changes(*marked) == render.changes(then, now)


def test_both_boards_are_as_wide_as_one_alone() -> None:
    then, now = moments()
    single = Image.open(BytesIO(render.board(now, names=NAMES, strip=False)))
    whole = drawn(then, now)
    assert whole.width == single.width == 1200
    assert 2 * single.height < whole.height < 2 * single.height + 500


def test_only_the_lower_board_is_marked() -> None:
    then, now = moments()
    whole, same = drawn(then, now), drawn(then, then)
    half = Image.open(BytesIO(render.board(now, strip=False))).height + 72
    box = (0, 0, 1200, half)
    assert ImageChops.difference(whole.crop(box), same.crop(box)).getbbox() is None
    below = (0, half + 72, 1200, 2 * half)
    assert gold(whole.crop(below)) > gold(same.crop(below)) + 1000


def test_dice_and_their_yields_are_not_drawn() -> None:
    then, now = moments()
    rolled = replace(now, dice=(3, 5), last=(Rolled(0, (3, 5)),))
    assert render.then_and_now(then, rolled, CAPTIONS, NAMES) == render.then_and_now(then, now, CAPTIONS, NAMES)


def test_M_the_picture_does_not_depend_on_hidden_cards() -> None:
    then, now = moments()
    rich = [replace(p, hand=(5, 0, 0, 0, 0), development_cards=(1, 0, 0, 0, 1), all_points=9) for p in now.players]
    own_view = replace(now, seat=1, players=tuple(rich))
    assert render.then_and_now(then, own_view, CAPTIONS, NAMES) == render.then_and_now(then, now, CAPTIONS, NAMES)


@pytest.mark.parametrize("look", LOOKS)
def test_the_picture_is_drawn_in_every_look(look: render.Look) -> None:
    then, now = moments()
    assert drawn(then, now, look).width == 1200

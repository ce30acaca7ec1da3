"""Pictures of hands."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

import render
from engine.resources import CARDS, RESOURCES
from render.cards import ROW, _badge
from render.palette import GOLD, INK
from tests.render.build import player, view
from tests.render.colors import decoded, near

WORDS = render.HandWords(RESOURCES, CARDS, [""] * len(CARDS))


def resources(counts: tuple[int, int, int, int, int], look: render.Look) -> Image.Image:
    """The picture of a hand of resource cards."""
    shown = view(players=[player(0, "red", hand=counts, development=(0, 0, 0, 0, 0))], seat=0)
    return decoded(render.hand(shown, WORDS, look))


def test_a_hand_shows_a_row_of_resources_and_one_of_development_cards() -> None:
    bare = view(players=[player(0, "red", hand=(1, 0, 2, 0, 0), development=(0, 0, 0, 0, 0))], seat=0)
    full = view(players=[player(0, "red", hand=(1, 0, 2, 0, 0), development=(1, 0, 0, 0, 1))], seat=0)
    assert decoded(render.hand(bare, WORDS)).height == ROW
    assert decoded(render.hand(full, WORDS)).height == 2 * ROW


def test_cards_that_are_too_new_to_play_are_marked() -> None:
    def drawn(fresh: tuple[int, int, int, int, int]) -> Image.Image:
        cards = player(0, "red", hand=(0, 0, 0, 0, 0), development=(2, 0, 0, 0, 0), fresh=fresh)
        return decoded(
            render.hand(view(players=[cards], seat=0), WORDS._replace(fresh=["new" if n else "" for n in fresh]))
        )

    assert near(drawn((1, 0, 0, 0, 0)), (100, ROW + 190), GOLD, 20)
    assert not near(drawn((0, 0, 0, 0, 0)), (100, ROW + 190), GOLD, 20)


def test_large_and_empty_hands_are_drawn() -> None:
    for counts in ((0, 0, 0, 0, 0), (19, 24, 38, 19, 19)):
        shown = view(players=[player(0, "red", hand=counts, development=(0, 0, 0, 0, 0))], seat=0)
        assert Image.open(BytesIO(render.hand(shown, WORDS))).size == (1000, ROW)


@pytest.mark.parametrize("look", [render.USUAL, render.Look(large=True)])
def test_the_count_of_the_last_cards_is_inside_the_picture(look: render.Look) -> None:
    image = resources((0, 0, 0, 0, 24), look)
    assert near(image, (992, 38), INK, 4)
    assert image.getpixel((998, 38)) == image.getpixel((998, 2))


@pytest.mark.parametrize("look", [render.USUAL, render.Look(large=True)])
def test_no_count_is_below_the_cards_next_to_it(look: render.Look) -> None:
    """It has two digits, which reach beyond its column."""
    badge = _badge("×19", False, 38 if look.large else 30, look.dark)
    round_, top = badge.height // 2, 12 + badge.height // 4
    inner = (130 + round_, top, 130 + badge.width - round_ // 2, top + round_)
    alone, beside = (resources((19, n, 0, 0, 0), look).crop(inner) for n in (0, 7))
    assert alone.tobytes() == beside.tobytes()


def test_no_card_is_cut_off_at_the_sides() -> None:
    picture = resources((7, 7, 7, 7, 7), render.USUAL)
    edges = [picture.getpixel((x, y)) for x in (0, picture.width - 1) for y in range(ROW - 60)]
    assert {*edges} == {picture.getpixel((0, 0))}


def test_a_view_without_a_hand_is_refused() -> None:
    with pytest.raises(ValueError, match="no hand"):
        render.hand(view(), WORDS)
    with pytest.raises(ValueError, match="no hand"):
        render.hand(view(seat=1), WORDS)

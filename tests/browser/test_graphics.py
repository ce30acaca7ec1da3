"""The board's graphics in a real browser: they look like the picture, in all looks, on a phone and on a desk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageStat

import render
from engine.changes import Changes
from engine.views import View
from render.layout import layout
from tests.browser.screen import DESKTOP, PHONE
from tests.render.build import BOARDS, busy
from tests.render.graphics import page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LOOKS = (render.Look(), render.Look(dark=True), render.Look("colorblind"), render.Look("colorblind", dark=True))
APART = 10.0
"""Largest mean difference between a pixel of the graphics and of the picture, of 255. Digits have another font."""


@pytest.fixture(params=LOOKS, ids=str)
def look(request: pytest.FixtureRequest) -> render.Look:
    found: render.Look = request.param
    return found


@pytest.fixture(params=(DESKTOP, PHONE), ids=("desktop", "phone"))
def tab(request: pytest.FixtureRequest, browser: Browser, look: render.Look) -> Iterator[Page]:
    """An empty tab."""
    width, height = request.param
    found = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if look.dark else "light",
        device_scale_factor=1,
    )
    yield found
    found.close()


def shot(tab: Page, view: View, look: render.Look) -> Image.Image:
    """What the tab shows of the board."""
    tab.set_content(page(view, look.palette))
    return Image.open(BytesIO(tab.locator("svg").screenshot())).convert("RGB")


@pytest.mark.parametrize("name", ["base", "islands", "huge"])
def test_the_graphics_look_like_the_picture(tab: Page, look: render.Look, name: str) -> None:
    shown = replace(busy(BOARDS[name], 8), dice=None)
    seen = shot(tab, shown, look)
    picture = Image.open(BytesIO(render.board(shown, strip=False, look=look))).convert("RGB")
    same = picture.resize(seen.size, Image.Resampling.BOX)
    assert max(ImageStat.Stat(ImageChops.difference(seen, same)).mean) < APART


def test_what_is_new_is_marked(tab: Page, look: render.Look) -> None:
    board = BOARDS["base"]
    shown = busy(board, 4)
    mine = shown.players[0]
    plain = shot(tab, shown, look)
    new = Changes(mine.settlements | mine.cities, mine.roads, board.tokens.index(5))
    marked = shot(tab, replace(shown, changes=new), look)
    place = layout(board, plain.width)
    changed = ImageChops.difference(plain, marked)
    for x, y in (place.node(mine.settlements.bit_length() - 1), place.hex(shown.robber), place.hex(new.robber)):
        reach = 0.6 * place.radius
        assert changed.crop((round(x - reach), round(y - reach), round(x + reach), round(y + reach))).getbbox()


def test_names_are_shown_on_demand(tab: Page, look: render.Look) -> None:
    shown = busy(BOARDS["base"], 4)
    tab.set_content(page(shown, look.palette))
    assert not tab.locator("svg .names text").first.is_visible()
    tab.evaluate("document.body.dataset.names = 'nodes hexes'")
    name = tab.locator("svg .nodes text").first
    assert name.is_visible()
    assert name.text_content() == BOARDS["base"].grid.node_names[0]
    assert not tab.locator("svg .edges text").first.is_visible()


def test_numbers_fit_on_their_tokens_and_are_legible(tab: Page, look: render.Look) -> None:
    """On a phone a digit has at least nine pixels, as in a phone's text."""
    for name in ("base", "huge"):
        board = BOARDS[name]
        shown = replace(busy(board, 4), robber=-1)
        width = shot(tab, shown, look).width
        place = layout(board, 1200)
        assert place.sizes.digits * width / 1200 >= 9
        box = tab.evaluate("document.querySelector('#n12 text').getBBox().width")
        assert box < 2 * place.sizes.token

"""How quick the page of a long game for eight is in a real browser, next to what the browser needs anyway."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from bench.page import GAMES, file_of, played
from bot.page import page
from tests.browser.screen import DESKTOP, PHONE
from tests.browser.timing import KINDS, anew, opened, steps, timed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

OPENING = 3.0
"""At most: of the time to open the same page without its scripts and data."""
STEP, FIND = 0.2, 0.35
"""At most: of the time to lay out and paint the whole page. A find can be at the other end of the game."""


@pytest.fixture(scope="module")
def made() -> bytes:
    """The page."""
    return page(file_of(played(*GAMES[0])))


def test_the_page_opens_quickly(browser: Browser, tmp_path: Path, made: bytes) -> None:
    whole, bare = tmp_path / "whole.html", tmp_path / "bare.html"
    whole.write_bytes(made)
    bare.write_text(re.sub(r"<script\b.*?</script>", "", made.decode(), flags=re.DOTALL))
    with timed(browser, DESKTOP) as tab:
        times = [(opened(tab, whole), opened(tab, bare)) for _ in range(5)]
    assert min(long for long, _ in times) < OPENING * min(short for _, short in times), times


def test_all_that_is_ever_on_the_board_is_laid_out_as_the_page_opens(
    browser: Browser, tmp_path: Path, made: bytes
) -> None:
    path = tmp_path / "game.html"
    path.write_bytes(made)
    with timed(browser, DESKTOP) as tab:
        opened(tab, path)
        found = tab.evaluate(
            """() => {
                const count = () => document.querySelectorAll("#board *").length;
                const before = count();
                for (let number = 0; number <= harbormaster.last; number++) harbormaster.go(number);
                return [before, count()];
            }"""
        )
    assert found[0] == found[1]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_each_step_is_a_small_part_of_a_page(
    browser: Browser, tmp_path: Path, made: bytes, size: tuple[int, int]
) -> None:
    path = tmp_path / "game.html"
    path.write_bytes(made)
    with timed(browser, size) as tab:
        opened(tab, path)
        whole = median(took.processor for took in anew(tab, 5))
        found = {kind: median(took.processor for took in steps(tab, kind, 15)) / whole for kind in KINDS}
    assert all(part < (FIND if kind == "going to a find" else STEP) for kind, part in found.items()), found

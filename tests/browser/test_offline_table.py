"""The offline table in a real browser: open the page, start a game, place a settlement with the picker, see it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.screen import DESKTOP, PHONE, Screen, offline_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A new table for three."""
    with offline_table(tmp_path / "games.db", seats=3) as found:
        yield found


def boards(screen: Screen, count: int) -> list[str]:
    """The addresses of the pictures that are shown, once there are so many and all have loaded."""
    script = "all => all.filter(i => i.complete && i.naturalWidth >= 1000).map(i => i.src)"
    addresses: list[str] = []
    for _ in range(20):
        for image in screen.messages.locator("img").all():
            image.scroll_into_view_if_needed()
        addresses = screen.messages.locator("img").evaluate_all(script)
        if len(addresses) == count:
            break
        screen.page.wait_for_timeout(250)
    assert len(addresses) == count
    return addresses


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_game_can_be_started_and_a_settlement_placed_in_a_browser(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    """Three people in two tabs. The other tab follows by itself, and sees nothing of a private picker."""
    screen, other = Screen(browser, address, size), Screen(browser, address, size)
    other.become("Cleo")
    screen.wait("Welcome to the island game")

    screen.command("/game new")
    screen.wait("Players: 1 of 4")
    other.press("Join")
    screen.wait("Players: 2 of 4")
    screen.become("Ben")
    screen.press("Join")
    screen.become("Ann")
    screen.press("Start")
    screen.wait("Rolling for first")
    other.wait("Rolling for first")
    boards(screen, 1)

    first = next(n for n in ("Ann", "Ben", "Cleo") if f"{n} begins" in screen.messages.inner_text())
    screen.become(first)
    other.become(next(n for n in ("Ann", "Ben", "Cleo") if n != first))
    screen.press("Place settlement")
    screen.wait("Where does the settlement go?")
    boards(screen, 2)
    before = boards(other, 1)
    screen.choose()
    screen.wait("Where does the road go?")
    other.wait("place a road next to your first settlement")
    screen.choose()
    other.wait("place your first settlement")

    assert other.messages.get_by_text("Where do").count() == 0
    other.settle()
    assert boards(other, 1) != before
    width = size[0]
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert screen.errors == other.errors == []

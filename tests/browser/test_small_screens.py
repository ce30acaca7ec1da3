"""The page of a game on a phone, held either way, swiped and zoomed; and on paper."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.page import page
from tests.browser.pages import Shown, file_of, finished
from tests.browser.screen import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def made() -> bytes:
    """The page of a game."""
    return page(file_of(finished(1), 1))


@pytest.mark.parametrize("size", [PHONE, PHONE[::-1], (640, 360), (1280, 800), (844, 200)])
def test_the_controls_never_hide_the_board(
    browser: Browser, tmp_path: Path, made: bytes, size: tuple[int, int]
) -> None:
    """It can be scrolled into what they leave."""
    with Shown(browser, viewport={"width": size[0], "height": size[1]}) as shown:
        shown.open(tmp_path / "game.html", made)
        board, controls = shown.page.evaluate(
            """() => {
                document.getElementById("board").scrollIntoView();
                const both = ["#board svg", "#controls"].map(name => document.querySelector(name));
                return both.map(element => element.getBoundingClientRect().toJSON());
            }"""
        )
        assert board["height"] > 90
        assert board["top"] >= -1
        assert board["bottom"] <= controls["top"] + 1


def test_a_swipe_steps(browser: Browser, tmp_path: Path, made: bytes) -> None:
    with Shown(browser, viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True) as shown:
        shown.open(tmp_path / "game.html", made)
        session = shown.page.context.new_cdp_session(shown.page)

        def arrived(number: int) -> bool:
            return shown.at == number

        for start, end, number in ((250, 100, 1), (250, 100, 2), (100, 250, 1)):
            for kind, x in (("touchStart", start), ("touchMove", (start + end) // 2), ("touchMove", end)):
                session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": 250}]})
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            shown.wait(partial(arrived, number))


def test_all_parts_follow_while_the_reader_drags(browser: Browser, tmp_path: Path, made: bytes) -> None:
    """Also if the slider moves in every frame: then board, caption and the other parts take turns."""
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        shown.position(160)
        told, drawn, cards, story, marked = shown.page.evaluate(
            """async () => {
                const slider = document.getElementById("slider"), looks = [[], [], [], []], marked = new Set();
                const textOf = name => document.getElementById(name).textContent;
                for (let frame = 0; frame < 120; frame++) {
                    await new Promise(requestAnimationFrame);
                    slider.value = slider.valueAsNumber - 1;
                    slider.dispatchEvent(new Event("input", { bubbles: true }));
                    const pieces = [...document.querySelectorAll("#board rect")];
                    const drawn = pieces.map(piece => Number(piece.classList.contains("gone"))).join("");
                    const looked = [textOf("told"), drawn, textOf("players"), textOf("story")];
                    looked.forEach((look, n) => looks[n].push(look));
                    marked.add(document.querySelectorAll("#players .on-turn").length);
                }
                return [...looks.map(look => new Set(look).size), [...marked]];
            }"""
        )
        assert told > 30
        assert drawn > 20
        assert cards > 4
        assert story > 2
        assert marked == [1]


def test_on_a_zoomed_page_a_finger_moves_what_is_seen(browser: Browser, tmp_path: Path, made: bytes) -> None:
    with Shown(browser, viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True) as shown:
        shown.open(tmp_path / "game.html", made)
        shown.position(100)
        session = shown.page.context.new_cdp_session(shown.page)

        def drag(start: int, end: int) -> None:
            points = [start + (end - start) * n // 8 for n in range(9)]
            for x in points:
                kind = "touchStart" if x == start else "touchMove"
                session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": 200}]})
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            shown.page.wait_for_timeout(200)

        def left() -> float:
            return float(shown.page.evaluate("visualViewport.offsetLeft"))

        session.send("Input.synthesizePinchGesture", {"x": 195, "y": 200, "scaleFactor": 2.5})
        shown.wait(lambda: bool(shown.page.evaluate("visualViewport.scale > 2")))
        before = left()
        drag(300, 60)
        assert left() > before + 50
        drag(60, 300)
        assert left() < before + 50
        assert shown.at == 100


def test_on_paper_players_have_their_colors(browser: Browser, tmp_path: Path, made: bytes) -> None:
    """Browsers leave out the backgrounds of what they print if they aren't told not to."""
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        shown.page.emulate_media(media="print")
        for name in (".chip", ".bar"):
            style = f"getComputedStyle(document.querySelector('{name}')).printColorAdjust"
            assert shown.page.evaluate(style) == "exact"


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_cards_keep_their_height_and_have_room_for_all_that_they_say(
    browser: Browser, tmp_path: Path, made: bytes, size: tuple[int, int]
) -> None:
    with Shown(browser, viewport={"width": size[0], "height": size[1]}) as shown:
        shown.open(tmp_path / "game.html", made)
        for width, text in ((size[0], 16), (size[0] - 60, 16), (size[0], 22)):  # a narrower window, larger text
            shown.page.set_viewport_size({"width": width, "height": size[1]})
            shown.page.evaluate("size => document.body.style.fontSize = `${size}px`", text)
            shown.page.evaluate("() => new Promise(requestAnimationFrame)")
            heights, tight = shown.page.evaluate(
                """() => {
                    const cards = [...document.querySelectorAll("#players li")], heights = new Set(), tight = [];
                    for (let at = 0; at <= harbormaster.last; at++) {
                        harbormaster.go(at);
                        harbormaster.position();
                        heights.add(JSON.stringify(cards.map(card => card.offsetHeight)));
                        for (const line of document.querySelectorAll("#players p:not(.hand)"))
                            if (line.scrollHeight > line.offsetHeight + 1) tight.push([at, line.textContent]);
                    }
                    return [[...heights], tight];
                }"""
            )
            assert tight == []
            assert len(heights) == 1

"""A running game in a real browser: its page follows it, and becomes the finished game's page."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.service import web
from bot.store import Unavailable
from bot.table.options import HIDDEN, LIVE
from bot.table.table import Table
from bot.web import readers
from engine.actions import EndTurn, Undo
from engine.game import Game
from tests.bot.page.facts import facts_by_moment
from tests.bot.web.visitor import choose_web, finished
from tests.browser.live import Live
from tests.browser.pages import Shown, served
from tests.browser.screen import DESKTOP, PHONE
from tests.browser.seen import check_positions

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FrameLocator, Page, Route

pytestmark = pytest.mark.browser
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """A running game on the web, which looks for changes all the time."""
    monkeypatch.setattr(readers, "LOOK_EVERY", 0.05)
    monkeypatch.setattr("bot.web.REFUSED_AFTER", 0.5)
    with Live(tmp_path) as found:
        yield found


def state(page: Page | FrameLocator) -> str:
    """What the page says about how it follows."""
    return str(page.locator("#state").inner_text())


def expected(live: Live) -> list[dict[str, Any]]:
    """The positions that onlookers know."""
    game = live.do(live.ground.game(1))
    return facts_by_moment(game.config, game.records, opened=False)


def step(live: Live, seed: int) -> None:
    live.do(live.ground.step(1, random.Random(seed)))


def can_end_turn(game: Game) -> bool:
    return EndTurn in game.options(game.to_act[0]) and game.turn > 2


@SIZES
def test_a_page_follows_its_game_to_the_end(browser: Browser, live: Live, size: tuple[int, int]) -> None:
    with Shown(browser, viewport={"width": size[0], "height": size[1]}) as shown:
        page = shown.page
        page.goto(f"http://host.test:{live.port}/games/1")
        shown.wait(lambda: state(page) == "Live: this page follows the game.")
        for seed in range(4):  # at the newest position, it follows
            step(live, seed)
            shown.wait(lambda: shown.position() == expected(live)[-1])
            assert shown.at == shown.last == len(expected(live)) - 1
        assert not page.locator("#latest").is_visible()
        assert page.title() == f"Game 1: {page.inner_text('#result')}"

        shown.position(3)  # at an earlier one, it says that there is news
        step(live, 5)
        shown.wait(lambda: state(page) == "New actions: 1")
        assert shown.at == 3
        page.click("#latest")
        assert shown.at == shown.last
        assert state(page) == "Live: this page follows the game."
        game = live.do(live.ground.game(1))
        check_positions(shown, game.config, game.records, opened=False, names=("Ann", "Bob", "Cem"))

        shown.position(shown.last)  # what is undone goes, and the reader stays at the end
        live.do(live.ground.advance(1, can_end_turn))
        shown.wait(lambda: shown.at == len(expected(live)) - 1)
        table, game = live.do(live.ground.table(1)), live.do(live.ground.game(1))
        user = table.user_at(game, game.to_act[0])
        live.do(live.ground.play(1, user, EndTurn()))
        shown.wait(lambda: shown.position() == expected(live)[-1])
        with page.expect_event("load"):  # it loads itself again
            live.do(live.ground.play(1, user, Undo()))
        shown.wait(lambda: state(page) == "Live: this page follows the game.")
        assert shown.position() == expected(live)[-1]

        with page.expect_event("load"):
            live.do(finished(live.ground, 1))
        assert shown.verdict()[0] == "right"
        assert shown.at == shown.last
        assert page.locator("#live").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert shown.errors == []


def test_a_reader_of_an_earlier_position_stays_there_when_the_page_loads_itself_again(
    browser: Browser, live: Live
) -> None:
    with Shown(browser) as shown:
        shown.page.goto(f"http://host.test:{live.port}/games/1")
        shown.position(3)
        live.do(finished(live.ground, 1))
        assert shown.verdict()[0] == "right"
        assert shown.at == 3
        assert shown.errors == []


def test_a_lost_connection_comes_back(browser: Browser, live: Live) -> None:
    with Shown(browser) as shown:
        shown.page.goto(f"http://host.test:{live.port}/games/1")
        shown.wait(lambda: state(shown.page) == "Live: this page follows the game.")
        live.leave()
        shown.wait(lambda: state(shown.page) == "Connection lost. Trying again …")
        step(live, 1)
        live.come_back()
        shown.wait(lambda: shown.position() == expected(live)[-1])
        assert state(shown.page) == "Live: this page follows the game."
        assert [error for error in shown.errors if "ERR_CONNECTION_REFUSED" not in error] == []


def test_a_page_follows_in_a_sandboxed_frame_of_another_origin(browser: Browser, live: Live) -> None:
    files: dict[str, bytes] = {}
    size = {"width": PHONE[0], "height": PHONE[1]}
    with Shown(browser, viewport=size) as shown, served(files) as port:
        style = "border:0;width:100%;height:95vh"
        frame = f'<iframe sandbox="allow-scripts" src="http://host.test:{live.port}/games/1" style="{style}"></iframe>'
        files["/"] = (
            f"<!DOCTYPE html><title>Another</title><link rel=icon href=data:,><body style=margin:0>{frame}".encode()
        )
        shown.page.goto(f"http://another.test:{port}/")
        inside = shown.page.frame_locator("iframe")
        shown.wait(lambda: state(inside) == "Live: this page follows the game.")
        before = int(inside.locator("#slider").input_value())
        step(live, 1)
        shown.wait(lambda: int(inside.locator("#slider").input_value()) > before)
        live.do(finished(live.ground, 1))
        inside.locator("#verdict.right").wait_for()
        assert shown.errors == []


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_missing_for_people_who_cannot_see_it(
    browser: Browser, live: Live, size: tuple[int, int], scheme: Any
) -> None:
    """As far as axe-core can say."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with Shown(browser, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme) as shown:
        shown.page.goto(f"http://host.test:{live.port}/games/1")
        shown.position(3)
        step(live, 1)
        shown.wait(lambda: state(shown.page) == "New actions: 1")
        found = axe.run(shown.page)
        assert found.violations_count == 0, found.generate_report()
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def ask_soon(shown: Shown) -> None:
    """Let the page try again what was refused after a moment."""
    shown.page.add_init_script("{ const later = setTimeout; setTimeout = (what, ms) => later(what, ms / 20); }")


@pytest.mark.parametrize("status", [404, 429, 502, 503])
def test_a_page_is_loaded_again_only_where_there_is_one(browser: Browser, live: Live, status: int) -> None:
    with Shown(browser) as shown:
        ask_soon(shown)
        asked = list[str]()

        def refuse(route: Route) -> None:
            asked.append(route.request.method)
            route.fulfill(status=status, body="not now")

        address = f"http://host.test:{live.port}/games/1"
        shown.page.goto(address)
        shown.position(3)
        shown.page.route(address, refuse, times=1)
        live.do(finished(live.ground, 1))
        shown.wait(lambda: state(shown.page) == "Connection lost. Trying again …")
        assert shown.verdict()[0] == "right"
        assert asked == ["HEAD"]
        assert shown.at == 3


@pytest.mark.parametrize("connected", [True, False])
def test_a_page_that_is_gone_for_two_minutes_goes(browser: Browser, live: Live, connected: bool) -> None:
    """Also if it was already gone when it was to be followed."""
    with Shown(browser) as shown:
        page, asked, answers = shown.page, list[str](), list[int]()
        page.on("request", lambda sent: asked.append(sent.method) if sent.method == "HEAD" else None)
        page.on("response", lambda got: answers.append(got.status) if got.request.method == "HEAD" else None)

        def pass_time(milliseconds: int) -> None:
            """Let the page's time pass until it asks again, and gets its answer."""
            before = len(asked)
            while len(asked) == before:
                page.clock.fast_forward(milliseconds)
                page.wait_for_timeout(200)
            shown.wait(lambda: len(answers) == len(asked))

        page.clock.install()
        if not connected:
            page.route("**/events?*", lambda route: route.fulfill(status=404, body="not there"))
        page.goto(f"http://host.test:{live.port}/games/1")
        if connected:
            shown.wait(lambda: live.followers == 1)
        live.do(choose_web(live.ground, 1, LIVE, HIDDEN))
        for _ in range(3):
            pass_time(10_000)
            assert shown.last > 0, "it may come back"
        pass_time(130_000)
        page.get_by_text("There is nothing here").wait_for()
        assert answers == [404] * 4


def test_a_page_stays_until_a_server_that_has_just_started_knows_of_it(
    browser: Browser, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when Discord can't be asked who can see the game's channel."""
    monkeypatch.setattr(web, "TRIED_AGAIN", 0.1)
    answers = False

    async def is_open(table: Table) -> bool:
        if not answers:
            raise Unavailable("no answer")
        return True

    with Shown(browser) as shown:
        statuses = list[int]()
        shown.page.on("response", lambda got: statuses.append(got.status) if got.request.method == "HEAD" else None)
        ask_soon(shown)
        shown.page.goto(f"http://host.test:{live.port}/games/1")
        shown.wait(lambda: state(shown.page) == "Live: this page follows the game.")
        live.leave()
        shown.wait(lambda: state(shown.page) == "Connection lost. Trying again …")
        live.ground.services.web.open_by(is_open)
        live.come_back()
        shown.wait(lambda: statuses[-3:] == [404] * 3)
        step(live, 1)
        answers = True
        shown.wait(lambda: shown.position() == expected(live)[-1])
        assert state(shown.page) == "Live: this page follows the game."


def see(page: Page, seen: bool) -> None:
    """Show the page's tab, or another one instead."""
    page.evaluate(
        """seen => {
            Object.defineProperty(document, "hidden", { value: !seen, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        seen,
    )


def test_a_page_that_no_one_sees_takes_no_connection(browser: Browser, live: Live) -> None:
    """Browsers open only six to a host, and then no other page of it."""
    with Shown(browser) as shown:
        shown.page.goto(f"http://host.test:{live.port}/games/1")
        before = expected(live)
        shown.wait(lambda: live.followers == 1)
        see(shown.page, False)
        shown.wait(lambda: live.followers == 0)
        step(live, 1)
        shown.page.wait_for_timeout(500)
        assert shown.last == len(before) - 1
        see(shown.page, True)
        shown.wait(lambda: shown.position() == expected(live)[-1])
        assert state(shown.page) == "Live: this page follows the game."
        live.do(finished(live.ground, 1))
        assert shown.verdict()[0] == "right"
        assert shown.errors == []


def test_the_way_to_the_latest_action_is_there_wherever_the_reader_is(browser: Browser, live: Live) -> None:
    """Also where the page was loaded at an earlier position."""
    with Shown(browser) as shown:
        shown.page.goto(f"http://host.test:{live.port}/games/1#3")
        latest = shown.page.locator("#latest")
        assert (shown.at, latest.is_visible()) == (3, True)
        assert state(shown.page) == "Live: this page follows the game."
        latest.click()
        assert (shown.at, latest.is_visible()) == (shown.last, False)
        shown.position(4)
        assert latest.is_visible()

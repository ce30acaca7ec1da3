"""The page of a game in a real browser: it tells what happened, proves the draws, and needs nothing else."""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.languages import language
from bot.page import page
from bot.words.language import speaking
from engine.config import Config
from engine.game import Game
from engine.scenarios import SCENARIOS
from tests.altering import altered
from tests.bot.page.facts import data_of, facts_by_moment
from tests.browser.pages import WORDS, Data, Shown, file_of, finished, right, served, with_file
from tests.browser.screen import DESKTOP, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
HOSTILE = (
    "</script><script>window.pwned=1</script>",
    '<img src=x onerror="window.pwned=1">',
    "\u2028{title}\u202e\ud800",
    "'\"><svg onload=window.pwned=1>",
)


@pytest.fixture(scope="module")
def game() -> Game:
    """A game with trades."""
    return finished(1)


@pytest.fixture(scope="module")
def file(game: Game) -> Data:
    """Its file."""
    return file_of(game, 1, words=WORDS)


@pytest.fixture(scope="module")
def made(file: Data) -> bytes:
    """Its page."""
    return page(file)


# --- what happened


def test_numbers_are_written_as_in_the_language_of_the_page(browser: Browser, tmp_path: Path, file: Data) -> None:
    with speaking(language("de")):
        made = page(file)
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        shown.page.locator("#dice").scroll_into_view_if_needed()
        expected = shown.page.locator("#dice tbody td:nth-of-type(2)")
        shown.wait(lambda: all(re.fullmatch(r"\d+,\d", text) for text in expected.all_inner_texts()))


def test_the_story_has_every_moment_also_one_that_changes_nothing_else(
    browser: Browser, tmp_path: Path, made: bytes
) -> None:
    """Such as an offer, or its answers. What is told of the moment is in sight."""
    moments = data_of(made)["moments"]
    assert any(not moment["set"] for moment in moments)
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        found = shown.page.evaluate(
            """count => Array.from({length: count}, (_, number) => {
                harbormaster.go(number);
                harbormaster.position();
                const { top, bottom } = document.getElementById("lines").getBoundingClientRect();
                return [...document.querySelectorAll("#story [aria-current]")].filter((line) => {
                    const seen = line.getBoundingClientRect();
                    return seen.bottom > top && seen.top < bottom;
                }).map(line => Number(line.dataset.moment));
            })""",
            len(moments),
        )
        assert found == [[number] for number in range(len(moments))]


# --- the proof


def test_the_proof_shows_any_draw(browser: Browser, tmp_path: Path, game: Game, made: bytes) -> None:
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        assert shown.verdict() == right(game)
        shown.page.select_option("#draw-kind", "dice")
        shown.page.fill("#draw-number", "3")
        record, result = next((r.number, d[3]) for r in game.records for d in r.draws if d[:2] == ("dice", 3))
        seen = shown.page.inner_text("#draw")
        for value in (f"Record\n{record}\n", f"mod 6 = {result}\n", f"log\n{result}", "0000000131000000046469636500"):
            assert value in seen
        draws = [draw for record in game.records for draw in record.draws]
        most = {kind: sum(draw[0] == kind for draw in draws) - 1 for kind in ("dice", "seats")}
        for typed, number in (("003", 3), ("", 0), ("-3", 0), ("99999", most["dice"])):
            shown.page.fill("#draw-number", typed)
            assert f"{number:016x}00000000\n" in shown.page.inner_text("#draw")
            assert int(shown.page.input_value("#draw-number") or 0) == number
        shown.page.select_option("#draw-kind", "seats")  # of which there are fewer
        assert shown.page.input_value("#draw-number") == str(most["seats"])
        assert f"{most['seats']:016x}00000000\n" in shown.page.inner_text("#draw")


def test_both_ways_to_calculate_sha_256_are_right(browser: Browser, tmp_path: Path, made: bytes) -> None:
    rng = random.Random(1)
    texts = [rng.randbytes(n) for n in (*range(130), 1000)]
    script = """async texts => {
        const hex = data => [...data].map(byte => byte.toString(16).padStart(2, "0")).join("");
        const both = async data => [hex(await harbormasterProof.sha256(data)), hex(harbormasterProof.ownSha256(data))];
        return Promise.all(texts.map(text => both(Uint8Array.from(text))));
    }"""
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        found = shown.page.evaluate(script, [[*text] for text in texts])
    assert found == [[hashlib.sha256(text).hexdigest()] * 2 for text in texts]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (("seed",), "the fingerprint isn't that of the seed"),
        (("commitment",), "the fingerprint isn't that of the seed"),
        (("entropy", 1), "draw 0 of seats, record 0, says"),
        (("records", 0, "draws", 3, 3), ", record 0, says"),
        (("records", 0, "draws", 3, 1), "a draw is missing or out of order in record 0"),
        (("records", 0, "draws", 3, 0), "record 0 has a draw of an unknown kind"),
        (("records", 5, "n"), "a record is missing before record 5"),
        (("records", 5, "by"), "the seal isn't that of the game"),
        (("players", 0, "color"), "the players aren't those"),
        (("harbormaster",), "the page's copy of the game's file is damaged"),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(
    browser: Browser, tmp_path: Path, file: Data, made: bytes, path: tuple[str | int, ...], sentence: str
) -> None:
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", with_file(made, altered(file, path)))
        result, said = shown.verdict()
        assert result == "wrong"
        assert sentence in said


# --- alone and safe


def test_hostile_names_and_words_change_nothing(browser: Browser, tmp_path: Path, game: Game) -> None:
    words = [word.encode("utf-8", "replace").decode() for word in HOSTILE]
    hostile = finished(1, words=words)
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", page(file_of(hostile, 1, HOSTILE, words)))
        assert shown.verdict() == right(hostile)
        for number in range(shown.last + 1):
            shown.position(number)
        assert shown.page.evaluate("window.pwned") is None
        assert shown.page.locator("img, main svg[onload], iframe").count() == 0
        assert shown.errors == []


def test_the_page_asks_for_nothing_and_keeps_nothing(browser: Browser, tmp_path: Path, made: bytes) -> None:
    """Even a script in its place could do nothing else: the policy forbids it."""
    with Shown(browser) as shown, served({"/games/7": made}) as port:
        address = f"http://host.test:{port}/games/7"
        shown.page.goto(address)
        assert shown.verdict()[0] == "right"
        assert shown.requests == [address]
        assert shown.page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
        assert shown.errors == []
        assert shown.page.evaluate(f"fetch('{address}').then(() => 'sent', () => 'refused')") == "refused"


def test_without_https_the_page_proves_by_itself(browser: Browser, game: Game, made: bytes) -> None:
    with Shown(browser) as shown, served({"/games/7": made}) as port:
        shown.page.goto(f"http://host.test:{port}/games/7")
        assert shown.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
        assert shown.verdict() == right(game)


@SIZES
def test_the_page_works_in_a_sandboxed_frame_of_another_origin(
    browser: Browser, game: Game, made: bytes, size: tuple[int, int]
) -> None:
    files = {"/games/7": made}
    with Shown(browser, viewport={"width": size[0], "height": size[1]}) as shown, served(files) as port:
        style = "border:0;width:100%;height:95vh"
        frame = f'<iframe sandbox="allow-scripts" src="http://host.test:{port}/games/7" style="{style}"></iframe>'
        files["/"] = (
            f"<!DOCTYPE html><title>Another</title><link rel=icon href=data:,><body style=margin:0>{frame}".encode()
        )
        shown.page.goto(f"http://another.test:{port}/")
        inside = shown.page.frame_locator("iframe")
        inside.locator("#verdict.right").wait_for()
        inside.locator("#on").click()
        assert "Turn" in inside.locator("#told").inner_text() or "Setup" in inside.locator("#told").inner_text()
        inside.locator("#last").click()
        assert inside.locator("#slider").input_value() == str(
            len(facts_by_moment(game.config, game.records, opened=True)) - 1
        )
        assert shown.errors == []


# --- for everyone


def test_everything_can_be_done_by_keyboard(browser: Browser, tmp_path: Path, made: bytes) -> None:
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        press = shown.page.keyboard.press
        for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", shown.last), ("Home", 0)):
            press(key)
            assert shown.at == number
        press("PageDown")
        assert shown.position()["turn"] == 1
        press("PageDown")
        assert shown.position()["turn"] == 2
        press("ArrowRight")
        press("PageUp")
        assert shown.position()["turn"] == 2
        press("PageUp")
        assert shown.position()["turn"] == 1
        press("Home")
        press("Space")
        assert shown.page.get_attribute("#play", "aria-label") == "Pause"
        shown.wait(lambda: shown.at > 1)
        press("Space")
        assert shown.page.get_attribute("#play", "aria-label") == "Play"
        reached = set()
        for _ in range(60):
            press("Tab")
            reached.add(shown.page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        wanted = {"slider", "first", "turn-back", "back", "play", "on", "turn-on", "last", "jump", "speed", "palette"}
        assert wanted | {"BUTTON", "SUMMARY", "draw-kind", "draw-number"} <= reached
        shown.position(shown.last)
        shown.page.focus("summary")
        press("Enter")
        shown.wait(lambda: "settlement" in shown.page.inner_text("#words"))
        press("Home")  # elsewhere, keys scroll
        assert shown.at == shown.last


@pytest.mark.parametrize(("there", "at"), [("3", 3), ("-3", 0), ("2.5", 2), ("9999999", -1), ("end", -1), ("x", 0)])
def test_an_address_can_name_any_position(browser: Browser, tmp_path: Path, made: bytes, there: str, at: int) -> None:
    (tmp_path / "game.html").write_bytes(made)
    with Shown(browser) as shown:
        shown.page.goto(f"{(tmp_path / 'game.html').as_uri()}#{there}")
        assert (shown.at, shown.errors) == (shown.last if at < 0 else at, [])


def test_one_can_go_to_what_happened(browser: Browser, tmp_path: Path, made: bytes) -> None:
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        groups = shown.page.locator("#jump optgroup")
        assert groups.count() >= 4
        option = shown.page.locator('#jump optgroup[label*="7"] option').first
        shown.page.select_option("#jump", option.get_attribute("value"))
        assert sum(shown.position()["dice"]) == 7
        assert "rolled 7" in shown.told
        shown.page.locator("#story button").last.click()
        shown.position()
        assert shown.page.locator("#story button[aria-current]").count() == 1
        assert shown.page.inner_text("#story button[aria-current]") in shown.told


def test_arrow_keys_go_from_one_find_to_the_next(browser: Browser, tmp_path: Path, made: bytes) -> None:
    """Without opening the list. Once the reader is elsewhere, the same can be chosen again."""
    finds = [number for jump in data_of(made)["jumps"] for number, _ in jump["at"]]
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        shown.page.focus("#jump")
        for number in (0, 1, 2, 1, 0):
            shown.page.keyboard.press("ArrowUp" if shown.at == finds[number + 1] else "ArrowDown")
            assert shown.at == finds[number]
        shown.page.keyboard.press("ArrowUp")
        assert shown.at == finds[0], "there is nothing before it"
        shown.page.keyboard.press("ArrowDown")
        shown.page.keyboard.press("Tab")
        assert (shown.at, shown.page.input_value("#jump")) == (finds[0], "")
        shown.page.focus("#jump")
        shown.page.keyboard.press("ArrowDown")
        assert shown.page.input_value("#jump") == str(finds[0])
        shown.position(0)
        assert shown.page.input_value("#jump") == ""


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_missing_for_people_who_cannot_see_it(
    browser: Browser, tmp_path: Path, made: bytes, size: tuple[int, int], scheme: Any
) -> None:
    """As far as axe-core can say."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with Shown(browser, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme) as shown:
        shown.open(tmp_path / "game.html", made)
        shown.verdict()
        shown.page.locator("summary").click()
        for number in (0, shown.last // 2, shown.last):
            shown.position(number)
            found = axe.run(shown.page)
            assert found.violations_count == 0, found.generate_report()
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_colors_can_be_easier_to_tell_apart(browser: Browser, tmp_path: Path, made: bytes) -> None:
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", made)
        color = "getComputedStyle(document.querySelector('.chip.red')).backgroundColor"
        before = shown.page.evaluate(color)
        shown.page.check("#palette")
        assert shown.page.evaluate(color) != before


@SIZES
def test_a_game_for_eight_fits(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    config = Config(SCENARIOS["big-island"].colors_for(8), "big-island", target=5)
    game = finished(3, config=config)
    with Shown(browser, viewport={"width": size[0], "height": size[1]}) as shown:
        shown.open(tmp_path / "game.html", page(file_of(game, 3, words=WORDS)))
        assert shown.verdict() == right(game)
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= size[0]

"""The page of a game in a real browser shows every position as the engine has it, and proves the draws."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.page import Unfolding, page
from engine.chance import SeededChance
from engine.config import Config
from engine.game import Game
from engine.scenarios import SCENARIOS
from players.simulate import play_out
from tests.browser.pages import Note, Shown, file_of, players_of, right
from tests.browser.seen import check_positions
from tests.engine.randomly import lively
from tests.games.record import mixed, recorded
from tests.seeds import few_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
POSITIONS = "positions seen forward and back"


@pytest.mark.parametrize("number", few_of(mixed(), 8))
def test_every_position_of_recorded_games_is_the_engines(
    browser: Browser, tmp_path: Path, number: int, record_property: Note
) -> None:
    config, records, _ = recorded(number)
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", page(file_of(Game.replay(config, records), 1)))
        record_property(POSITIONS, check_positions(shown, config, records))


@pytest.mark.parametrize("seed", few_of(range(200), len(SCENARIOS)))
def test_every_position_and_every_draw_of_random_games_is_right(
    browser: Browser, tmp_path: Path, seed: int, record_property: Note
) -> None:
    """All scenarios in turn, with alternate rules, undo, resigning and every way to end."""
    scenario = [*SCENARIOS][seed % len(SCENARIOS)]
    game = lively(seed, scenarios=(scenario,), variants=0.3 * (seed % 2))
    with Shown(browser) as shown:
        shown.open(tmp_path / "game.html", page(file_of(game, seed)))
        assert shown.verdict() == right(game)
        record_property(POSITIONS, check_positions(shown, game.config, game.records))
        record_property("draws proved by the page", sum(len(record.draws) for record in game.records))


@pytest.mark.parametrize("seed", few_of(range(20), 2))
def test_the_page_of_a_running_game_shows_what_onlookers_see(
    browser: Browser, tmp_path: Path, seed: int, record_property: Note
) -> None:
    """It opens at the present position, goes back to the beginning, and has no proof (M)."""
    game = lively(seed)
    records = game.records[: game.revision // 2]
    with Shown(browser) as shown:
        made = Unfolding(str(seed), game.config, records, players_of(game.config)).running().data
        shown.open(tmp_path / "game.html", made)
        assert shown.at == shown.last
        assert shown.page.locator("#proof").count() == 0
        record_property(POSITIONS, check_positions(shown, game.config, records, opened=False))


def test_hands_that_all_can_see_are_shown_card_by_card(browser: Browser, tmp_path: Path) -> None:
    config = Config(("red", "blue", "white"), variants=("open-hands",))
    game = Game.new(config, SeededChance((1).to_bytes(32, "big"), "1", ()))
    play_out(game, random.Random(1), turn_limit=20)
    assert game.outcome is None
    with Shown(browser) as shown:
        made = Unfolding("1", config, game.records, players_of(config)).running().data
        shown.open(tmp_path / "game.html", made)
        assert len(shown.position()["hand.0"]) == 5
        check_positions(shown, config, game.records, opened=False)

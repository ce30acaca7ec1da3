"""The examples of docs/extending.md really plug in: one new file and one line in the registry, nothing else."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.words.options import rules
from engine.actions import BuyCard
from engine.config import Config
from engine.game import Game
from engine.rules import rules_of
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.engine.builder import Seeded, seat, table
from tests.engine.invariants import check_position
from tests.engine.variants import example_rule, example_scenario
from tests.soak.games import any_action, replays

DOCS = Path(__file__).resolve().parents[3] / "docs" / "extending.md"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the examples, as the lines in the registries do."""
    monkeypatch.setitem(VARIANTS, example_rule.VARIANT.id, example_rule.VARIANT)
    monkeypatch.setitem(SCENARIOS, example_scenario.SCENARIO.id, example_scenario.SCENARIO)
    yield
    rules_of.cache_clear()


def test_the_example_rule_plugs_in() -> None:
    t = table(seat(hand="wgowgo"), seat(), variants=("late-cards",))
    t.state.turns[0] = 3
    assert BuyCard not in t.game.options(0)
    assert str(t.refused(0, BuyCard())) == "In this game development cards are sold from your turn 4 on."
    t.state.turns[0] = 4
    t.play(0, BuyCard())


def test_the_lobby_describes_the_example_rule_and_scenario() -> None:
    text = "\n".join(rules(Config(("red", "blue"), "islet", variants=("late-cards",))))
    assert example_rule.VARIANT.summary in text
    assert example_scenario.SCENARIO.summary in text


@pytest.mark.parametrize("layout", ["spiral", "random"])
def test_the_example_scenario_can_be_played_to_its_end_with_all_alternate_rules(layout: str) -> None:
    for number in range(3):
        config = Config(("red", "blue"), "islet", variants=tuple(VARIANTS), layout=layout, target=7)
        game, rng = Game.new(config, Seeded(number)), random.Random(number)
        assert game.board.robber == -1
        while game.outcome is None and game.state.turn < 2000:
            seat, action = any_action(game, rng)
            if seat < 0 or game.options(seat).allows(action):
                game.play(seat, action)
        assert game.outcome is not None
        check_position(game, {})
        replays(game)


def test_the_registries_use_the_ids_of_their_entries() -> None:
    for registry in (VARIANTS, SCENARIOS):
        assert all(entry.id == name for name, entry in registry.items())


def test_the_page_shows_the_examples_as_they_are() -> None:
    """The page has each of the two files as a block of code."""
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    here = Path(__file__).parent
    for name in ("example_rule.py", "example_scenario.py"):
        assert (here / name).read_text("utf-8") in blocks

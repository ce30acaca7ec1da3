"""Section A: a configuration that can't be played is refused with one helpful sentence."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.config import Config
from engine.editions import EDITIONS
from engine.errors import ConfigError
from engine.scenarios import SCENARIOS, check
from engine.scenarios.checks import check_config
from tests.engine.scenarios.dealing import config, configs

FOUR = ("red", "blue", "white", "orange")


def refusal(chosen: Config) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        check(chosen)
    assert str(caught.value).endswith(".")
    return caught.value


def test_a_every_scenario_edition_layout_option_and_number_of_players_can_be_played() -> None:
    for scenario in SCENARIOS.values():
        for edition in EDITIONS:
            for players in scenario.players:
                for chosen in configs(scenario.id):
                    check(replace(chosen, edition=edition, colors=scenario.colors_for(players)[:players]))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"scenario": "atlantis"}, "scenario"),
        ({"edition": "1995"}, "edition"),
        ({"colors": FOUR[:1]}, "players"),
        ({"colors": ()}, "players"),
        ({"colors": (*FOUR, "green")}, "players"),
        ({"colors": ("red", "blue", "pink")}, "colors"),
        ({"colors": ("red", "blue", "red")}, "colors"),
        ({"target": 2}, "target"),
        ({"target": 21}, "target"),
        ({"round_limit": -1}, "round_limit"),
        ({"layout": "chess"}, "layout"),
        ({"options": (("limit", "10"),)}, "option"),
        ({"variants": ("no-such-rule",)}, "variant"),
        ({"scenario": "beginner", "layout": "random"}, "layout"),
        ({"scenario": "islands", "layout": "balanced"}, "layout"),
        ({"scenario": "islands", "options": (("resources", "three"),)}, "option"),
        ({"scenario": "islands", "options": (("cards", "one"), ("cards", "two"))}, "option"),
    ],
)
def test_a_impossible_configurations_are_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal(replace(Config(colors=FOUR), **changes)).code == code


def test_a1_eight_players_are_refused_on_the_base_board_with_the_reason() -> None:
    refused = refusal(replace(config("peanut"), scenario="base"))
    assert str(refused) == "The base game is for at most 4 players: you have 8."


def test_a3_targets_from_3_to_20_are_accepted() -> None:
    for target in (3, 20):
        check(replace(Config(colors=FOUR), target=target))


def test_b7_with_three_players_red_is_not_played_on_the_fixed_board() -> None:
    check(config("beginner", 4))
    for colors in (("red", "blue", "white"), ("red", "blue")):
        assert refusal(replace(config("beginner"), colors=colors)).code == "colors"
    check(replace(config("beginner"), colors=("white", "orange", "blue")))


def test_b7_the_fixed_board_has_pieces_of_four_colours() -> None:
    assert refusal(replace(config("beginner"), colors=("green", "blue", "white"))).code == "colors"


def test_a_alternate_rules_that_exclude_each_other_are_refused() -> None:
    rules = {
        "one": SimpleNamespace(excludes=frozenset({"two"})),
        "two": SimpleNamespace(excludes=frozenset()),
        "three": SimpleNamespace(excludes=frozenset()),
    }
    fine = replace(Config(colors=FOUR), variants=("two", "three"))
    check_config(fine, SCENARIOS, rules)
    for variants in (("one", "two"), ("two", "one"), ("three", "three")):
        with pytest.raises(ConfigError):
            check_config(replace(fine, variants=variants), SCENARIOS, rules)


def test_texts_for_the_lobby_are_short_sentences() -> None:
    for scenario in SCENARIOS.values():
        assert scenario.summary.endswith(".")
        assert len(scenario.title) <= 40
        assert len(scenario.summary) <= 100
        for option in scenario.options:
            assert all(len(value) <= 20 and len(text) <= 100 for value, text in option.choices)

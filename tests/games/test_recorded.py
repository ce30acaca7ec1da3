"""Recorded games replay to the same positions in every later version (architecture: Formats)."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from engine.actions import ACTIONS
from engine.config import EDITIONS, FORMAT, Config
from engine.formats import FORMATS
from engine.game import Game
from engine.record import Record
from engine.scenarios import SCENARIOS
from engine.terms import EndReason
from engine.variants import VARIANTS
from tests.engine.randomly import lively
from tests.games.endings import WAYS, ways
from tests.games.record import FILE, read

TABLES = {(scenario.id, players) for scenario in SCENARIOS.values() for players in scenario.players}


def newest() -> list[tuple[Config, list[Record], str]]:
    """The games of the coming release; they are the last ones."""
    return read()[-len(gzip.decompress(FILE.read_bytes()).splitlines()) :]


def test_recorded_games_replay_to_the_same_hashes_and_end_in_every_way(
    record_property: Callable[[str, object], None],
) -> None:
    """A log gives the same game as long as its format is played. The games of the coming release show each way to end
    that is on the list, and each reason at each table, by scenario and number of players. No recorded game has ended in
    a way that isn't on the list."""
    games = read()
    coming = len(games) - len(newest())
    shown, reasons = set[str](), set[tuple[str, int, EndReason]]()
    for number, (config, records, last) in enumerate(games):
        game = Game.replay(config, records)
        assert game.hash() == last, f"recorded game {number}"
        assert game.outcome is not None
        found = ways(game)
        assert found, f"recorded game {number}"
        if number >= coming:
            shown |= found
            reasons.add((config.scenario, config.players, game.outcome.reason))
    record_property("recorded games", len(games))
    record_property("ways to end", len(shown))
    assert len(games) >= 200
    assert shown == set(WAYS)
    assert reasons >= {(*table, reason) for table in TABLES for reason in EndReason}


def test_every_reason_to_end_is_on_the_list() -> None:
    assert {reason for reason, *_ in WAYS.values()} == set(EndReason)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_end_in_a_way_that_is_on_the_list(seed: int) -> None:
    game = lively(seed, scenarios=tuple(SCENARIOS), targets=(3, 4), variants=0.3)
    assert game.outcome is None or ways(game)


def test_the_records_hold_every_kind_of_action() -> None:
    """This includes offers, undo, the referee's actions and those of alternate rules."""
    assert {r.action.name for _, records, _ in newest() for r in records if r.action} == set(ACTIONS)


def test_the_records_hold_every_alternate_rule_scenario_option_edition_and_format() -> None:
    configs = [config for config, _, _ in newest()]
    assert {(c.scenario, v) for c in configs for v in c.variants} == {(s, v) for s in SCENARIOS for v in VARIANTS}
    assert {(c.scenario, c.edition) for c in configs} == {(s, e) for s in SCENARIOS for e in EDITIONS}
    assert {c.format for c in configs} == {FORMAT}
    assert {config.format for config, _, _ in read()} == set(FORMATS)
    options = {
        (s.id, o.name, value)
        for s in SCENARIOS.values()
        for o in s.options
        if not o.only_with
        for value, _ in o.choices
    }
    assert options <= {(c.scenario, *option) for c, _, _ in read() for option in c.options}

"""Recorded games replay to the same positions in every later version (architecture: Formats)."""

from __future__ import annotations

from engine.actions import ACTIONS
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.games.record import read


def test_recorded_games_replay_to_the_same_hashes() -> None:
    """A log gives the same game as long as its format is played. The recorded games include every way to end."""
    reasons = set[str]()
    for number, (config, records, last) in enumerate(read()):
        game = Game.replay(config, records)
        assert game.hash() == last, f"recorded game {number}"
        assert game.outcome is not None
        reasons.add(game.outcome.reason)
    assert reasons == {"target", "last", "agreement", "rounds", "called_off"}


def test_the_records_hold_every_kind_of_action() -> None:
    """This includes offers, undo, the referee's actions and those of alternate rules."""
    assert {r.action.name for _, records, _ in read() for r in records if r.action} == set(ACTIONS)


def test_the_records_hold_every_scenario_option_and_alternate_rule() -> None:
    configs = [config for config, _, _ in read()]
    assert {c.scenario for c in configs} == set(SCENARIOS)
    assert {v for c in configs for v in c.variants} == set(VARIANTS)
    options = {
        (s.id, o.name, value)
        for s in SCENARIOS.values()
        for o in s.options
        if not o.only_with
        for value, _ in o.choices
    }
    assert options <= {(c.scenario, *option) for c in configs for option in c.options}

"""Recorded games replay to the same positions in every later version (DESIGN 9)."""

from __future__ import annotations

from engine.actions import ACTIONS
from engine.game import Game
from tests.games.record import read


def test_recorded_games_replay_to_the_same_hashes() -> None:
    """A log is the same game for ever, as long as its format is played; every way to end is among them."""
    reasons = set[str]()
    for number, (config, records, last) in enumerate(read()):
        game = Game.replay(config, records)
        assert game.hash() == last, f"recorded game {number}"
        assert game.outcome is not None
        reasons.add(game.outcome.reason)
    assert reasons == {"target", "last", "agreement", "rounds"}


def test_the_records_hold_every_kind_of_action_of_the_plain_game() -> None:
    """Offers, undo, resigning and agreeing to end are among them."""
    names = {r.action.name for _, records, _ in read() for r in records if r.action}
    elsewhere = {"build_bridge", "leave_robber", "pass", "ask_to_build", "set_standing", "play_victory_point", "expire"}
    assert names == set(ACTIONS) - elsewhere

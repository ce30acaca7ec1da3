"""Random games from the command line: the same in every process, and with a count of games that didn't end."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from engine.actions import AcceptOffer, CloseOffer, MakeOffer
from engine.config import COLORS, Config
from engine.events import Traded
from engine.game import Game
from players.simulate import play, run, simulate
from tests.house import ROOT


def config(players: int = 3, target: int = 5) -> Config:
    return Config(colors=COLORS[:players], target=target)


def test_a_seed_gives_the_same_games_in_every_process() -> None:
    """Even if strings hash differently."""
    program = (
        "from players.simulate import run; run(players=3, games=4, seed='x', target=6, offers=True); "
        "run(games=2, seed='x', scenario='beginner', edition='1996', target=5)"
    )
    outputs = set()
    for hashseed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hashseed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True, text=True
        )
        outputs.add("\n".join(line for line in done.stdout.splitlines() if not line.startswith("speed")))
    assert len(outputs) == 1
    assert outputs.pop().count("fingerprint") == 2


def test_another_seed_gives_other_games() -> None:
    assert simulate(config(), 2, "a").fingerprint != simulate(config(), 2, "b").fingerprint


def test_the_counts_match_the_games() -> None:
    tally = simulate(config(), 6, "0")
    assert tally.games == len(tally.turns) == tally.winners.total() == tally.reasons["target"] == 6
    assert tally.stalemates == 0
    assert tally.actions > sum(tally.turns) > 0
    assert tally.seconds > 0


def test_a_game_that_takes_too_long_is_a_stalemate() -> None:
    tally = simulate(config(target=20), 3, "0", turn_limit=4)
    assert (tally.stalemates, tally.turns, tally.winners.total()) == (3, [4, 4, 4], 0)


def test_offers_are_made_answered_and_closed() -> None:
    """With `offers`, players make, accept and close offers; without it, no one makes an offer."""
    games = [play(config(), str(seed), offers=True)[0] for seed in range(10)]
    kinds = {type(record.action) for game in games for record in game.records}
    assert {MakeOffer, AcceptOffer, CloseOffer} <= kinds
    assert MakeOffer not in {type(record.action) for record in play(config(), "0")[0].records}


def test_trades_of_random_games_are_replayed() -> None:
    games = (play(config(), str(seed), offers=True)[0] for seed in range(20))
    game, at = next((g, r.number) for g in games for r in g.records if type(r.action) is CloseOffer)
    assert Game.replay(game.config, game.records).hash() == game.hash()
    assert Traded in map(type, Game.replay(game.config, game.records[: at + 1]).last_events)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"players": 9}, "at most 4 players: you have 9"),
        ({"scenario": "moon"}, "no scenario 'moon'"),
        ({"edition": "1887"}, "no edition '1887'"),
        ({"target": 2}, "not with 2"),
        ({"layout": "heap"}, "'heap'"),
        ({"variants": ["none"]}, "'none'"),
    ],
)
def test_arguments_that_cant_be_played_are_refused_in_one_sentence(
    arguments: dict[str, Any], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(games=1, **arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("scenario", ["base", "beginner"])
def test_the_report_names_the_scenario_and_the_speed(
    players: int, scenario: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(players=players, games=2, scenario=scenario, target=4, offers=True) == 0
    report = capsys.readouterr().out
    assert report.startswith(f"2 games: {scenario} 2007")
    assert "games/s" in report

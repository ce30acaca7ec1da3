"""The net that comes with the program: small, made for what players look at, and worth more than the weights."""

from __future__ import annotations

import random

from engine.config import COLORS, Config
from engine.game import Game
from players import computer
from players.chances import weights
from players.details import DETAILS
from players.net import FILE, NetChances, net
from players.situation import Situation
from players.table import play
from tests.engine.builder import seat, table
from tests.engine.randomly import chance


def test_it_is_small_and_fits_what_is_looked_at() -> None:
    assert FILE.stat().st_size < 300_000
    found = net()
    assert {*found.inputs} <= {*weights(), *DETAILS}
    inputs = len(found.inputs)
    assert len(found.direct) == inputs
    for rows, biases in found.layers:
        assert {len(row) for row in rows} == {inputs}
        inputs = len(rows)
        assert len(biases) == inputs
    assert len(found.last) == inputs


def test_chances_of_all_are_together_one_and_more_points_are_better() -> None:
    mine = seat(cities="C4 D6", settlements="E5", roads="e4 g6", hand="oog")
    game = table(mine, seat(settlements="B4 E3", hand="oog"), seat(settlements="C7 B2", hand="oog")).game
    situation = Situation.of(game.view(0, counted=True))
    chances = NetChances(situation.state, net())
    found = [chances.of(situation, s) for s in range(3)]
    assert abs(sum(found) - 1.0) < 1e-9
    assert found[0] > max(found[1:])


def test_an_expert_and_bots_of_other_levels_play_a_game_to_its_end() -> None:
    game = Game.new(Config(colors=COLORS[:4], target=7), chance(4))
    players = [computer(level, random.Random(n)) for n, level in enumerate(("expert", "hard", "easy", "expert"))]
    while game.outcome is None and game.turn < 300:
        play(game, players)
    assert game.outcome is not None

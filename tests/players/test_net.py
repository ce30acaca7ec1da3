"""The net that comes with the program: small, made for what bots look at, and not misled by the robber."""

from __future__ import annotations

import random

import pytest

from engine.actions import EndTurn
from engine.config import COLORS, Config
from engine.game import Game
from engine.resources import DESERT
from players import computer
from players.chances import weights
from players.details import DETAILS
from players.net import FILE, NetChances, net
from players.sensible import SensiblePlayer
from players.situation import Situation
from players.table import play
from tests.engine.builder import seat, table
from tests.engine.randomly import chance


def test_the_net_is_small_and_fits_its_inputs() -> None:
    assert FILE.stat().st_size < 300_000
    loaded = net()
    assert {*loaded.inputs} <= {*weights(), *DETAILS}
    inputs = len(loaded.inputs)
    assert len(loaded.direct) == inputs
    for rows, biases in loaded.layers:
        assert {len(row) for row in rows} == {inputs}
        inputs = len(rows)
        assert len(biases) == inputs
    assert len(loaded.last) == inputs


def test_all_chances_add_up_to_one_and_more_points_are_better() -> None:
    mine = seat(cities="C4 D6", settlements="E5", roads="e4 g6", hand="oog")
    game = table(mine, seat(settlements="B4 E3", hand="oog"), seat(settlements="C7 B2", hand="oog")).game
    situation = Situation.of(game.view(0, counted=True))
    chances = NetChances(situation.state, net())
    values = [chances.of(situation, s) for s in range(3)]
    assert abs(sum(values) - 1.0) < 1e-9
    assert values[0] > max(values[1:])


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_the_robber_on_ones_own_hex_is_never_better(level: str) -> None:
    """It is usually next to strong players, but it doesn't make them strong."""
    game = Game.new(Config(colors=COLORS[:4]), chance(5))
    players, judged = [computer("hard", random.Random(n)) for n in range(4)], computer(level, random.Random(0))
    assert isinstance(judged, SensiblePlayer)
    while game.turn < 24:
        seat = game.to_act[0]
        if EndTurn in game.options(seat):
            thinker = judged.thinker(game.view(seat, counted=True))
            state, desert = game.state, game.board.terrain.index(DESERT)
            mine = state.settlements[seat] | state.cities[seat]
            for at, nodes in enumerate(game.board.hex_node_mask):
                if at != desert and nodes & mine == nodes & state.buildings != 0:
                    away, here = thinker.situation.copy(), thinker.situation.copy()
                    away.state.robber, here.state.robber = desert, at
                    assert thinker.value(here) <= thinker.value(away)
        play(game, players)

"""What makes a seat strong, in numbers."""

from __future__ import annotations

from engine.config import COLORS, Config
from engine.game import Game
from players.chances import weights
from players.features import Judge
from players.survey import survey_of
from tests.engine.randomly import chance


def test_each_feature_has_a_weight_and_each_weight_a_feature() -> None:
    game = Game.new(Config(COLORS[:4]), chance(1))
    assert list(Judge(survey_of(game.board)).features(game.state, 0)) == list(weights())

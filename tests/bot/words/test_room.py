"""Room to build, as a player's own view shows it, is exactly what the rules allow to a player who can pay."""

from __future__ import annotations

import random

import pytest

from bot.words import room
from engine.actions import BuildBridge, BuildCity, BuildRoad, BuildSettlement, PlaceAction
from engine.domains import Places
from engine.game import Game
from engine.resources import hand
from engine.scenarios import SCENARIOS
from engine.terms import Piece, StepKind
from players import computer
from players.table import play
from tests.engine.randomly import chance, random_config

KINDS: dict[str, type[PlaceAction]] = {
    Piece.ROAD: BuildRoad,
    Piece.BRIDGE: BuildBridge,
    Piece.SETTLEMENT: BuildSettlement,
    Piece.CITY: BuildCity,
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_there_is_room_exactly_where_a_player_who_can_pay_may_build(scenario: str) -> None:
    rng = random.Random(scenario)
    config = random_config(rng, (scenario,), (8,), rounds=25, variants=0.3)
    game = Game.new(config, chance(1))
    players = [computer("random", rng) for _ in range(config.players)]
    compared = 0
    while game.outcome is None and compared < 60:
        if game.view(None).step.kind in (StepKind.MAIN, StepKind.BUILDING_PHASE, StepKind.SPECIAL_BUILDING):
            seat = game.to_act[0]
            rich = game.copy()
            rich.state.hands[seat] = list(hand([9] * 5))
            view, options, pieces_left = rich.view(seat), rich.options(seat), rich.view(seat).players[seat].pieces_left
            supply = {Piece.SETTLEMENT: pieces_left[1], Piece.CITY: pieces_left[2]}
            for piece, action in KINDS.items():
                domain = options.get(action)
                mask = domain.mask if isinstance(domain, Places) else 0
                if supply.get(Piece(piece), pieces_left[0]):
                    assert room.places(view, piece) == mask, (piece, game.revision)
                    compared += bool(mask)
        play(game, players)
    assert compared > 20

"""A newcomer's plan: always something that the rules allow, toward a goal whose price is right."""

from __future__ import annotations

import random

import pytest

from bot.screens.coach import PLANNED, advice
from bot.screens.viewer import Viewer
from bot.words.language import speaking
from engine.actions import BuildCity, BuildRoad, BuildSettlement, BuyCard
from engine.game import Game
from engine.resources import covers
from engine.rules import data_of
from engine.terms import StepKind
from players import computer
from players.plans import goal, step
from players.table import play
from tests.bot.screens.played import table
from tests.bot.words.pseudo import Pseudo, untranslated
from tests.engine.randomly import chance, random_config
from tests.seeds import few_of

BUILDS = (BuildSettlement, BuildCity, BuyCard)


@pytest.mark.parametrize("scenario", few_of(["islands", "base", "beginner", "peanut"], 2))
def test_each_suggested_step_is_legal_and_each_goal_is_priced_right(scenario: str) -> None:
    rng = random.Random(scenario)
    config = random_config(rng, (scenario,), (6,), rounds=20)
    game = Game.new(config, chance(1))
    players = [computer("easy", rng) for _ in range(config.players)]
    built = 0
    while game.outcome is None:
        seat = game.to_act[0]
        if game.view(None).step.kind in (*PLANNED, StepKind.DISCARD):
            viewer = Viewer(table(config), game, seat)
            view, aim = viewer.view, goal(viewer.view)
            action = step(view, viewer.options, aim)
            assert action is not None
            assert viewer.options.allows(action), action
            with speaking(Pseudo()):
                coaching = advice(viewer, ())
                if coaching is not None:
                    assert untranslated(coaching.reply.text, viewer.names) == []
            if aim is not None:
                data, have = data_of(config), view.players[seat].hand or ()
                costs = {BuildSettlement: data.settlement_cost, BuildCity: data.city_cost, BuyCard: data.card_cost}
                price = costs[type(aim.action)]
                assert covers(aim.cost, price)
                assert sum(aim.cost) - sum(price) == len(aim.ways) * sum(data.road_cost)
                assert any(aim.missing) != covers(have, aim.cost)
                if isinstance(action, (*BUILDS, BuildRoad)):
                    built += 1
        play(game, players)
    assert built > 0

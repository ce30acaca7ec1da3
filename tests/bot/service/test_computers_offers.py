"""A bot that has made an offer waits for people's answers."""

from __future__ import annotations

import random

import pytest

from bot.service.computers import ANSWERS, PRESENT, choose
from engine.actions import Action, MakeOffer
from engine.events import OfferMade
from engine.resources import single
from engine.views import View
from tests.bot.playground import ANN, Playground, do_due
from tests.bot.service.computers import begun, tradable
from tests.bot.thinking import decides


@pytest.mark.parametrize(
    ("away", "pause"),
    [(False, 4.0), (True, 4.0), (False, 400.0)],
    ids=["they could answer", "they couldn't", "nobody is there"],
)
async def test_a_bot_waits_for_answers_to_its_offer_but_not_forever(
    ground: Playground, away: bool, pause: float
) -> None:
    async def offers(level: str, view: View) -> Action:
        made = any(isinstance(e, OfferMade) and e.seat == view.seat for e in view.events)
        if not made and (mine := tradable(view)) is not None:
            return MakeOffer(single(mine), single((mine + 1) % 5))
        return choose(level, view)

    ground.services.computers._think = decides(offers)
    table = await begun(ground, ANN)
    rng = random.Random(2)
    for _ in range(300):
        table, game = await ground.table(table.number), await ground.game(table.number)
        if game.state.offers and table.member_at(game, game.state.offers[0].seat).level:
            job = await ground.store.next_job(0.0)
            assert job is not None
            if pause > PRESENT:
                assert job - ground.clock <= table.options.pause
            else:
                assert ANSWERS - 5 < job - ground.clock <= ANSWERS
            ground.clock = job
            if away:
                await ground.services.reach.lost(table.number)
                await do_due(ground.services)
                assert (await ground.game(table.number)).revision == game.revision, "they have a minute from now on"
                ground.clock += ANSWERS
            await do_due(ground.services)
            assert (await ground.game(table.number)).revision > game.revision
            return
        if ANN in [table.user_at(game, seat) for seat in game.to_act]:
            seat = next(seat for seat in game.to_act if table.user_at(game, seat) == ANN)
            await ground.play(table.number, ANN, game.options(seat).sample(rng))
        else:
            ground.clock += pause
            await do_due(ground.services)
    raise AssertionError("no offer was made")

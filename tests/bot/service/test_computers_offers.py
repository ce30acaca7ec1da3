"""A bot that has made an offer waits for people's answers; one that counters a person's offer holds up no one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.service.computers import ANSWERS, QUICK_ANSWER, _due, _outdated, choose
from bot.service.reach import Undecided
from bot.table.reminders import PRESENT
from bot.table.table import Table
from engine.actions import Action, DeclineOffer, EndTurn, MakeOffer, PlayRoadBuilding, WithdrawOffer
from engine.events import OfferMade
from engine.resources import BRICK, WOOL, single
from engine.terms import StepKind
from engine.views import View
from players.table import unanswered
from tests.bot.playground import ANN, BOB, Playground, do_due
from tests.bot.service.computers import begun, tradable
from tests.bot.table.desk import Desk
from tests.bot.thinking import decides
from tests.engine.builder import seat
from tests.engine.builder import table as position


@pytest.mark.parametrize(
    ("away", "pause"),
    [(False, 4.0), (True, 4.0), (None, 4.0), (False, 400.0)],
    ids=["they could answer", "they couldn't", "it can't be told", "nobody is there"],
)
async def test_a_bot_waits_for_answers_to_its_offer_but_not_forever(
    ground: Playground, away: bool | None, pause: float
) -> None:
    async def unclear(table: Table) -> bool:
        raise Undecided

    if away is None:
        ground.services.reach.probe_by(unclear)

    async def offers(level: str, view: View) -> Action:
        made = any(isinstance(e, OfferMade) and e.seat == view.seat for e in view.events)
        if not made and (mine := tradable(view)) is not None:
            return MakeOffer(single(mine), single((mine + 1) % 5))
        return choose(level, view, seed=1)

    ground.services.computers._think = decides(offers)
    ground.services.lobby._entropy = bytes  # the same game every time
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


async def countered(ground: Playground) -> tuple[Table, int, int]:
    """A game in which a person has made an offer, which the first bot has countered. Returns the table, the person's
    seat and the bot's."""
    bots: list[int] = []

    async def counters(level: str, view: View) -> Action:
        assert view.seat is not None
        offer = unanswered(view)
        if offer is None:
            return choose(level, view, seed=1)
        held = next((k for k, n in enumerate(view.players[view.seat].hand or ()) if n and not offer.give[k]), None)
        if held is None or bots:
            return DeclineOffer(offer.id)
        bots.append(view.seat)
        return MakeOffer(single(held), offer.give, answers=offer.id)

    ground.services.computers._think = decides(counters)
    ground.services.lobby._entropy = bytes  # the same game every time
    table = await begun(ground, ANN)
    rng = random.Random(2)
    for _ in range(600):
        table, game = await ground.table(table.number), await ground.game(table.number)
        mine = next(seat for seat in range(4) if table.user_at(game, seat) == ANN)
        if bots:
            return table, mine, bots[0]
        if mine in game.to_act and (give := tradable(game.view(mine))) is not None:
            await ground.play(table.number, ANN, MakeOffer(single(give), single((give + 1) % 5)))
            ground.clock += QUICK_ANSWER
            await do_due(ground.services)
            if not bots:
                await ground.play(table.number, ANN, EndTurn())
        elif mine in game.to_act:
            await ground.play(table.number, ANN, game.options(mine).sample(rng))
        else:
            ground.clock += 4.0
            await do_due(ground.services)
    raise AssertionError("no offer was countered")


async def test_a_bots_counteroffer_holds_up_neither_the_other_bots_nor_its_own_answer(ground: Playground) -> None:
    table, mine, bot = await countered(ground)
    game = await ground.game(table.number)
    [offer, counter] = game.state.offers
    assert offer.declined == offer.to & ~(1 << bot), "the other bots have answered at once"
    assert not offer.declined >> bot & 1, "the counteroffer is its answer"
    ground.clock += ANSWERS + 5
    await do_due(ground.services)
    assert (await ground.game(table.number)).revision == game.revision
    await ground.play(table.number, ANN, DeclineOffer(counter.id))
    ground.clock += QUICK_ANSWER
    await do_due(ground.services)
    offer = (await ground.game(table.number)).state.offers[0]
    assert offer.declined == offer.to
    assert mine in (await ground.game(table.number)).to_act


async def test_a_bot_takes_its_counteroffer_back_once_the_player_does_something_else(ground: Playground) -> None:
    table, mine, bot = await countered(ground)
    game = await ground.game(table.number)
    [first, counter] = game.state.offers
    give = tradable(game.view(mine))
    assert give is not None
    await ground.play(table.number, ANN, MakeOffer(single(give), single((give + 2) % 5)))
    ground.clock += QUICK_ANSWER
    await do_due(ground.services)
    offers = (await ground.game(table.number)).state.offers
    assert counter.id not in [offer.id for offer in offers], "it can have made another one"
    assert all(offer.declined >> bot & 1 for offer in offers if offer.id == first.id)


def test_a_bot_takes_its_counteroffer_back_only_after_free_roads_are_placed() -> None:
    """While they are placed it can't, and mustn't accept the offer instead."""
    ann = seat(settlements="B4", roads="c4", hand="b", cards="r")
    desk = Desk.at(position(ann, seat(hand="ww"), seat()))
    desk.play(ANN, MakeOffer(single(BRICK), single(WOOL)))
    desk.play(BOB, MakeOffer(single(WOOL, 2), single(BRICK), answers=1))
    members = [replace(member, level="easy") if member.user == BOB else member for member in desk.table.members]
    table = replace(desk.table, members=tuple(members))
    desk.play(ANN, PlayRoadBuilding())
    while desk.played.view(None).step.kind is StepKind.ROAD_BUILDING:
        assert _due(table, desk.played) is None
        desk.play(ANN, next(desk.played.options(0).actions()))
    assert (_due(table, desk.played), _outdated(table, desk.played)) == (1, (1, WithdrawOffer(2)))

"""Orders to end a turn: only for who can do nothing else with it, and doesn't want to."""

from __future__ import annotations

import random

import pytest

from bot.table.acts.options import SetOptions
from engine.actions import BuildRoad, BuyCard, DeclineOffer, EndTrade, EndTurn, MakeOffer, Undo
from engine.game import Game
from engine.geometry import bits
from engine.resources import single
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.service.ordering import begun, carried_out, idle
from tests.bot.service.tables import in_step, until


async def test_a_turn_is_ended_for_who_can_do_nothing_and_no_other(ground: Playground) -> None:
    table = await begun(ground)
    number = table.number
    nothing: list[bool] = []
    rng = random.Random(2)
    for _ in range(300):
        table, game = await until(ground, number, lambda game: in_step("main")(game))
        seat = game.to_act[0]
        user = table.user_at(game, seat)
        idle = all(action in (EndTurn, MakeOffer) for action in game.options(seat))
        await ground.services.orders.give(number, user, end=True)
        await carried_out(ground)
        after = await ground.game(number)
        assert (after.turn > game.turn) == idle
        nothing.append(idle)
        await ground.services.orders.give(number, user, end=False)
        if not idle:
            action = BuyCard() if BuyCard in game.options(seat) else EndTurn()
            await ground.play(number, user, action)
        if {True, False} <= set(nothing):
            return
        await ground.step(number, rng)
    raise AssertionError("both should have happened")


@pytest.mark.parametrize("builds", [True, False])
async def test_L11_a_turn_is_ended_in_the_trade_phase_only_if_nothing_can_be_built(
    ground: Playground, builds: bool
) -> None:
    table = await ground.lobby(ANN, BOB, CEM)
    number, rng = table.number, random.Random(1)
    await ground.services.games.act(
        number, ANN, SetOptions({"variants": ["separate-phases"], "target": 20}), ground.id()
    )
    await ground.services.lobby.start(number, ANN, "closing-1", ground.id())

    def reached(game: Game) -> bool:
        seat = game.to_act[0]
        if not in_step("trade_phase")(game) or set(game.options(seat)) != {EndTrade, EndTurn, MakeOffer}:
            return False
        trial = game.copy()
        trial.play(seat, EndTrade())
        return (set(trial.options(seat)) != {EndTurn}) == builds

    while not reached(game := await ground.game(number)):
        await ground.step(number, rng)
    seat = game.to_act[0]
    user = (await ground.table(number)).user_at(game, seat)
    await ground.services.orders.give(number, user, end=True)
    await carried_out(ground)
    records = (await ground.game(number)).records[game.revision :]
    assert [record.action for record in records] == ([] if builds else [EndTurn()])


async def test_who_takes_an_ordered_end_of_a_turn_back_ends_it_alone(ground: Playground) -> None:
    """Once more by hand, too; their next turn is ended for them again."""
    number = (await begun(ground)).number
    table, game = await until(ground, number, idle)
    seat = game.to_act[0]
    user = table.user_at(game, seat)
    await ground.services.orders.give(number, user, end=True)
    await carried_out(ground)
    assert (await ground.game(number)).turn > game.turn
    for _ in range(2):
        played = await ground.play(number, user, Undo())
        await carried_out(ground)
        assert (await ground.game(number)).revision == played.revision
        await ground.play(number, user, EndTurn())
    _, later = await until(ground, number, lambda later: idle(later) and later.to_act == (seat,))
    await carried_out(ground)
    assert (await ground.game(number)).turn > later.turn


async def test_who_takes_something_else_back_still_has_their_turn_ended(ground: Playground) -> None:
    number, rng = (await begun(ground)).number, random.Random(3)
    for _ in range(3000):
        game = await ground.game(number)
        seat = game.to_act[0]
        if in_step("main")(game) and BuildRoad in game.options(seat) and not game.can_undo(seat):
            trial = game.copy()
            trial.play(seat, road := game.options(seat)[BuildRoad].sample(rng))
            if idle(trial):
                break
        await ground.step(number, rng)
    user = (await ground.table(number)).user_at(game, seat)
    await ground.services.orders.give(number, user, end=True)
    for action in (road, Undo(), road):
        await ground.play(number, user, action)
    await carried_out(ground)
    assert (await ground.game(number)).turn > game.turn


async def test_a_turn_is_not_kept_open_by_an_offer_that_all_have_declined(ground: Playground) -> None:
    """While somebody hasn't answered, it is."""
    number = (await begun(ground)).number
    table, game = await until(ground, number, lambda game: idle(game) and any(game.state.hands[game.to_act[0]]))
    seat = game.to_act[0]
    user = table.user_at(game, seat)
    kind = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
    await ground.services.orders.give(number, user, end=True)
    offer = (await ground.play(number, user, MakeOffer(single(kind), single((kind + 1) % 5)))).game.state.offers[0]
    for other in bits(offer.to):
        await carried_out(ground)
        assert (await ground.game(number)).turn == game.turn
        await ground.play(number, table.user_at(game, other), DeclineOffer(offer.id))
    await carried_out(ground)
    assert (await ground.game(number)).turn > game.turn

"""Orders: a pass in the special building phase for who can have nothing that they want to be asked for (J2)."""

from __future__ import annotations

import random

import pytest

from bot.service.orders import ORDER
from bot.table.acts.lobby import Join
from bot.table.acts.options import SetOptions
from bot.table.ordering import builds
from bot.table.preferences import BUILDS
from bot.table.table import Table
from engine.actions import EndTurn, PassOn
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, NAMES, Playground, do_due
from tests.bot.service.ordering import carried_out

ALL = tuple(BUILDS)


async def called(ground: Playground, wanted: tuple[str, ...] | None = ALL) -> tuple[Table, Game, int]:
    """A game in which somebody is called to build and can have nothing; all want to be asked only for some things."""
    number = (await ground.lobby(ANN)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension", "target": 20}))
    for user in (BOB, CEM, DOT, EVE):
        table = (await ground.act(number, user, Join(NAMES[user]))).table
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    change = ground.services.people.change_settings
    for user in table.users:
        await change(user, standing=4, choices={"building": wanted or ()}, interaction=ground.id())
    table, game = await ground.advance(
        table.number,
        lambda game: game.view(None).step.kind == "special_building" and set(game.options(game.to_act[0])) == {PassOn},
        seed=5,
    )
    return table, game, game.to_act[0]


@pytest.mark.on_databases
async def test_an_order_passes_after_a_while_as_anybody_would(ground: Playground) -> None:
    table, game, seat = await called(ground)
    job = await ground.store.next_job(0.0)
    assert job is not None
    await do_due(ground.services)
    assert await ground.revision(table.number) == game.revision, "not at once"
    await carried_out(ground)
    record = (await ground.game(table.number)).records[game.revision]
    assert (record.actor, record.action, record.draws) == (seat, PassOn(), ())


async def test_without_an_order_somebody_is_waited_for(ground: Playground) -> None:
    table, game, _seat = await called(ground, wanted=None)
    await carried_out(ground)
    assert await ground.revision(table.number) == game.revision


async def test_an_order_for_one_game_comes_before_the_settings(ground: Playground) -> None:
    """Who is asked for whatever they hold in their other games passes in this one, unless they can have a city."""
    table, game, seat = await called(ground, wanted=None)
    user = table.user_at(game, seat)
    await ground.services.orders.give(table.number, user, building=("city",))
    assert builds(await ground.table(table.number), await ground.services.repository.people(table), user) == ("city",)
    await carried_out(ground)
    record = (await ground.game(table.number)).records[game.revision]
    assert (record.actor, record.action) == (seat, PassOn())


@pytest.mark.on_databases
async def test_who_orders_a_pass_for_a_game_is_called_in_it(ground: Playground) -> None:
    """Without having asked, as the order tells when they want to; until they drop it. Others aren't."""
    number = (await ground.lobby(ANN)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension", "target": 20}))
    for user in (BOB, CEM, DOT, EVE):
        await ground.act(number, user, Join(NAMES[user]))
    table = (await ground.services.lobby.start(number, ANN, "closing-1", ground.id())).table
    before = await ground.game(number)
    seat = table.seat_of(before, CEM)
    assert before.state.standing == [0] * 5
    for building, cards in ((("city",), 4), (("city", "road"), 4), ((), 0)):
        await ground.services.orders.give(number, CEM, building=building)
        await ground.services.orders.give(number, CEM, roll=True)
        game = await ground.game(number)
        assert game.state.standing == [cards if s == seat else 0 for s in range(5)]
        assert (await ground.table(number)).version == table.version
    await ground.services.orders.give(number, CEM, building=("city",))
    await ground.services.people.change_settings(CEM, standing=0, interaction=ground.id())
    game = await ground.game(number)
    assert game.state.standing == [4 if s == seat else 0 for s in range(5)], "the order is about this game"
    await ground.kill()
    assert (await ground.game(number)).hash() == game.hash()


async def test_nothing_is_passed_where_there_is_no_special_building(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    with pytest.raises(RefereeError) as refused:
        await ground.services.orders.give(table.number, ANN, building=("city",))
    assert refused.value.key == "orders/no special building"
    await ground.services.orders.give(table.number, ANN, building=())


async def test_who_can_have_what_they_want_is_asked(ground: Playground) -> None:
    table, game, seat = await called(ground, wanted=())
    user = table.user_at(game, seat)
    assert not await ground.services.orders.wanted(table, game, seat), "no order"
    await ground.services.people.change_settings(user, choices={"building": ("city",)}, interaction=ground.id())
    assert await ground.services.orders.wanted(table, game, seat)


async def test_an_order_given_while_called_is_carried_out(ground: Playground) -> None:
    table, game, seat = await called(ground, wanted=None)
    user = table.user_at(game, seat)
    await ground.services.people.change_settings(user, choices={"building": ALL}, interaction=ground.id())
    await ground.services.orders.again(user)
    await carried_out(ground)
    assert await ground.revision(table.number) > game.revision


async def test_an_order_withdrawn_in_time_is_not_carried_out(ground: Playground) -> None:
    table, game, seat = await called(ground)
    user = table.user_at(game, seat)
    await ground.services.people.change_settings(user, choices={"building": ()}, interaction=ground.id())
    await carried_out(ground)
    assert await ground.revision(table.number) == game.revision


async def test_a_pass_by_hand_before_the_order_is_the_only_one(ground: Playground) -> None:
    table, game, seat = await called(ground)
    await ground.play(table.number, table.user_at(game, seat), PassOn())
    after = await ground.game(table.number)
    await carried_out(ground)
    passed = [r for r in (await ground.game(table.number)).records[game.revision :] if r.actor == seat]
    assert len(passed) == 1
    assert after.records[: after.revision] == (await ground.game(table.number)).records[: after.revision]


async def test_other_turns_have_no_orders(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.people.change_settings(ANN, choices={"building": ALL}, interaction=ground.id())
    rng = random.Random(2)
    for _ in range(40):
        await ground.step(table.number, rng)
    assert ORDER not in str(await ground.store.next_job(0.0))
    assert EndTurn in {type(r.action) for r in (await ground.game(table.number)).records}

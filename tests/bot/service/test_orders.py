"""Orders as the services carry them out: later, once, on the position at that time. No log says for whom.

In `tests/bot/table/`, `test_orders.py`, `test_orders_to_end.py` and `test_orders_to_pass.py` test what they do.
"""

from __future__ import annotations

import asyncio
import logging
import random
from unittest.mock import AsyncMock

import pytest

from bot.service import Services, orders
from bot.service.orders import DELAY
from bot.store import Unavailable
from bot.table.acts.lobby import Join
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.preferences import BUILDS
from bot.table.table import Table
from engine.actions import DeclineOffer, MakeOffer, PassOn, PlayRoadBuilding, Roll
from engine.game import Game
from engine.resources import single
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, NAMES, Playground, do_due
from tests.bot.service.ordering import begun, carried_out
from tests.bot.service.tables import in_step, until

MINUTE, HOUR = 60.0, 3600.0
ALL = tuple(BUILDS)


async def rolling(ground: Playground) -> tuple[int, int, Game]:
    """A game that waits for a player to roll. Returns its number, the player's user, and the game."""
    number = (await begun(ground)).number
    table, game = await until(ground, number, in_step("pre_roll"))
    return number, table.user_at(game, game.to_act[0]), game


@pytest.mark.on_databases
async def test_the_autopilot_rolls_the_dice_after_a_short_delay(ground: Playground) -> None:
    number, user, game = await rolling(ground)
    await ground.services.orders.give(number, user, roll=True)
    await ground.kill()
    await do_due(ground.services)
    assert await ground.revision(number) == game.revision, "not at once"
    await carried_out(ground)
    record = (await ground.game(number)).records[game.revision]
    assert (record.actor, record.action) == (game.to_act[0], Roll())
    mine = await ground.services.orders.of(number, user)
    assert [(deed.turn, deed.order) for deed in mine.done] == [(game.turn, "roll")]


@pytest.mark.on_databases
async def test_the_autopilots_delay_is_extended_by_downtime(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "DELAY", (MINUTE, MINUTE))
    number, user, game = await rolling(ground)
    await ground.services.clock.start()
    await ground.services.orders.give(number, user, roll=True)
    ground.clock += MINUTE - 5
    await ground.services.clock.close()
    ground.clock += HOUR
    await ground.kill()
    await ground.services.clock.start()
    ground.clock += 10
    await do_due(ground.services)
    assert await ground.revision(number) == game.revision, "nobody is so quick after a start"
    ground.clock += MINUTE
    await do_due(ground.services)
    assert await ground.revision(number) == game.revision + 1
    await ground.services.clock.close()


async def test_the_autopilot_does_nothing_until_a_start_has_noted_the_downtime(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M: otherwise the order would act immediately, faster than any person could."""
    monkeypatch.setattr(orders, "DELAY", (MINUTE, MINUTE))
    number, user, game = await rolling(ground)
    await ground.services.orders.give(number, user, roll=True)
    await ground.store.alive(ground.clock)
    ground.clock += HOUR
    await ground.kill()
    lost = ground.services.reach.lost_all

    async def slowly() -> None:
        await asyncio.sleep(0.1)
        await lost()

    monkeypatch.setattr(ground.services.reach, "lost_all", slowly)
    await ground.services.clock.start()
    assert await ground.revision(number) == game.revision
    await ground.services.clock.close()


async def test_the_log_does_not_mention_an_autopilot_that_has_to_wait(
    ground: Playground, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M: up to format 5, an offer can't be declined while its maker places the roads of a card. Afterward, the order
    declines it."""
    monkeypatch.setattr(ground.store, "format", AsyncMock(return_value=5))
    table = await begun(ground)
    number, rng = table.number, random.Random(4)

    def reached(game: Game) -> bool:
        seat = game.to_act[0]
        return in_step("main")(game) and PlayRoadBuilding in game.options(seat) and any(game.state.hands[seat])

    while not reached(game := await ground.game(number)):
        await ground.step(number, rng)
    seat = game.to_act[0]
    other, maker = (seat + 1) % 3, table.user_at(game, seat)
    kind = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
    await ground.services.orders.give(number, table.user_at(game, other), refused=(maker,))
    await ground.play(number, maker, MakeOffer(single(kind), single((kind + 1) % 5)))
    game = (await ground.play(number, maker, PlayRoadBuilding())).game
    caplog.set_level(logging.DEBUG)
    caplog.clear()
    await carried_out(ground)
    ground.clock += 61
    await do_due(ground.services)
    assert await ground.revision(number) == game.revision
    assert not caplog.records
    while game.view(None).step.kind != "main":
        game = (await ground.play(number, maker, game.options(seat).sample(rng))).game
    await carried_out(ground)
    record = (await ground.game(number)).records[game.revision]
    assert (record.actor, type(record.action)) == (other, DeclineOffer)


async def test_the_log_does_not_say_whose_autopilot_failed(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    number, user, game = await rolling(ground)
    await ground.services.orders.give(number, user, roll=True)

    async def save(change: object) -> None:
        raise Unavailable("it is locked")

    with monkeypatch.context() as broken:
        broken.setattr(ground.store, "save", save)
        await carried_out(ground)
    assert "could not be done: it is locked" in caplog.text
    assert f"order:{game.to_act[0]}" not in caplog.text
    ground.clock += 61
    await do_due(ground.services)
    assert await ground.revision(number) > game.revision


async def test_the_autopilot_does_nothing_if_its_player_has_already_acted(ground: Playground) -> None:
    number, user, game = await rolling(ground)
    await ground.services.orders.give(number, user, roll=True)
    await ground.play(number, user, Roll())
    revision = await ground.revision(number)
    await carried_out(ground)
    records = (await ground.game(number)).records[revision:]
    assert not [record for record in records if record.actor == game.to_act[0]]


async def test_the_autopilot_does_nothing_until_a_pause_ends(ground: Playground) -> None:
    number, user, game = await rolling(ground)
    await ground.services.orders.give(number, user, roll=True)
    for person in (ANN, BOB):
        await ground.act(number, person, Propose("pause"))
    await carried_out(ground)
    assert await ground.revision(number) == game.revision
    for person in (ANN, BOB):
        await ground.act(number, person, Propose("resume"))
    await carried_out(ground)
    assert await ground.revision(number) > game.revision


@pytest.mark.on_databases
async def test_only_one_of_two_processes_acts_for_an_autopilot(ground: Playground, other: Services) -> None:
    number, user, game = await rolling(ground)
    await ground.services.orders.give(number, user, roll=True)
    ground.clock += DELAY[1] + 1
    await do_due(other)
    await do_due(ground.services)
    ground.services.repository.drop_cache()
    records = (await ground.game(number)).records[game.revision :]
    assert [type(record.action) for record in records].count(Roll) == 1


async def called(ground: Playground, wanted: tuple[str, ...] | None = ALL) -> tuple[Table, Game, int]:
    """A game in which a player is called to build (J2) and can pay for nothing. Returns table, game and seat.

    All players have chosen to be asked only if they can pay for something in `wanted`; None: for anything.
    """
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
async def test_the_autopilot_passes_after_a_while_as_a_person_would(ground: Playground) -> None:
    table, game, seat = await called(ground)
    job = await ground.store.next_job(0.0)
    assert job is not None
    await do_due(ground.services)
    assert await ground.revision(table.number) == game.revision, "not at once"
    await carried_out(ground)
    record = (await ground.game(table.number)).records[game.revision]
    assert (record.actor, record.action, record.draws) == (seat, PassOn(), ())


async def test_an_autopilot_turned_on_while_its_player_is_called_acts(ground: Playground) -> None:
    table, game, seat = await called(ground, wanted=None)
    user = table.user_at(game, seat)
    await ground.services.people.change_settings(user, choices={"building": ALL}, interaction=ground.id())
    await ground.services.orders.reschedule(user)
    await carried_out(ground)
    assert await ground.revision(table.number) > game.revision


async def test_an_autopilot_turned_off_in_time_does_nothing(ground: Playground) -> None:
    table, game, seat = await called(ground)
    user = table.user_at(game, seat)
    await ground.services.people.change_settings(user, choices={"building": ()}, interaction=ground.id())
    await carried_out(ground)
    assert await ground.revision(table.number) == game.revision


async def test_the_autopilot_does_not_pass_again_after_its_player_has_passed(ground: Playground) -> None:
    table, game, seat = await called(ground)
    await ground.play(table.number, table.user_at(game, seat), PassOn())
    after = await ground.game(table.number)
    await carried_out(ground)
    passed = [r for r in (await ground.game(table.number)).records[game.revision :] if r.actor == seat]
    assert len(passed) == 1
    assert after.records[: after.revision] == (await ground.game(table.number)).records[: after.revision]

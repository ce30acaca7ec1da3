"""Orders, and what others do at the same moment: an order decides from what is stored when it gets the table's lock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace

import pytest

from bot.service import Services
from bot.service.orders import DELAY
from bot.store import Change
from bot.table.orders import DROPPED, Orders
from bot.table.table import Table
from engine.actions import AgreeToCallOff, EndTurn, MakeOffer, Roll
from engine.game import Game
from engine.resources import single
from tests.bot.playground import Playground, do_due
from tests.bot.service.ordering import begun, carried_out, idle, rolls
from tests.bot.service.tables import until


async def first(ground: Playground, number: int, doing: Awaitable[object]) -> None:
    """Keep the table busy. Once it is free, `doing` comes first, and then an order that is due is looked at."""
    free = asyncio.Event()

    async def busy(table: Table) -> None:
        await free.wait()

    tasks = list[asyncio.Future[object]]()
    tasks.append(asyncio.ensure_future(ground.services.repository.alone(number, busy)))
    await asyncio.sleep(0)
    ground.clock += DELAY[1] + 1
    tasks.append(asyncio.ensure_future(doing))
    tasks.append(asyncio.ensure_future(ground.services.jobs._look()))
    for _ in range(50):
        await asyncio.sleep(0)
    free.set()
    await asyncio.gather(*tasks)


async def test_an_autopilot_turned_off_just_before_it_acts_does_nothing_and_stays_off(ground: Playground) -> None:
    number = (await begun(ground)).number
    table, game = await until(ground, number, rolls)
    user = table.user_at(game, game.to_act[0])
    await ground.services.orders.give(number, user, roll=True, never=(4,))
    await first(ground, number, ground.services.orders.give(number, user, **DROPPED))
    assert await ground.revision(number) == game.revision
    assert await ground.services.orders.of(number, user) == Orders(user)
    assert not (await ground.table(number)).orders


@pytest.mark.on_databases
@pytest.mark.parametrize("faster", ["who drops it", "who carries it out"])
async def test_a_simultaneous_autopilot_change_by_another_process_is_kept(
    ground: Playground, other: Services, monkeypatch: pytest.MonkeyPatch, faster: str
) -> None:
    number = (await begun(ground)).number
    table, game = await until(ground, number, rolls)
    user = table.user_at(game, game.to_act[0])
    await ground.services.orders.give(number, user, roll=True, never=(4,))
    save = ground.store.save
    ground.clock += DELAY[1] + 1

    async def beaten(change: Change) -> None:
        """Save after the other process has saved its own change."""
        monkeypatch.setattr(ground.store, "save", save)
        if faster == "who drops it":
            await other.orders.give(number, user, **DROPPED)
        else:
            await do_due(other)
        await save(change)

    monkeypatch.setattr(ground.store, "save", beaten)
    if faster == "who drops it":
        await do_due(ground.services)
    else:
        await ground.services.orders.give(number, user, **DROPPED)
    carried_out = await ground.store.records(number, game.revision)
    mine = await ground.services.orders.of(number, user)
    assert len(carried_out) == len(mine.done) == (faster == "who carries it out")
    assert replace(mine, done=()) == Orders(user)
    assert (await ground.table(number)).orders_of(user) == mine


async def test_the_autopilot_does_not_end_a_turn_if_an_offer_arrives_first(ground: Playground) -> None:
    number = (await begun(ground)).number

    def reached(game: Game) -> bool:
        return idle(game) and any(game.state.hands[(game.to_act[0] + 1) % 3])

    table, game = await until(ground, number, reached)
    seat = game.to_act[0]
    maker = (seat + 1) % 3
    kind = next(kind for kind, n in enumerate(game.state.hands[maker]) if n)
    offer = MakeOffer(single(kind), single((kind + 1) % 5))
    await ground.services.orders.give(number, table.user_at(game, seat), end=True)
    await first(ground, number, ground.play(number, table.user_at(game, maker), offer))
    records = (await ground.game(number)).records[game.revision :]
    assert [record.action for record in records] == [offer]


async def test_the_autopilots_next_action_has_its_own_delay(ground: Playground) -> None:
    """Otherwise an order that came too late for one action would do the next one immediately, faster than a person."""
    number = (await begun(ground)).number

    def reached(game: Game) -> bool:
        trial = game.copy()
        if rolls(game):
            trial.play(game.to_act[0], Roll())
        return rolls(game) and idle(trial)

    table, game = await until(ground, number, reached)
    user = table.user_at(game, game.to_act[0])
    await ground.services.orders.give(number, user, roll=True, end=True)
    await first(ground, number, ground.play(number, user, Roll()))
    assert [record.action for record in (await ground.game(number)).records[game.revision :]] == [Roll()]
    await carried_out(ground)
    assert [r.action for r in (await ground.game(number)).records[game.revision :]] == [Roll(), EndTurn()]


@pytest.mark.on_databases
async def test_M_other_players_cannot_delay_an_autopilot(ground: Playground) -> None:
    """Otherwise a player who acts again and again could tell an order from a person."""
    number = (await begun(ground)).number
    table, game = await until(ground, number, rolls)
    seat, services = game.to_act[0], ground.services
    user, other = table.user_at(game, seat), table.user_at(game, (seat + 1) % 3)
    await services.orders.give(number, user, roll=True)
    for n in range(int(DELAY[1]) + 1):
        await services.orders.give(number, other, roll=n % 2 == 0)
        await ground.play(number, other, AgreeToCallOff(n % 2 == 0))
        ground.clock += 1
        await do_due(services)
    assert Roll() in [record.action for record in (await ground.game(number)).records[game.revision :]]

"""Replaying a table's log gives the table. The fixture checks that at the end of every test, too (`conftest.py`)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.export import dump
from bot.store import Damaged
from bot.table.acts.lobby import AddPhrase, Join, Leave
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.places import CallItOff
from bot.table.acts.seats import OfferSeat, PlayAgain, Replace, TakeSeat
from bot.table.log import fold
from bot.table.motion import PAUSE, RESUME
from bot.table.options import REMIND
from engine.errors import ReplayError
from tests.bot.logs import check_log
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, FAY, Playground
from tests.bot.service.tables import HOUR, look, paced
from tests.bot.store.behind import ask, hasten, tidy


async def play(ground: Playground, number: int, rng: random.Random, steps: int = 12) -> None:
    """Go on with the game, including bots and autopilots."""
    for _ in range(steps):
        table, game = await ground.table(number), await ground.game(number)
        if any(table.member_at(game, seat).level for seat in game.to_act):
            await look(ground, 20.0)
        else:
            await ground.step(number, rng)


@pytest.mark.on_databases
async def test_replaying_a_tables_log_gives_the_table(ground: Playground) -> None:
    services, rng = ground.services, random.Random(3)
    number = (await ground.lobby(ANN, BOB, CEM)).number
    options = {"pace": HOUR, "expiry": REMIND, "variants": ("knight-interrupt",), "target": 20}
    await ground.act(number, ANN, SetOptions(options))
    await ground.act(number, DOT, Join("Dot", color="orange", phrase="four leaves"))
    await ground.act(number, BOB, AddPhrase("five"))
    await ground.act(number, DOT, Leave())
    await services.people.rename(number, BOB, "Bobby")
    await services.lobby.start(number, ANN, "closing", ground.id())
    await services.absence.leave(CEM, ground.now() + HOUR, ground.now() + 9 * HOUR)
    await services.orders.give(number, BOB, roll=True, never=(1,), keep=(0,))
    await services.people.change_settings(ANN, choices={"quiet": (60, 120), "zone": "Europe/Berlin"})
    await play(ground, number, rng)
    for motion in (PAUSE, RESUME):
        for user in (ANN, BOB):
            await ground.act(number, user, Propose(motion))
        await look(ground, 30.0 * HOUR)
    await ground.act(number, CEM, Replace(CEM))
    await play(ground, number, rng)
    await ground.act(number, CEM, PlayAgain())
    await ground.act(number, BOB, OfferSeat(EVE))
    await ground.act(number, EVE, TakeSeat("Eve", 1))
    await services.people.rename(number, EVE, "Eva")
    await ground.kill()
    await play(ground, number, rng)
    kinds = await check_log(ground.store, number)
    assert {"snapshot", "join", "start", "play", "look", "rename", "orders", "away", "take"} <= {*kinds}
    assert kinds.count("snapshot") == 1


@pytest.mark.on_databases
async def test_the_log_starts_over_after_an_unlogged_change(ground: Playground) -> None:
    """An earlier version that runs next to this one has made the change, or an older file was restored."""
    number = (await paced(ground)).number
    await ground.step(number, random.Random(1))
    assert (await check_log(ground.store, number))[-1] == "play"
    await hasten(ground.store, 100.0)
    ground.services.repository.drop_cache()
    assert not (await ground.table(number)).logged
    await ground.step(number, random.Random(2))
    assert await check_log(ground.store, number) == ["snapshot", "play"]


@pytest.mark.on_databases
async def test_the_log_is_deleted_when_the_game_is_over(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM)).number
    await ground.act(number, ANN, CallItOff("Mod"))
    exported = dump(await ground.services.games.export(number))
    assert (await check_log(ground.store, number))[-1] == "call-off"
    await tidy(ground.store)
    assert await ground.store.acts(number) == []
    ground.services.repository.drop_cache()
    assert not (await ground.table(number)).logged
    assert dump(await ground.services.games.export(number)) == exported, "it is no part of what a game tells"
    await ground.services.people.rename(number, BOB, "Bobby")
    assert await check_log(ground.store, number) == ["snapshot", "rename"]


async def test_a_missing_or_altered_entry_is_noticed(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM)).number
    for user in (ANN, BOB):
        await ground.act(number, user, Propose(PAUSE))
    table, records = await ground.table(number), (await ground.game(number)).records
    *entries, last = await ground.store.acts(number)
    altered = ([*entries, replace(last, user=FAY)], [*entries, replace(last, version=0)])
    for wrong in ([*entries[1:], last], [*entries[:-1], last], *altered):
        with pytest.raises(ReplayError):
            fold(wrong, table.config, records)
    await ask(ground.store, "UPDATE acts SET body = '{}' WHERE number = ?", last.number)
    with pytest.raises(Damaged):
        await ground.store.acts(number)
    await ask(ground.store, "UPDATE games SET logged = ''")  # so that the fixture ignores this damage

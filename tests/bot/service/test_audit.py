"""A table's audit says who did what, and when; its acts, done again, lead to the table as it is stored. The fixture
checks the latter at the end of every test, too (`conftest.py`)."""

from __future__ import annotations

import random
import time

import pytest

from bot.export import dump
from bot.store.base import Line
from bot.store.sql.upkeep import Clearing
from bot.table.acts.lobby import AddPhrase, Cancel, Join, Leave
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.orders import CarryOut
from bot.table.acts.places import VoidGame
from bot.table.acts.play import COMPUTER, Play
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.options import DAY, REMIND
from bot.table.parts import PAUSE, RESUME
from engine.autoplay import default_action
from engine.errors import RefereeError
from tests.bot.oracle import check_acts
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, Playground
from tests.bot.service.tables import HOUR, look
from tests.bot.store.behind import tidy


async def play(ground: Playground, number: int, rng: random.Random, steps: int = 12) -> None:
    """Go on with the game, including bots and autopilots."""
    for _ in range(steps):
        table, game = await ground.table(number), await ground.game(number)
        if any(table.member_at(game, seat).level for seat in game.to_act):
            await look(ground, 20.0)
        else:
            await ground.step(number, rng)


@pytest.mark.on_databases
async def test_the_acts_of_a_table_done_again_lead_to_what_is_stored(ground: Playground) -> None:
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
    await ground.act(number, CEM, ReturnToSeat())
    await ground.act(number, BOB, OfferSeat(EVE))
    await ground.act(number, EVE, TakeSeat("Eve", 1))
    await services.people.rename(number, EVE, "Eva")
    await ground.kill()
    await play(ground, number, rng)
    kinds = await check_acts(ground.store, number)
    assert {"join", "start", "play", "look", "rename", "orders", "away", "take"} <= {*kinds}
    lines = await ground.store.acts(number)
    assert ["open", *kinds] == [line.kind for line in lines]
    made = [record for line in lines for record in line.made]
    assert made == [*range(await ground.revision(number))], "each record was made by one act"


@pytest.mark.on_databases
async def test_the_audit_says_who_did_what_themselves_and_when(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    number, game = table.number, await ground.game(table.number)
    user, other = (table.user_at(game, seat) for seat in (game.to_act[0], 1 - game.to_act[0]))
    first = await ground.play(number, user, default_action(game.state, game.to_act[0], game.options(game.to_act[0])))
    await ground.act(number, other, Propose(PAUSE))
    with pytest.raises(RefereeError):
        await ground.act(number, EVE, Propose(PAUSE))
    await ground.act(number, user, Replace(user))
    seat = first.game.to_act[0]
    action = default_action(first.game.state, seat, first.game.options(seat))
    await ground.act(number, user, Play(action, how=COMPUTER))
    await ground.act(number, 0, CarryOut(1 - seat))
    lines = (await ground.store.acts(number))[-5:]
    assert lines[0] == Line(number, first.by.at, user, "play", 1, 1)
    assert [(line.user, line.kind, [*line.made]) for line in lines] == [
        (user, "play", [1]),
        (other, "propose", []),
        (user, "replace", []),
        (0, "play", [2]),
        (0, "order", []),
    ]
    assert [line.at for line in lines] == sorted(line.at for line in lines)


@pytest.mark.on_databases
async def test_the_audit_is_deleted_when_the_game_is_over(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM)).number
    await ground.act(number, ANN, VoidGame("Mod"))
    exported = dump(await ground.services.games.export(number))
    assert (await ground.store.acts(number))[-1].kind == "call-off"
    await tidy(ground.store)
    assert await ground.store.acts(number) == []
    ground.services.repository.drop_cache()
    assert dump(await ground.services.games.export(number)) == exported, "it is no part of what a game tells"
    await ground.services.people.rename(number, BOB, "Bobby")
    assert [line.kind for line in await ground.store.acts(number)] == ["rename"]


@pytest.mark.on_databases
async def test_it_is_deleted_some_time_after_a_table_is_canceled_whatever_the_clock_was(ground: Playground) -> None:
    ground.clock = time.time() + DAY
    first, second = await ground.lobby(ANN, BOB, channel=51), await ground.lobby(ANN, BOB, channel=52)
    await ground.act(first.number, ANN, Cancel())
    assert await ground.store.acts(first.number)
    while await Clearing(ground.store._database).some():
        pass
    assert not await ground.store.acts(first.number)
    assert await ground.store.acts(second.number)

"""When everybody did something last: what an order or a computer does in their stead is nothing they have seen."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.service.orders import HASTE
from bot.table.acts.lobby import Join
from bot.table.acts.options import SetOptions
from bot.table.table import REMIND, Table, Wait
from bot.table.visits import LONG, noted, seen_by, was_away
from engine.actions import Action, AskToBuild, PassOn, SetStanding
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, NAMES, Playground, do_due


async def rolling(ground: Playground) -> tuple[Table, int, int]:
    """A game that waits for somebody to roll; their user and seat."""
    table = await ground.begun(ANN, BOB, CEM, target=20)
    rng = random.Random(5)
    while (game := await ground.game(table.number)).view(None).step.kind != "pre_roll" or game.turn < 4:
        await ground.step(table.number, rng)
    seat = game.to_act[0]
    return await ground.table(table.number), table.user_at(game, seat), seat


@pytest.mark.on_databases
async def test_what_somebody_does_themselves_is_noted_and_outlives_the_process(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    assert seen_by(table, ANN) is None, "nobody has acted"
    rng, seen = random.Random(3), dict[int, int]()
    for _ in range(30):
        played = await ground.step(table.number, rng)
        seen[played.table.user_at(played.game, played.seat)] = played.game.public_revision
    await ground.kill()
    table = await ground.table(table.number)
    assert {user: seen_by(table, user) for user in seen} == seen
    assert seen_by(table, 99) is None


async def test_an_order_moves_the_time_but_not_what_was_seen(ground: Playground) -> None:
    table, user, seat = await rolling(ground)
    before = seen_by(table, user)
    await ground.services.orders.give(table.number, user, roll=True)
    ground.clock += HASTE[1] + 1
    await do_due(ground.services)
    game = await ground.game(table.number)
    assert game.records[-1].actor == seat
    after = await ground.table(table.number)
    assert seen_by(after, user) == before
    assert {who: at for who, _seen, at in after.choices.acted}[user] > {u: a for u, _, a in table.choices.acted}[user]


async def five(ground: Playground) -> int:
    """The number of a game with a special building phase."""
    number = (await ground.lobby(ANN)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension"}))
    await ground.act(number, ANN, SetOptions({"pace": 120, "expiry": REMIND}))
    for user in (BOB, CEM, DOT, EVE):
        await ground.act(number, user, Join(NAMES[user]))
    for user in (ANN, BOB, CEM, DOT, EVE):
        await ground.services.people.change_settings(user, standing=20)
    await ground.services.lobby.start(number, ANN, "closing-1", ground.id())
    return number


async def test_what_nobody_may_notice_is_not_noted(ground: Playground) -> None:
    number = await five(ground)
    await ground.step(number, random.Random(1))
    before = await ground.table(number)
    await ground.play(number, BOB, SetStanding(7))
    assert (await ground.table(number)).choices.acted == before.choices.acted != ()


@pytest.mark.parametrize("last", [PassOn(), AskToBuild(True)])
async def test_whose_answer_closes_a_window_is_not_noted(ground: Playground, last: Action) -> None:
    """J2, M: all see that the window is closed, and not who hadn't answered until then."""
    number, rng = await five(ground), random.Random(2)
    while (await ground.game(number)).view(None).step.kind != "late_requests":
        await ground.step(number, rng)
    before, game = await ground.table(number), await ground.game(number)
    *others, seat = game.to_act
    for other in others:
        await ground.play(number, before.user_at(game, other), PassOn())
    await ground.play(number, before.user_at(game, seat), last)
    after = await ground.table(number)
    assert after.version == before.version + 1, "all see that it is closed"
    assert replace(after.choices, window=before.choices.window) == before.choices


async def test_whether_an_order_did_it_cannot_be_told_from_what_all_see(ground: Playground) -> None:
    """M: who was away is the same, whoever acted."""
    table, user, seat = await rolling(ground)
    table = replace(table, waits=(Wait(seat, 1, 5 * LONG),))
    for at in (0.0, 4 * LONG, 4.5 * LONG):
        away = {was_away(noted(table, user, 60, at, in_person=in_person), user, seat) for in_person in (True, False)}
        assert away == {at <= 4 * LONG}


async def test_who_has_left_the_table_is_forgotten(ground: Playground) -> None:
    table, user, _seat = await rolling(ground)
    others = replace(table, members=tuple(m for m in table.members if m.user != user))
    kept = {who for who, _, _ in noted(others, ANN, 90, 1.0, in_person=True).choices.acted}
    assert kept <= {*others.users, ANN}
    assert user == ANN or user not in kept

"""How fast people decide shows after some games over days, in that server alone, and not of those who hide it."""

from __future__ import annotations

from dataclasses import replace

from bot.table.acts.options import SetOptions
from bot.table.options import DAY, HOUR, REMIND
from bot.table.promptness import Promptness
from engine.actions import Resign
from engine.autoplay import default_action
from tests.bot.batch import at_once
from tests.bot.playground import ANN, BOB, CEM, GUILD, Playground

TAKES = {ANN: 20 * 60, BOB: 3 * HOUR, CEM: 26 * HOUR}
"""Seconds in which each decides."""


async def begun(ground: Playground, channel: int, *users: int) -> int:
    table = await ground.lobby(*users, channel=channel)
    await ground.act(table.number, users[0], SetOptions({"target": 20, "pace": DAY, "expiry": REMIND}))
    return (await ground.services.lobby.start(table.number, users[0], f"closing-{channel}", ground.id())).table.number


async def turns(ground: Playground, number: int, *, more: int) -> None:
    """Play for some turns: the first decision of each player takes them their time, and the rest of a turn no time."""
    end = (await ground.game(number)).turn + more
    async with at_once(ground.services):
        waited = -1
        while (game := await ground.game(number)).turn < end:
            seat = game.to_act[0]
            user = (await ground.table(number)).user_at(game, seat)
            if seat != waited:
                ground.clock += TAKES[user]
                await ground.services.timekeeper.look(number)
            waited = seat
            await ground.play(number, user, default_action(game.state, seat, game.options(seat)))


async def test_after_some_games_over_days_it_shows_how_fast_people_decide(ground: Playground) -> None:
    services, users = ground.services, (ANN, BOB, CEM)
    first = await begun(ground, 50, *users)
    await turns(ground, first, more=66)
    assert await services.promptness.of(GUILD, users) == {}, "one game is too little"
    second = await begun(ground, 51, ANN, BOB)
    table = await ground.table(second)
    await turns(ground, second, more=2)
    assert await services.promptness.of(GUILD, users) == {ANN: Promptness.HOUR, BOB: Promptness.HOURS}
    assert await services.promptness.at(table, (BOB, CEM)) == {BOB: Promptness.HOURS}
    assert await services.promptness.of(GUILD + 1, users) == {}
    third = await begun(ground, 52, *users)
    await turns(ground, third, more=4)
    assert (await services.promptness.of(GUILD, users))[CEM] is Promptness.LATE
    await services.people.change_settings(BOB, choices={"promptness": False})
    assert (await services.promptness.of(GUILD, users)).keys() == {ANN, CEM}
    hurried = replace(table, options=replace(table.options, pace=HOUR))
    assert await services.promptness.at(hurried, users) == {}
    for number in (first, second, third):
        for user in (await ground.table(number)).users:
            if (await ground.game(number)).outcome is None:
                await ground.play(number, user, Resign())
    await services.privacy.forget(CEM)
    assert (await services.promptness.of(GUILD, users)).keys() == {ANN}

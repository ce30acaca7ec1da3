"""Games of the file that 0.1.0 made, which had no turn timers: they get timers, pauses, autopilots and new players."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from bot import export
from bot.export import dump, load
from bot.service.orders import DELAY
from bot.table.acts.motions import Propose, open_motion
from bot.table.acts.places import VoidGame
from bot.table.acts.seats import OfferSeat, TakeSeat
from bot.table.options import DAY, DECIDE
from bot.table.parts import PACE, PAUSE, RESUME
from bot.table.reminders import UNHURRIED
from bot.table.seats import who_plays
from bot.table.table import OVER, Table
from bot.table.waiting import decisions
from engine.actions import DecideFor, EndTurn, Roll
from engine.errors import RefereeError
from engine.game import Game
from engine.record import REFEREE
from tests.bot.batch import at_once
from tests.bot.discord.moves import well
from tests.bot.playground import BOB, EVE, GUILD, Playground
from tests.bot.service.tables import HOUR, look, time_up

RUNNING_GAMES = (2, 3, 6)
"""One is in its first turns; one in a window for knights, with its own deadline; one has a special building phase."""


async def agreed(old: Playground, number: int, what: str, **more: Any) -> Table:
    """Propose a motion for each player in turn until it is carried. Returns the table afterwards."""
    for user in who_plays(await old.table(number), await old.game(number)):
        result = await old.act(number, user, Propose(what, **more))
        if open_motion(result.table, what) is None:
            return result.table
    raise AssertionError("nobody agrees")


async def played(old: Playground, number: int, until: Callable[[Game], bool], seed: int = 6) -> Game:
    """Play fair moves until a position is reached or the game ends."""
    rng = random.Random(seed)
    async with at_once(old.services):
        for _ in range(3000):
            table, game = await old.table(number), await old.game(number)
            if game.outcome is not None or until(game):
                break
            seat = rng.choice(game.to_act)
            await old.play(number, table.user_at(game, seat), well(game, seat, rng))
        else:
            raise AssertionError("no such position")
    return await old.game(number)


async def check_export(old: Playground, number: int) -> None:
    """Check that the exported file of a finished game replays to the same position, draw for draw."""
    exported = load(dump(await old.services.games.export(number)))
    assert export.verified(exported).hash() == (await old.game(number)).hash()


async def test_old_games_remind_without_any_activity(old: Playground) -> None:
    await look(old)
    for reminders in (0, 1, 2):
        for number in (2, 6):
            assert {wait.reminded for wait in decisions(await old.table(number))} == {reminders}
        await look(old, UNHURRIED[0] + HOUR if reminders == 0 else UNHURRIED[1] - UNHURRIED[0])


@pytest.mark.parametrize("number", RUNNING_GAMES)
async def test_old_games_can_get_a_pace_that_runs_out(old: Playground, number: int) -> None:
    """No one plays anymore: the plainest moves are made for all, and the window for knights closes by itself."""
    before = await old.game(number)
    table = await agreed(old, number, PACE, pace=HOUR, expiry=DECIDE)
    assert table.options.pace == HOUR
    await old.kill()
    for _ in range(30):
        await look(old, HOUR + 5)
        await time_up(old, number)  # as the clock would do
    after = await old.game(number)
    assert after.turn >= before.turn + 4
    decided = [record for record in after.records[before.revision :] if isinstance(record.action, DecideFor)]
    assert {record.actor for record in decided} == {REFEREE}
    assert (await old.table(number)).missed
    await old.act(number, table.host, VoidGame("Mod"))
    await check_export(old, number)


async def test_decisions_in_old_games_count_once_they_have_a_timer_of_days(old: Playground) -> None:
    users = (await old.table(2)).users
    turn = (await played(old, 2, lambda game: game.turn > 3)).turn
    assert await old.store.promptness(GUILD, users) == {}
    await agreed(old, 2, PACE, pace=DAY, expiry=DECIDE)
    await played(old, 2, lambda game: game.turn > turn + len(users))
    found = await old.store.promptness(GUILD, users)
    assert found.keys() == {*users}
    assert {tally.games for tally in found.values()} == {1}


@pytest.mark.parametrize("number", RUNNING_GAMES)
async def test_old_games_can_be_paused_and_resumed(old: Playground, number: int) -> None:
    await agreed(old, number, PACE, pace=HOUR, expiry=DECIDE)
    await agreed(old, number, PAUSE)
    await old.kill()
    revision = await old.revision(number)
    table, game = await old.table(number), await old.game(number)
    assert table.paused
    with pytest.raises(RefereeError) as refused:
        await old.step(number, random.Random(1))
    assert refused.value.code == "paused"
    before = {wait.seat: wait.until for wait in decisions(table)}
    await look(old, 10 * HOUR)
    assert await old.revision(number) == revision
    table = await agreed(old, number, RESUME)
    assert not table.paused
    for wait in decisions(table):
        assert wait.until == pytest.approx((before[wait.seat] or 0) + 10 * HOUR, abs=60)
    await old.step(number, random.Random(1))
    assert (await old.game(number)).revision > game.revision


async def test_autopilots_act_in_old_games(old: Playground) -> None:
    number = 2
    game = await played(old, number, lambda game: set(game.options(game.to_act[0])) == {Roll})
    [seat] = game.to_act
    user = (await old.table(number)).user_at(game, seat)
    await old.services.orders.give(number, user, roll=True, end=True, never=(4,))
    await old.kill()
    await look(old, DELAY[1] + 1)
    record = (await old.game(number)).records[game.revision]
    assert (record.actor, record.action) == (seat, Roll())
    assert [done.order for done in (await old.services.orders.of(number, user)).done] == ["roll"]


async def test_a_new_player_can_take_a_seat_in_an_old_game_and_play_to_the_end(old: Playground) -> None:
    number, services = 2, old.services
    place = (await old.table(number)).users.index(BOB)
    await services.games.act(number, BOB, OfferSeat(EVE), old.id())
    await services.games.act(number, EVE, TakeSeat("Eve", place), old.id())
    table, game = await old.table(number), await old.game(number)
    assert (table.users[place], BOB in table.users) == (EVE, False)
    revision, seat = game.revision, table.seat_of(game, EVE)
    over = await played(old, number, lambda game: False)
    assert over.outcome is not None
    assert (await old.table(number)).status == OVER
    assert EndTurn() in [record.action for record in over.records[revision:] if record.actor == seat]
    await check_export(old, number)
    await old.kill()
    assert (await old.game(number)).hash() == over.hash()

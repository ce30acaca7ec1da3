"""Seats that change hands as the services keep them: bots that play for people, and settings that come along.

In `tests/bot/table/`, `test_replacing.py`, `test_handover.py`, `test_motions.py` and `test_seats.py` test the rules.
"""

from __future__ import annotations

import random

import pytest

from bot.table.acts.lobby import Join
from bot.table.acts.motions import Agree, AskForSeat
from bot.table.acts.options import SetOptions
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.options import DAY
from bot.table.parts import SUBSTITUTE
from bot.table.seats import SILENCE, who_plays
from bot.table.table import OVER, RUNNING
from bot.table.waiting import AWAY
from engine.actions import Action, AgreeToCallOff, AgreeToEnd, Resign
from engine.game import Game
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, FAY, Playground
from tests.bot.service.computers import begun, due, to_the_end


@pytest.mark.on_databases
async def test_a_bot_plays_for_a_silent_player_until_they_are_back(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    number, game = table.number, await ground.game(table.number)
    absent = table.user_at(game, game.to_act[0])
    ground.clock += SILENCE
    await ground.act(number, next(user for user in table.users if user != absent), Replace(absent))
    await ground.kill()
    await due(ground)
    revision = await ground.revision(number)
    assert revision > game.revision
    await ground.act(number, absent, ReturnToSeat())
    await due(ground)
    assert await ground.revision(number) == revision
    await ground.kill()
    assert set(who_plays(await ground.table(number), game)) == {ANN, BOB}


@pytest.mark.parametrize("vacation", [False, True])
async def test_no_one_alone_replaces_a_player_who_sleeps_or_is_on_vacation(ground: Playground, vacation: bool) -> None:
    """Also without a turn timer, and after the others have acted."""
    number, rng = (await ground.begun(ANN, BOB, CEM)).number, random.Random(3)

    async def is_awaited() -> bool:
        game = await ground.game(number)
        return (await ground.table(number)).user_at(game, game.to_act[0]) == BOB

    while await is_awaited():
        await ground.step(number, rng)
    if vacation:
        await ground.services.absence.leave(BOB, ground.clock, ground.clock + 5 * DAY)
    else:
        begin = int(ground.clock % DAY // 60)
        quiet = ((begin - 30) % 1440, (begin + 480) % 1440)
        await ground.services.people.change_settings(BOB, choices={"zone": "UTC", "quiet": quiet})
    while not await is_awaited():
        ground.clock += 60
        await ground.step(number, rng)
    ground.clock += 2 * SILENCE
    table = (await ground.act(number, ANN, Replace(BOB))).table
    assert [motion.absent for motion in table.motions] == [BOB]
    assert not table.member(BOB).level


async def test_a_bot_that_plays_for_a_player_plays_to_the_end(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, target=4)
    await ground.act(table.number, BOB, Replace(BOB))
    over = await to_the_end(ground, table.number)
    again = await ground.services.lobby.rematch(over.number, BOB, ground.id())
    assert again.member(BOB).level == ""


@pytest.mark.on_databases
async def test_a_player_who_has_left_the_server_is_noted_once(ground: Playground) -> None:
    table, numbers = await ground.begun(ANN, BOB, CEM), list[int]()
    ground.services.repository.subscribe(lambda table: numbers.append(table.number))
    for _ in range(2):
        await ground.services.absence.left_server(table.number, BOB)
    await ground.kill()
    stored = await ground.table(table.number)
    assert (stored.gone, stored.version, numbers) == ((BOB,), table.version + 1, [table.number])


async def test_the_settings_of_a_player_who_takes_a_seat_apply(ground: Playground) -> None:
    """Such as the number of cards from which they are called to build (J2)."""
    number = await extension(ground)
    await ground.act(number, BOB, OfferSeat(FAY))
    await ground.act(number, FAY, TakeSeat("Fay", 1))
    assert await called_from(ground, number, BOB, FAY) == 2


@pytest.mark.on_databases
async def test_the_settings_of_a_player_who_gets_a_seat_after_a_resignation_apply(ground: Playground) -> None:
    """All of it is one change: a repeated click gets the first result."""
    number = await extension(ground)
    await ground.act(number, BOB, Replace(BOB))
    ground.clock += AWAY
    await ground.services.timekeeper.look(number)
    await ground.act(number, FAY, AskForSeat("Fay", 1))
    for by in (ANN, CEM):
        await ground.act(number, by, Agree(SUBSTITUTE))
    before, interaction_id = await ground.revision(number), ground.id()
    played = await ground.play(number, DOT, Resign(), interaction=interaction_id)
    again = await ground.play(number, DOT, Resign(), interaction=interaction_id)
    assert (played.revision, again.revision, again.events) == (before + 1, before + 1, played.events)
    await ground.kill()
    assert await called_from(ground, number, BOB, FAY) == 2


async def extension(ground: Playground) -> int:
    """The number of a game with special building phases (J1). Fay, who isn't in it, has chosen her standing number."""
    await ground.services.people.change_settings(FAY, standing=2, interaction=ground.id())
    number = (await ground.lobby(ANN, BOB, CEM, DOT)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension"}))
    await ground.act(number, EVE, Join("Eve"))
    await ground.services.lobby.start(number, ANN, "closing-1", ground.id())
    return number


async def called_from(ground: Playground, number: int, old: int, new: int) -> int:
    """The standing number (J2) of user `new`, who has taken the seat of user `old`."""
    table, game = await ground.table(number), await ground.game(number)
    assert old not in table.users
    assert Game.replay(game.config, game.records).hash() == game.hash()
    return game.state.standing[table.seat_of(game, new) or 0]


@pytest.mark.parametrize("vote", [AgreeToEnd(), AgreeToCallOff()])
async def test_I6_a_bot_in_a_silent_players_seat_agrees_to_an_end_only_after_days(
    ground: Playground, vote: Action
) -> None:
    """The player who asked for the bot can't end the game alone."""
    table = await ground.begun(ANN, BOB)
    number = table.number
    await ground.advance(number, lambda game: game.turn > 3 and game.to_act == (game.state.order.index(1),))
    ground.clock += SILENCE
    await ground.act(number, ANN, Replace(BOB))
    await ground.play(number, ANN, vote)
    for _ in range(5):
        await due(ground)
    assert (await ground.table(number)).status == RUNNING
    ground.clock += AWAY
    await due(ground)
    await due(ground)
    assert (await ground.table(number)).status == OVER


async def test_I6_a_bot_doesnt_play_alone_for_a_person_who_may_come_back(ground: Playground) -> None:
    """After days the game is void, as it is at once when no one can come back."""
    number = (await begun(ground, ANN, BOB)).number
    await ground.act(number, BOB, Replace(BOB))
    await ground.play(number, ANN, Resign())
    revision = await ground.revision(number)
    await due(ground)
    table = await ground.table(number)
    assert (table.status, await ground.revision(number)) == (RUNNING, revision)
    ground.clock += AWAY
    for _ in range(4):
        await due(ground)
    game = await ground.game(number)
    assert game.outcome is not None
    assert game.outcome.winners == ()

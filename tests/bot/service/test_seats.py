"""A computer is playing for somebody who has left or doesn't answer, and they get their seat back."""

from __future__ import annotations

import random
from dataclasses import replace as replaced

import pytest

from bot.presentation.texts.refusals import sentence
from bot.table.acts.options import SetOptions
from bot.table.acts.seats import OfferSeat, PlayAgain
from bot.table.seats import LONG_SILENCE, OFTEN, SILENCE
from bot.table.table import DECIDE, Table
from engine.actions import Resign
from engine.errors import RefereeError
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, Playground
from tests.bot.service.computers import due, to_the_end
from tests.bot.service.tables import HOUR, look, paced, replace


async def dealt(ground: Playground, *users: int) -> tuple[Table, int]:
    """A game that waits for somebody who isn't its host, and who that is."""
    table = await ground.lobby(*users)
    table = (await ground.services.lobby.start(table.number, users[0], "closing-1", ground.id())).table
    return table, await waited_for(ground, table.number, users[0])


async def waited_for(ground: Playground, number: int, host: int) -> int:
    """Whom the game waits for, once that isn't the host."""
    while True:
        table, game = await ground.table(number), await ground.game(number)
        user = table.user_at(game, game.to_act[0])
        if user != host:
            return user
        seat = game.to_act[0]
        await ground.play(number, user, game.options(seat).sample(random.Random(1)))


def level(table: Table, user: int) -> str:
    return next(member.level for member in table.members if member.user == user)


@pytest.mark.on_databases
async def test_the_host_decides_after_an_hour(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB, CEM, DOT)
    found = await replace(ground, table.number, absent, ANN)
    assert (found.done, found.votes, found.of) == (False, 1, 3)
    ground.clock += SILENCE
    found = await replace(ground, table.number, absent, ANN)
    assert found.done
    assert level(found.table, absent) == "hard"
    before = await ground.game(table.number)
    await due(ground)
    assert (await ground.game(table.number)).revision > before.revision


async def test_an_hour_in_which_nobody_could_answer_doesnt_count(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB, CEM, DOT)
    ground.clock += SILENCE + 100
    await ground.services.reach.lost(table.number)
    assert not (await replace(ground, table.number, absent, ANN)).done
    ground.clock += SILENCE - 100
    assert not (await replace(ground, table.number, absent, ANN)).done
    ground.clock += 100
    assert (await replace(ground, table.number, absent, ANN)).done


async def test_more_than_half_of_the_others_decide_at_once(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB, CEM, DOT)
    others = [user for user in (BOB, CEM, DOT) if user != absent]
    assert not (await replace(ground, table.number, absent, others[0])).done
    assert not (await replace(ground, table.number, absent, others[0])).done  # a second vote of the same counts once
    found = await replace(ground, table.number, absent, others[1], level="easy")
    assert found.done
    assert level(found.table, absent) == "easy"
    assert not found.table.choices.replacing


async def test_who_answers_is_not_voted_on_any_more(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB, CEM, DOT)
    await replace(ground, table.number, absent, ANN)
    assert (await ground.table(table.number)).choices.replacing == ((absent, ANN),)
    game = await ground.game(table.number)
    seat = table.seat_of(game, absent)
    assert seat is not None
    await ground.play(table.number, absent, game.options(seat).sample(random.Random(1)))
    assert not (await ground.table(table.number)).choices.replacing


async def test_after_a_day_anybody_can(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB, CEM, DOT)
    other = next(user for user in (BOB, CEM, DOT) if user != absent)
    ground.clock += LONG_SILENCE - 60
    assert not (await replace(ground, table.number, absent, other)).done
    ground.clock += 60
    assert (await replace(ground, table.number, absent, other)).done


async def test_who_left_the_server_needs_no_hour(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB, CEM)
    other = next(user for user in (BOB, CEM) if user != absent)
    assert not (await replace(ground, table.number, absent, other, left=True)).done  # the host's affair, or a vote
    assert (await replace(ground, table.number, absent, ANN, left=True)).done


@pytest.mark.on_databases
async def test_who_is_known_to_have_left_the_server_needs_no_hour(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB, CEM)
    for _ in range(2):  # the second time nothing changes
        await ground.services.absence.left_server(table.number, absent)
    await ground.kill()
    left = await ground.table(table.number)
    assert left.choices.gone == (absent,)
    assert left.version == table.version + 1
    assert (await replace(ground, table.number, absent, ANN)).done
    await ground.act(table.number, absent, PlayAgain())
    assert (await ground.table(table.number)).choices.gone == ()


async def test_where_the_host_plays_no_more_the_next_decides(ground: Playground) -> None:
    for leave in ("resigned", "replaced"):
        table, _absent = await dealt(ground, ANN, BOB, CEM, DOT)
        number = table.number
        if leave == "resigned":
            await ground.play(number, ANN, Resign())
        else:
            await replace(ground, number, ANN, ANN)
        table, game = await ground.table(number), await ground.game(number)
        assert table.host_in(game) == BOB
        assert (await replace(ground, number, CEM, BOB, left=True)).done
        await ground.act(number, BOB, OfferSeat(EVE, absent=CEM))
        assert ((await ground.act(number, BOB, SetOptions({"pause": 10}))).table).choices.pause == 10
        with pytest.raises(RefereeError) as refused:
            await ground.act(number, DOT, SetOptions({"pause": 11}))
        assert (refused.value.key, refused.value.params["host"]) == ("not-host", "Bob")
        await ground.services.tables.move(number, BOB, 60 + number, ground.id())
        with pytest.raises(RefereeError) as refused:
            await ground.services.tables.move(number, DOT, 80 + number, ground.id())
        assert (refused.value.key, refused.value.params["host"]) == ("not-host/move", "Bob")


async def test_who_was_late_three_times_running_can_be_replaced_when_all_are_asked(ground: Playground) -> None:
    """Also in a game of two, and although the game doesn't wait for them just now."""
    table = await paced(ground, DECIDE, people=(ANN, BOB))
    rng = random.Random(3)
    for _ in range(400):
        table, game = await ground.table(table.number), await ground.game(table.number)
        missed = {found.user: found.times for found in table.choices.missed}
        mine = table.user_at(game, game.to_act[0]) == ANN
        if missed.get(BOB, 0) >= OFTEN and mine:
            break
        if mine:
            await ground.play(table.number, ANN, game.options(game.to_act[0]).sample(rng))
        else:
            await look(ground, HOUR + 5)
    assert (await replace(ground, table.number, BOB, ANN)).done


async def late(ground: Playground, user: int, times: int, *, awaited: bool) -> int:
    """A game in which somebody has let their time run out so often, and is awaited now or isn't; its number."""
    table, rng = await paced(ground, DECIDE), random.Random(3)
    for _ in range(600):
        table, game = await ground.table(table.number), await ground.game(table.number)
        missed = {found.user: found.times for found in table.choices.missed}
        waits = user in [table.user_at(game, seat) for seat in game.to_act]
        if missed.get(user, 0) >= times and waits == awaited:
            return table.number
        if waits:
            await look(ground, HOUR + 5)
        else:
            seat = game.to_act[0]
            await ground.play(table.number, table.user_at(game, seat), game.options(seat).sample(rng))
    raise AssertionError("it never comes to that")


async def test_who_is_back_is_not_counted_as_absent_any_more(ground: Playground) -> None:
    number = await late(ground, BOB, OFTEN, awaited=False)
    assert (await replace(ground, number, BOB, ANN)).done
    back = (await ground.act(number, BOB, PlayAgain())).table
    assert not [missed for missed in back.choices.missed if missed.user == BOB]
    assert not (await replace(ground, number, BOB, ANN)).done


async def test_who_is_back_in_the_turn_in_which_they_were_late_has_all_their_time(ground: Playground) -> None:
    number = await late(ground, BOB, 1, awaited=True)
    table, game = await ground.table(number), await ground.game(number)
    late_now = replaced(table.choices.missed[0], turn=game.turn)
    await replace(ground, number, BOB, BOB)
    before = await ground.table(number)
    kept = replaced(before, choices=replaced(before.choices, missed=(late_now,)), version=before.version + 1)
    await ground.services.repository.save(kept, None, (), before=before)
    back = (await ground.act(number, BOB, PlayAgain())).table
    [wait] = [wait for wait in back.waits if back.user_at(game, wait.seat) == BOB]
    assert wait.until == wait.since + HOUR


async def test_of_two_the_other_one_waits_an_hour(ground: Playground) -> None:
    table, absent = await dealt(ground, ANN, BOB)
    with pytest.raises(RefereeError) as refused:
        await replace(ground, table.number, absent, ANN)
    assert sentence(refused.value).startswith("Give them time: in 1 hour the game will have waited an hour")


async def test_how_long_somebody_still_has_is_readable(ground: Playground) -> None:
    table = await paced(ground, DECIDE, 14 * 86_400, people=(ANN, BOB))
    absent = await waited_for(ground, table.number, ANN)
    ground.clock += 86_400
    with pytest.raises(RefereeError) as refused:
        await replace(ground, table.number, absent, ANN)
    assert sentence(refused.value).startswith("Give them time: they have 13 days")


@pytest.mark.on_databases
async def test_the_way_back(ground: Playground) -> None:
    table, away = await dealt(ground, ANN, BOB, CEM)
    assert (await replace(ground, table.number, away, away)).done
    game = await ground.game(table.number)
    seat = table.seat_of(game, away)
    assert seat is not None
    with pytest.raises(RefereeError) as refused:
        await ground.play(table.number, away, game.options(seat).sample(random.Random(1)))
    assert refused.value.code == "replaced"
    await due(ground)
    table = (await ground.act(table.number, away, PlayAgain())).table
    assert level(table, away) == ""
    revision = (await ground.game(table.number)).revision
    await due(ground)
    assert (await ground.game(table.number)).revision == revision
    with pytest.raises(RefereeError) as refused:
        await ground.act(table.number, away, PlayAgain())
    assert refused.value.code == "not-replaced"


async def test_twice_the_same_click_is_once(ground: Playground) -> None:
    table, away = await dealt(ground, ANN, BOB, CEM)
    for _ in range(2):
        assert (await replace(ground, table.number, away, away, "click")).done
    for _ in range(2):
        assert level((await ground.services.games.act(table.number, away, PlayAgain(), "back")).table, away) == ""


async def test_refused_with_one_sentence(ground: Playground) -> None:
    table, away = await dealt(ground, ANN, BOB, CEM)
    third = next(user for user in (BOB, CEM) if user != away)
    await replace(ground, table.number, away, away)
    for absent, by, kind, code in (
        (away, ANN, "hard", "no-player"),
        (ANN, away, "hard", "replaced"),
        (ANN, EVE, "hard", "not-playing"),
        (EVE, ANN, "hard", "no-player"),
        (third, ANN, "godlike", "level"),
        (third, ANN, "random", "level"),
    ):
        with pytest.raises(RefereeError) as refused:
            await replace(ground, table.number, absent, by, level=kind)
        assert refused.value.code == code
    await replace(ground, table.number, third, third)
    with pytest.raises(RefereeError) as refused:
        await replace(ground, table.number, ANN, ANN)
    assert refused.value.code == "last-person"


async def test_of_a_lobby_nobody_is_replaced(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    for change in (
        replace(ground, table.number, BOB, ANN),
        ground.services.games.act(table.number, ANN, PlayAgain(), "x"),
    ):
        with pytest.raises(RefereeError) as refused:
            await change
        assert refused.value.code == "not-started"


async def test_a_computer_that_plays_for_somebody_plays_to_the_end(ground: Playground) -> None:
    table, away = await dealt(ground, ANN, BOB, CEM)
    await replace(ground, table.number, away, away)
    over = await to_the_end(ground, table.number)
    again = await ground.services.lobby.rematch(over.number, away, ground.id())
    assert level(again, away) == ""


async def test_the_last_person_who_resigns_calls_it_off(ground: Playground) -> None:
    table, away = await dealt(ground, ANN, BOB)
    await replace(ground, table.number, away, away)
    await ground.play(table.number, ANN, Resign())
    for _ in range(3):
        await due(ground)
    assert (await ground.table(table.number)).status == "over"

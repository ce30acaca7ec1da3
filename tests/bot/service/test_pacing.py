"""A time for each decision: what follows when it is over, who is reminded when, and that each happens once."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.presentation.texts.options import beside
from bot.service import Services
from bot.table.acts.motions import Agree, Propose
from bot.table.acts.options import SetOptions
from bot.table.seats import who_plays
from bot.table.table import DECIDE, OVER, REMIND, VOTE, Table
from bot.table.waiting import decisions, put_off
from engine.actions import DecideFor, DeclineFor, DeclineOffer, EndTurn, MakeOffer, Roll
from engine.errors import RefereeError
from engine.game import Game
from engine.record import REFEREE
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.service.tables import HOUR, look, paced, rolled, say, wait_of
from tests.bot.service.tables import replace as replaced


@pytest.mark.on_databases
async def test_a_time_is_stored_with_the_decision_and_survives_a_kill(ground: Playground) -> None:
    table = await paced(ground)
    wait = wait_of(await ground.table(table.number))
    assert wait.until == wait.since + HOUR
    await ground.kill()
    assert wait_of(await ground.table(table.number)) == wait


@pytest.mark.on_databases
async def test_the_plainest_move_is_made_for_who_is_late_and_all_can_read_it(ground: Playground) -> None:
    table = await paced(ground)
    before = await ground.game(table.number)
    [seat] = before.to_act
    await look(ground, HOUR - 60)
    assert await ground.revision(table.number) == before.revision
    await look(ground, 70)
    after = await ground.game(table.number)
    assert [(r.actor, r.action) for r in after.records[before.revision :]] == [(REFEREE, DecideFor(seat))] * 2
    assert after.to_act != before.to_act
    table = await ground.table(table.number)
    assert [(m.user, m.times) for m in table.choices.missed] == [(table.user_at(after, seat), 1)]
    assert wait_of(table).until == pytest.approx(ground.clock + HOUR, abs=5)


async def test_their_turn_is_played_to_its_end(ground: Playground) -> None:
    table = await paced(ground)
    rng = random.Random(2)
    while (await ground.game(table.number)).turn < 3:
        await ground.step(table.number, rng)
    before = await ground.game(table.number)
    await look(ground, HOUR + 1)
    after = await ground.game(table.number)
    assert after.turn == before.turn + 1 or after.view(None).step.kind in ("discard", "interrupt")


async def test_time_begins_anew_with_what_one_does(ground: Playground) -> None:
    table = await paced(ground)
    table, game = await rolled(ground, table.number)
    user = table.user_at(game, game.to_act[0])
    ground.clock += HOUR - 60
    seat = game.to_act[0]
    give, want = [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]
    held = game.view(seat).players[seat].hand
    if held and any(held):
        give = [int(r == next(i for i, n in enumerate(held) if n)) for r in range(5)]
        want = [give[-1], *give[:-1]]
        await ground.play(table.number, user, MakeOffer(tuple(give), tuple(want)))  # type: ignore[arg-type]
        wait = wait_of(await ground.table(table.number))
        assert wait.until == pytest.approx(ground.clock + HOUR, abs=5)


@pytest.mark.parametrize("one_answers", [True, False])
async def test_an_unanswered_offer_is_declined_and_its_maker_has_time_to_go_on(
    ground: Playground, one_answers: bool
) -> None:
    table = await paced(ground)
    number = table.number
    for seed in range(50):
        table, game = await rolled(ground, number)
        seat = game.to_act[0]
        held = game.view(seat).players[seat].hand or ()
        if any(held):
            break
        await ground.play(number, table.user_at(game, seat), EndTurn())
        await ground.step(number, random.Random(seed))
    kind = next(i for i, n in enumerate(held) if n)
    give, want = [0] * 5, [0] * 5
    give[kind], want[(kind + 1) % 5] = 1, 1
    await ground.play(number, table.user_at(game, seat), MakeOffer(tuple(give), tuple(want)))  # type: ignore[arg-type]
    table = await ground.table(number)
    asked = [wait for wait in table.waits if wait.offer]
    assert len(asked) == 2
    ground.clock += HOUR / 2
    if one_answers:
        answering = asked[0].seat
        game = await ground.game(number)
        await ground.play(number, table.user_at(game, answering), DeclineOffer(asked[0].serial))
        fresh = wait_of(await ground.table(number))
        assert fresh.since == pytest.approx(ground.clock, abs=5)
    await look(ground, HOUR / 2 + 5)
    game = await ground.game(number)
    assert game.records[-1].action == DeclineFor(asked[1].seat, asked[1].serial)
    assert game.to_act == (seat,)
    assert (wait_of(await ground.table(number)).until or 0) > ground.clock + HOUR / 3
    assert not (await ground.table(number)).choices.missed, "an offer that doesn't interest is no absence"


async def discarding(ground: Playground, number: int) -> tuple[Table, Game]:
    """A game in which several owe discards."""
    rng = random.Random(5)
    for _ in range(20_000):
        game = await ground.game(number)
        if game.view(None).step.kind == "discard" and len(game.to_act) > 1:
            return await ground.table(number), game
        seat = game.to_act[0]
        plain = [kind for kind in (Roll, EndTurn) if kind in game.options(seat)]
        action = game.options(seat)[plain[0]].sample(rng) if plain else game.options(seat).sample(rng)
        await ground.play(number, (await ground.table(number)).user_at(game, seat), action)
    raise AssertionError("nobody had too many cards")


async def test_each_of_several_who_discard_has_a_time_of_their_own(ground: Playground) -> None:
    table = await paced(ground)
    table, game = await discarding(ground, table.number)
    waits = list(decisions(table))
    assert {wait.seat for wait in waits} == set(game.to_act)
    ground.clock += HOUR / 2
    first = waits[0].seat
    await ground.play(table.number, table.user_at(game, first), game.options(first).sample(random.Random(1)))
    left = list(decisions(await ground.table(table.number)))
    assert [wait for wait in waits if wait.seat != first] == left, "others' discards change nothing"
    await look(ground, HOUR / 2 + 5)
    game = await ground.game(table.number)
    assert game.view(None).step.kind != "discard"


async def test_who_is_away_is_not_waited_for_again_in_that_turn(ground: Playground) -> None:
    table = await paced(ground)
    table, game = await discarding(ground, table.number)
    roller = game.state.on_turn
    late = [seat for seat in game.to_act if seat != roller]
    await look(ground, HOUR + 5)
    await look(ground, 5)
    await look(ground, 5)
    after = await ground.game(table.number)
    if roller in game.to_act:  # they were late themselves: the robber and the rest are decided at once
        assert after.turn > game.turn
    else:
        assert late
        assert after.to_act == (roller,)


async def test_an_action_of_their_own_ends_the_count(ground: Playground) -> None:
    table = await paced(ground)
    for _ in range(4):
        await look(ground, HOUR + 5)
    table = await ground.table(table.number)
    assert table.choices.missed
    game = await ground.game(table.number)
    seat = game.to_act[0]
    user = table.user_at(game, seat)
    await ground.play(table.number, user, game.options(seat).sample(random.Random(1)))
    assert user not in [m.user for m in (await ground.table(table.number)).choices.missed]


@pytest.mark.on_databases
async def test_a_game_that_nobody_plays_goes_on_to_its_end(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB, CEM)
    await ground.act(table.number, ANN, SetOptions({"round_limit": 3}))
    await ground.act(table.number, ANN, SetOptions({"pace": 120, "expiry": DECIDE}))
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    for n in range(60):
        await look(ground, 130 if n > 6 else 1810)
        if (await ground.table(table.number)).status == OVER:
            break
    assert (await ground.table(table.number)).status == OVER
    game = await ground.game(table.number)
    assert Game.replay(game.config, game.records).hash() == game.hash()


@pytest.mark.parametrize("expiry", [REMIND, VOTE])
async def test_where_nothing_is_decided_all_are_told_once_that_the_time_is_over(
    ground: Playground, expiry: str
) -> None:
    table = await paced(ground, expiry)
    revision = await ground.revision(table.number)
    await look(ground, HOUR + 5)
    over = await ground.table(table.number)
    assert wait_of(over).over
    assert over.updated < ground.clock - HOUR, "nobody has touched the table"
    await look(ground, 60)
    assert (await ground.table(table.number)).version == over.version
    assert await ground.revision(table.number) == revision


async def test_the_host_can_have_somebody_replaced_once_their_time_is_over(ground: Playground) -> None:
    table = await paced(ground, VOTE, 2 * 86_400)
    rng = random.Random(1)
    while True:
        table, game = await ground.table(table.number), await ground.game(table.number)
        late = table.user_at(game, game.to_act[0])
        if late != ANN:
            break
        await ground.step(table.number, rng)
    ground.clock += 86_400
    found = await replaced(ground, table.number, late, ANN)
    assert not found.done, "they have their two days"
    await look(ground, 86_400 + 5)
    found = await replaced(ground, table.number, late, ANN)
    assert found.done
    assert late not in who_plays(found.table, await ground.game(table.number))
    assert all(wait.until is None for wait in decisions(found.table)), "a computer has no time limit"


# --- time in which the bot was down, pauses


@pytest.mark.on_databases
async def test_time_in_which_the_bot_was_down_does_not_count(ground: Playground) -> None:
    table = await paced(ground)
    await ground.store.alive(ground.clock)
    await ground.kill()
    ground.clock += 5 * HOUR
    down = await ground.store.wake(ground.clock)
    assert down == pytest.approx(5 * HOUR, abs=5)
    await look(ground)
    wait = wait_of(await ground.table(table.number))
    assert wait.until == pytest.approx(ground.clock + HOUR, abs=30)
    revision = await ground.revision(table.number)
    await look(ground, HOUR / 2)
    assert await ground.revision(table.number) == revision
    await look(ground, HOUR / 2 + 20)
    assert await ground.revision(table.number) > revision


async def test_in_a_pause_nothing_is_over_and_nobody_can_act(ground: Playground) -> None:
    table = await paced(ground)
    before = wait_of(await ground.table(table.number))
    assert not (await say(ground, table.number, ANN, Propose("pause"))).done
    assert (await say(ground, table.number, BOB, Agree("pause"))).done
    revision = await ground.revision(table.number)
    await look(ground, 10 * HOUR)
    assert await ground.revision(table.number) == revision
    game = await ground.game(table.number)
    user = (await ground.table(table.number)).user_at(game, game.to_act[0])
    with pytest.raises(RefereeError) as refused:
        await ground.play(table.number, user, game.options(game.to_act[0]).sample(random.Random(1)))
    assert refused.value.code == "paused"
    await say(ground, table.number, CEM, Propose("resume"))
    assert (await say(ground, table.number, ANN, Propose("resume"))).done
    wait = wait_of(await ground.table(table.number))
    assert wait.until == pytest.approx((before.until or 0) + 10 * HOUR, abs=30)
    await look(ground, HOUR)
    assert await ground.revision(table.number) > revision


# --- several processes


@pytest.mark.on_databases
async def test_of_two_processes_one_decides_and_one_reminds(ground: Playground, other: Services) -> None:
    first = await paced(ground, DECIDE)
    second = await paced(ground, REMIND, 86_400, channel=51)
    before = [await ground.revision(table.number) for table in (first, second)]
    versions = []
    for seconds in (HOUR + 5, 2 * HOUR):
        ground.clock += seconds
        await asyncio.gather(ground.services.jobs._look(), other.jobs._look())
        versions.append((await ground.store.table(second.number)).version)  # type: ignore[union-attr]
    ground.services.repository.drop_cache()
    decided = (await ground.game(first.number)).records[before[0] :]
    seats = [record.action.seat for record in decided if isinstance(record.action, DecideFor)]
    assert seats == [seats[0], seats[0], seats[2], seats[2]], "a settlement and a road for each who was late"
    assert seats[0] != seats[2]
    stored = await ground.store.table(second.number)
    assert stored is not None
    assert wait_of(stored).reminded == 1
    assert versions[1] == versions[0] + 1


async def test_no_opening_is_placed_within_minutes_for_who_is_away(ground: Playground) -> None:
    """At a pace of minutes a placement has half an hour, and what follows it the pace; all can read both."""
    table = await paced(ground, pace=120)
    assert "each placement has 30 minutes" in "".join(beside(table))
    wait = wait_of(table)
    assert (wait.until, put_off(table, await ground.game(table.number), wait)) == (wait.since + 1800, 0)
    await look(ground, 1740)
    assert await ground.revision(table.number) == 1
    await look(ground, 60)
    assert await ground.revision(table.number) == 3, "a settlement and a road"
    while (await ground.game(table.number)).turn < 1:
        await ground.step(table.number, random.Random(1))
    wait = wait_of(await ground.table(table.number))
    assert wait.until == wait.since + 120


async def test_in_setup_each_placement_has_its_time(ground: Playground) -> None:
    """Also for the last, who places twice in a row, and where the first was decided: days may lie between the two."""
    table = await paced(ground)
    number, order = table.number, []
    for _ in range(6):
        table, game = await ground.table(number), await ground.game(number)
        wait = wait_of(table)
        assert (game.turn, wait.until) == (0, wait.since + HOUR)
        order.append(wait.seat)
        ground.clock = wait.since + HOUR + 5
        await look(ground)
    table, game = await ground.table(number), await ground.game(number)
    assert order == [*order[:3], *order[2::-1]]
    assert game.turn == 1
    assert {missed.times for missed in table.choices.missed} == {2}

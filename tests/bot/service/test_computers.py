"""Bots at the table: they play each of their turns once, and never hold up a game."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import Any

import pytest

from bot.projections import Kind
from bot.screens.suggested import player_choices, seat_named
from bot.screens.viewer import Viewer
from bot.service.computers import ANSWERS, COMPUTER, QUICK_ANSWER, choose
from bot.service.jobs import JOB_AGAIN_AFTER
from bot.store.base import Job
from bot.table.table import OVER, RUNNING, People, Table
from engine.actions import Action, AgreeToCallOff, CloseOffer, DeclineOffer, EndTurn, MakeOffer, Resign
from engine.game import Game
from engine.resources import single
from engine.views import View
from tests.bot.playground import ANN, BOB, Playground, do_due
from tests.bot.playground import choose as choose_for
from tests.bot.service.computers import begun, due, to_the_end, tradable
from tests.bot.thinking import decides


@pytest.mark.on_databases
async def test_a_person_and_three_bots_play_to_the_end(ground: Playground) -> None:
    table = await begun(ground, ANN, target=3)
    statuses = list[str]()
    ground.services.repository.subscribe(lambda table: statuses.append(table.status))
    table = await to_the_end(ground, table.number)
    game = await ground.game(table.number)
    assert game.outcome is not None
    if table.member_at(game, game.outcome.winners[0]).level:
        for _ in range(100):
            if statuses[-1] == OVER:
                break
            await asyncio.sleep(0.01)
        assert statuses[-1] == OVER
    assert Game.replay(game.config, game.records).hash() == game.hash()
    assert all(name.user > 0 for name in await ground.store.visible(table.number) if name.kind is Kind.HAND)


async def test_a_rematch_keeps_the_bots(ground: Playground) -> None:
    table = await begun(ground, ANN, BOB, target=3)
    await to_the_end(ground, table.number)
    again = await ground.services.lobby.rematch(table.number, BOB, ground.id())
    assert again.people == (BOB,)
    assert len(again.members) == 3
    assert [guest.user for guest in again.invited] == [ANN]


async def test_a_bot_acts_within_a_limited_time_and_its_actions_are_reported_together(ground: Playground) -> None:
    table = await begun(ground, ANN)
    versions: list[int] = []
    ground.services.repository.subscribe(lambda table: versions.append(table.version))
    rng = random.Random(1)
    for _ in range(400):
        table, game = await ground.table(table.number), await ground.game(table.number)
        if ANN in [table.user_at(game, seat) for seat in game.to_act]:
            seat = next(seat for seat in game.to_act if table.user_at(game, seat) == ANN)
            await ground.play(table.number, ANN, game.options(seat).sample(rng))
            continue
        before, count = game.turn, len(versions)
        job = await ground.store.next_job(0.0)
        assert job is not None
        assert job - ground.clock <= (ANSWERS if game.state.offers else 3.5)
        begins = not game.turn or (game.state.dice is None and game.state.on_turn in game.to_act)
        assert game.state.offers or (job - ground.clock > QUICK_ANSWER) == begins
        ground.clock = max(ground.clock, job)
        await do_due(ground.services)
        game = await ground.game(table.number)
        assert len(versions) == count + 1, "told once"
        assert game.turn <= before + 1
        if game.turn > 12:
            return
    raise AssertionError("the game has not come so far")


async def test_a_bots_crash_is_logged_and_the_default_action_is_taken(
    ground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(level: str, view: View) -> Action:
        assert view.seat is not None
        raise RuntimeError(f"lost the thread with {view.players[view.seat].hand}")

    ground.services.computers._think = decides(fail)
    table = await begun(ground, ANN, target=3)
    with caplog.at_level(logging.ERROR):
        await due(ground)
        game = await ground.game(table.number)
        for _ in range(30):
            game = await ground.game(table.number)
            if any(table.user_at(game, seat) == ANN for seat in game.to_act):
                break
            await due(ground)
    assert "could not decide (RuntimeError at service/test_computers.py:" in caplog.text
    assert "lost the thread" not in caplog.text
    assert game.revision > 1 or table.user_at(game, game.to_act[0]) == ANN
    seat = next(seat for seat in game.to_act if table.user_at(game, seat) == ANN)
    await ground.play(table.number, ANN, next(game.options(seat).actions()))
    assert (await ground.table(table.number)).status == RUNNING


async def test_bots_agree_to_call_a_game_off_when_all_people_have_agreed(ground: Playground) -> None:
    table = await begun(ground, ANN, BOB)
    await ground.play(table.number, ANN, AgreeToCallOff())
    await due(ground)
    game = await ground.game(table.number)
    assert game.outcome is None, "not as long as somebody hasn't agreed"
    assert game.view(None).call_off_votes.bit_count() == 1
    await ground.play(table.number, BOB, AgreeToCallOff())
    await due(ground)
    game = await ground.game(table.number)
    assert game.outcome is not None
    assert game.outcome.winners == ()


async def test_bots_call_the_game_off_when_no_people_are_left(ground: Playground) -> None:
    table = await begun(ground, ANN)
    await ground.play(table.number, ANN, Resign())
    await due(ground)
    assert (await ground.table(table.number)).status == OVER


async def test_a_bot_can_be_named_in_a_command(ground: Playground) -> None:
    table = await begun(ground, ANN)
    viewer = Viewer.of(table, await ground.game(table.number), ANN)
    for seat, (_label, value) in enumerate(player_choices(viewer, range(4))):
        assert seat_named(viewer, value) == seat
        assert seat_named(viewer, viewer.names[seat]) == seat


async def test_a_bots_illegal_choice_is_replaced_by_the_default_action(ground: Playground) -> None:
    async def wrong(level: str, view: View) -> Action:
        return MakeOffer(single(0, 90), single(1))

    ground.services.computers._think = decides(wrong)
    table = await begun(ground, ANN, target=3)
    revision = await ground.revision(table.number)
    for _ in range(4):
        await due(ground)
    game = await ground.game(table.number)
    assert game.revision > revision or table.user_at(game, game.to_act[0]) == ANN


async def test_an_answer_that_arrives_while_a_bot_thinks_logs_no_warning(
    ground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    """It chose a trade that was gone by then. Players read the log in their terminal, which says nothing about it."""
    closed = list[int]()

    async def closes(level: str, view: View) -> Action:
        if closed or (mine := tradable(view)) is None:
            return choose(level, view)
        if not view.offers:
            return MakeOffer(single(mine), single((mine + 1) % 5))
        table, [offer] = await ground.table(number), view.offers
        await ground.play(number, ANN, DeclineOffer(offer.id))
        closed.append(offer.id)
        return CloseOffer(offer.id, table.seat_of(await ground.game(number), ANN) or 0)

    number, rng = (await begun(ground, ANN)).number, random.Random(2)
    ground.services.computers._think = decides(closes)
    while not closed:
        await to_do(ground, number, rng)
    warnings = [r for r in caplog.records if r.name == "bot.service.computers" and r.levelno > logging.INFO]
    assert [record.getMessage() for record in warnings] == []


async def to_do(ground: Playground, number: int, rng: random.Random) -> None:
    """Let Ann act if the game waits for her; otherwise do what is due within a minute and a half."""
    table, game = await ground.table(number), await ground.game(number)
    if (seat := table.seat_of(game, ANN)) not in game.to_act:
        return await due(ground)
    await ground.play(number, ANN, choose_for(game, seat, rng))


async def test_playing_a_bots_turn_neither_drops_nor_resets_its_job(ground: Playground) -> None:
    """The job is kept while a turn is played: the turn's actions neither drop it nor set it again."""
    table = await begun(ground, ANN)
    ground.services.computers._playing.add(table.number)
    assert ground.services.computers.jobs(table, await ground.game(table.number), None, People()) == {}


async def test_a_job_that_comes_due_during_a_bots_turn_outlives_the_process_that_plays_it(ground: Playground) -> None:
    """An answer at another process has set the job, or the turn takes longer than a job is held."""
    table = await begun(ground, ANN)
    computers, now = ground.services.computers, ground.clock
    await ground.store.set_job(Job(table.number, COMPUTER, now))
    computers._playing.add(table.number)
    await do_due(ground.services)
    computers._playing.clear()  # the process that played has died
    assert await ground.store.next_job(0.0) == pytest.approx(now + JOB_AGAIN_AFTER, abs=10)


async def test_a_change_stored_while_a_bots_turn_ends_schedules_its_next_turn(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that is made while a bot's turn is played, and stored after it, must not leave the game standing."""
    table = await begun(ground, ANN)
    for _ in range(500):
        game = await ground.game(table.number)
        seat = table.seat_of(game, ANN)
        assert seat is not None
        if EndTurn in game.options(seat):
            break
        if seat in game.to_act:
            await ground.play(table.number, ANN, game.options(seat).sample(random.Random(1)))
        else:
            await due(ground)
    computers, save = ground.services.computers, ground.services.repository.save
    reached, released = asyncio.Event(), asyncio.Event()

    async def slowly(*given: Any, **details: Any) -> Table:
        reached.set()
        await released.wait()
        return await save(*given, **details)

    async def nothing(job: Job) -> bool:
        return False

    monkeypatch.setattr(ground.services.repository, "save", slowly)
    monkeypatch.setattr(computers, "_play_turn", nothing)
    computers._playing.add(table.number)
    ending = asyncio.create_task(ground.play(table.number, ANN, EndTurn()))
    await reached.wait()
    computers._playing.clear()
    playing = asyncio.create_task(computers._carry_out(Job(table.number, COMPUTER, ground.clock)))
    await asyncio.sleep(0.05)
    released.set()
    await asyncio.gather(ending, playing)
    assert await ground.store.next_job(0.0) is not None

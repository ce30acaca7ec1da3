"""Playing through the service: an action is done exactly once and stored before it is reported, whatever happens."""

from __future__ import annotations

import asyncio
import logging
import random
import re
from typing import Any

import pytest

from bot.export import dump, load, verified
from bot.projections import COMMITMENT, PANEL, SEED, Kind, Name, Place
from bot.store import Unavailable
from bot.table.acts.lobby import Join
from bot.table.table import OVER, RUNNING
from engine.actions import AgreeToCallOff, BuildSettlement, Resign, Roll
from engine.errors import IllegalAction, RefereeError
from engine.game import Game
from tests.bot.noted import noted
from tests.bot.playground import ANN, BOB, CEM, CHANNEL, DOT, Playground, choose, is_over


def same(one: Game, other: Game) -> bool:
    """Whether two games are the same in everything, for everyone."""
    seats = range(one.config.players)
    return (
        one.hash() == other.hash()
        and one.records == other.records
        and one.last_events == other.last_events
        and [one.decision(s) for s in seats] == [other.decision(s) for s in seats]
        and [one.can_undo(s) for s in seats] == [other.can_undo(s) for s in seats]
        and [one.view(s) for s in (None, *seats)] == [other.view(s) for s in (None, *seats)]
    )


async def pressed(ground: Playground, number: int) -> tuple[int, Any, str]:
    """User, action and decision of a legal button that the player to act could press now."""
    game, table = await ground.game(number), await ground.table(number)
    seat = game.to_act[0]
    return table.user_at(game, seat), choose(game, seat, random.Random(1)), game.decision(seat)


async def test_seats_and_users_match_after_shuffling(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT)
    game = await ground.game(table.number)
    for user in table.users:
        seat = table.seat_of(game, user)
        assert seat is not None
        assert table.user_at(game, seat) == user
        place = table.place_of(user)
        assert game.view(None).players[seat].player == place
        assert game.view(None).players[seat].color == table.members[place or 0].color
    assert table.seat_of(game, 99) is None


async def test_an_interaction_is_carried_out_once(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB)).number
    user, action, decision = await pressed(ground, number)
    first = await ground.play(number, user, action, decision=decision, interaction="X")
    again = await ground.play(number, user, action, decision=decision, interaction="X")
    assert (first.revision, first.repeated) == (2, False)
    assert (again.revision, again.repeated, again.events) == (2, True, first.events)
    assert again.view == first.view
    assert await ground.revision(number) == 2


@pytest.mark.on_databases
async def test_an_interaction_is_carried_out_once_despite_a_restart_and_later_actions(
    ground: Playground, rng: random.Random
) -> None:
    number = (await ground.begun(ANN, BOB)).number
    user, action, decision = await pressed(ground, number)
    first = await ground.play(number, user, action, decision=decision, interaction="X")
    for _ in range(20):
        await ground.step(number, rng)
    await ground.kill()
    again = await ground.play(number, user, action, decision=decision, interaction="X")
    assert (again.repeated, again.revision, again.events) == (True, 2, first.events)
    assert again.game.revision == await ground.revision(number) == 22


async def test_an_interaction_sent_several_times_in_parallel_is_carried_out_once(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB)).number
    user, action, decision = await pressed(ground, number)
    results = await asyncio.gather(
        *(ground.play(number, user, action, decision=decision, interaction="X") for _ in range(5))
    )
    assert sorted(result.repeated for result in results) == [False, True, True, True, True]
    assert await ground.revision(number) == 2


async def test_a_double_click_is_refused_as_stale(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB)).number
    user, action, decision = await pressed(ground, number)
    results = await asyncio.gather(
        *(ground.play(number, user, action, decision=decision) for _ in range(2)),
        return_exceptions=True,
    )
    [refusal] = [result for result in results if isinstance(result, RefereeError)]
    assert refusal.code == "stale"
    assert await ground.revision(number) == 2


async def test_refusals_leave_no_trace(ground: Playground) -> None:
    lobby = await ground.lobby(DOT, channel=CHANNEL + 1)
    number = (await ground.begun(ANN, BOB)).number
    before = await ground.game(number)
    table = await ground.table(number)
    user, action, _ = await pressed(ground, number)
    other = BOB if user == ANN else ANN
    cases = (
        (number, CEM, action, None, "not-playing"),
        (number, user, action, "0.0", "stale"),
        (number, user, Roll(), None, None),
        (number, other, action, None, None),
        (lobby.number, DOT, action, None, "not-started"),
        (99, ANN, action, None, "no-table"),
    )
    for game, who, tried, decision, code in cases:
        with pytest.raises(RefereeError) as caught:
            await ground.play(game, who, tried, decision=decision, interaction="X")
        assert caught.value.code == code or (code is None and isinstance(caught.value, IllegalAction))
    assert await ground.game(number) is before
    assert await ground.table(number) == table
    assert await ground.store.interaction("X") is None


async def test_the_panel_and_changed_hands_are_due_after_an_action(ground: Playground, rng: random.Random) -> None:
    """The panel is always due; hands are due when they have changed."""
    table = await ground.begun(ANN, BOB)
    for name in (COMMITMENT, PANEL, Name(Kind.HAND, user=ANN), Name(Kind.HAND, user=BOB)):
        await ground.services.projections.note(table.number, [noted(name, table.version, 1, 2)])
    assert not await ground.services.projections.pending()
    for _ in range(60):
        before = await ground.game(table.number)
        played = await ground.step(table.number, rng)
        names_due = {p.name for p in (await ground.services.projections.visible(table.number)).values() if p.pending}
        hands = set()
        for user in table.users:
            seat = table.seat_of(before, user)
            assert seat is not None
            if before.view(seat).players[seat].hand != played.game.view(seat).players[seat].hand:
                hands.add(Name(Kind.HAND, user=user))
        assert {PANEL} | hands <= names_due
        for name in names_due:
            await ground.services.projections.note(table.number, [noted(name, played.table.version)])


@pytest.mark.on_databases
async def test_a_crash_between_commit_and_showing_leaves_the_panel_pending(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    await ground.services.projections.note(table.number, [noted(PANEL, table.version, CHANNEL, 77)])
    await ground.services.projections.note(table.number, [noted(COMMITMENT, table.version)])
    user, action, decision = await pressed(ground, table.number)
    played = await ground.play(table.number, user, action, decision=decision, interaction="X")
    await ground.kill()
    assert list(await ground.services.projections.pending()) == [table.number]
    assert await ground.table(table.number) == played.table
    projections = await ground.services.projections.visible(table.number)
    panel = projections[PANEL]
    assert (panel.due, panel.version) == (played.table.version, table.version)
    assert panel.posted == Place(CHANNEL, 77)  # the message to edit
    assert not projections[COMMITMENT].pending


@pytest.mark.on_databases
async def test_a_game_is_the_same_after_the_cache_is_dropped_or_the_process_killed(
    ground: Playground, rng: random.Random
) -> None:
    number = (await ground.begun(ANN, BOB, CEM, target=4)).number
    for step in range(80):
        if (await ground.table(number)).status == OVER:
            break
        played = await ground.step(number, rng)
        if step % 10 == 0:
            ground.services.repository.drop_cache()
            again = await ground.game(number)
            assert again is not played.game
            assert same(again, played.game)
        if step % 25 == 0:
            await ground.kill()
            assert same(await ground.game(number), played.game)
            assert await ground.table(number) == played.table


async def test_dropping_the_cache_while_others_play_loses_nothing(ground: Playground, rng: random.Random) -> None:
    number = (await ground.begun(ANN, BOB, target=20)).number
    playing = True

    async def forgetful() -> int:
        newest = 0
        while playing:
            ground.services.repository.drop_cache()
            newest, last = (await ground.game(number)).revision, newest
            assert newest >= last  # never back in time
            assert newest <= await ground.revision(number)  # what is returned is stored
        return newest

    reader = asyncio.create_task(forgetful())
    for _ in range(60):
        await ground.step(number, rng)
    playing = False
    assert await reader <= 61
    before = await ground.game(number)
    assert before.revision == 61
    ground.services.repository.drop_cache()
    assert same(await ground.game(number), before)


async def test_a_slow_reader_does_not_put_an_old_game_into_memory(
    ground: Playground, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = (await ground.begun(ANN, BOB)).number
    read = ground.store.records

    async def overtaken(number: int, since: int) -> list[Any]:
        monkeypatch.undo()
        old_records = await read(number, since)
        await ground.step(number, rng)
        ground.services.repository.drop_cache()
        return old_records

    monkeypatch.setattr(ground.store, "records", overtaken)
    ground.services.repository.drop_cache()
    assert (await ground.game(number)).revision == 2
    assert (await ground.step(number, rng)).revision == 3


async def test_an_action_that_cannot_be_stored_does_not_change_the_game_in_memory(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = (await ground.begun(ANN, BOB)).number
    before = await ground.game(number)
    user, action, decision = await pressed(ground, number)
    with monkeypatch.context() as patch:

        async def full(*_: Any, **__: Any) -> None:
            raise Unavailable("database or disk is full")

        patch.setattr(ground.store, "save", full)
        with pytest.raises(Unavailable):
            await ground.play(number, user, action, decision=decision, interaction="X")
    assert same(await ground.game(number), before)
    played = await ground.play(number, user, action, decision=decision, interaction="X")
    assert (played.revision, played.repeated) == (2, False)


async def test_a_commit_that_succeeded_but_reported_failure_counts(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = (await ground.begun(ANN, BOB)).number
    user, action, decision = await pressed(ground, number)
    save = ground.store.save
    with monkeypatch.context() as patch:

        async def unsure(*args: Any, **options: Any) -> None:
            await save(*args, **options)
            raise Unavailable("disk I/O error")

        patch.setattr(ground.store, "save", unsure)
        with pytest.raises(Unavailable):
            await ground.play(number, user, action, decision=decision, interaction="X")
    assert (await ground.game(number)).revision == 2
    again = await ground.play(number, user, action, decision=decision, interaction="X")
    assert (again.revision, again.repeated) == (2, True)


async def test_canceling_a_caller_does_not_stop_its_action_halfway(ground: Playground, rng: random.Random) -> None:
    number = (await ground.begun(ANN, BOB, CEM, target=20)).number
    for waits in range(40):
        task = asyncio.create_task(ground.step(number, rng))
        for _ in range(waits):
            await asyncio.sleep(0)
        if waits % 3 == 0:
            await asyncio.sleep(waits / 20_000)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        game = await ground.game(number)  # immediately, while the step can still be in progress
        assert game.revision <= await ground.revision(number)
        await ground.services.repository.finished()
        game = await ground.game(number)
        assert game.revision == await ground.revision(number)
        ground.services.repository.drop_cache()
        assert same(await ground.game(number), game)


async def test_autocomplete_does_not_wait_for_a_game_that_is_being_stored(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = (await ground.begun(ANN, BOB)).number
    before = await ground.game(number)
    user, action, decision = await pressed(ground, number)
    slow = asyncio.Event()
    save = ground.store.save

    async def slowly(*args: Any, **options: Any) -> None:
        await slow.wait()
        await save(*args, **options)

    monkeypatch.setattr(ground.store, "save", slowly)
    task = asyncio.create_task(ground.play(number, user, action, decision=decision, interaction="X"))
    try:
        await asyncio.sleep(0.02)
        now = await asyncio.wait_for(ground.game(number), 1)
        assert now is before  # nothing that isn't stored yet
        assert before.revision == 1
    finally:
        slow.set()
    played = await task
    assert await ground.game(number) is played.game
    assert played.revision == 2


async def test_two_games_can_be_played_at_the_same_time(ground: Playground) -> None:
    tables = [await ground.begun(ANN, BOB, CEM, channel=channel, target=3) for channel in (60, 61)]

    async def whole(number: int) -> Game:
        rng = random.Random(number)
        while (await ground.table(number)).status == RUNNING:
            await ground.step(number, rng)
        return await ground.game(number)

    games = await asyncio.gather(*(whole(table.number) for table in tables))
    ground.services.repository.drop_cache()
    for table, game in zip(tables, games, strict=True):
        assert game.outcome is not None
        assert same(await ground.game(table.number), game)
    assert games[0].hash() != games[1].hash()


async def test_games_can_be_played_with_a_tiny_cache(ground: Playground, rng: random.Random) -> None:
    repository = ground.services.repository
    repository._memory = 1
    repository.drop_cache()
    numbers = [(await ground.begun(ANN, BOB, channel=channel)).number for channel in (60, 61, 62)]
    for _ in range(30):
        await ground.step(rng.choice(numbers), rng)
        assert len(repository._cache) <= 1
    assert [t and t.number for t in [await repository.in_channel(c) for c in (60, 61, 62)]] == numbers


async def test_a_finished_game_reveals_its_seed_and_frees_its_channel(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM, target=3)).number
    with pytest.raises(RefereeError, match="not-over/seed"):
        await ground.services.games.export(number)
    await ground.advance(number, is_over)
    assert (await ground.services.projections.visible(number))[SEED].pending
    data = await ground.services.games.export(number)
    assert data["commitment"] == (await ground.table(number)).commitment
    assert [player["name"] for player in data["players"]] == ["Ann", "Bob", "Cem"]
    assert verified(load(dump(data))).outcome is not None
    with pytest.raises(RefereeError, match="over"):
        await ground.play(number, ANN, Roll())
    assert await ground.services.repository.in_channel(CHANNEL) is None
    table = await ground.services.lobby.rematch(number, BOB, ground.id())
    assert (table.host, table.users, table.config.target) == (BOB, (BOB,), 3)
    assert [guest.user for guest in table.invited] == [ANN, CEM]
    table = (await ground.act(table.number, ANN, Join("Ann"))).table
    assert table.number != number
    assert table.commitment != data["commitment"]
    await ground.services.lobby.start(table.number, BOB, "c2", ground.id())
    game = await ground.game(table.number)
    assert BuildSettlement in game.options(game.to_act[0])


async def test_players_can_resign_and_agree_to_call_the_game_off(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM)).number
    played = await ground.play(number, BOB, Resign())
    assert played.seat is not None
    assert played.view.players[played.seat].resigned
    for agree in (True, False, True):
        await ground.play(number, ANN, AgreeToCallOff(agree))
    played = await ground.play(number, CEM, AgreeToCallOff(True))
    assert played.table.status == OVER
    assert played.game.outcome is not None
    assert played.game.outcome.reason == "called_off"


@pytest.mark.on_databases
async def test_the_log_reveals_no_seed_and_no_hand(
    ground: Playground, rng: random.Random, caplog: pytest.LogCaptureFixture
) -> None:
    """Each line of a whole game has one of four shapes, none with room for a card."""
    with caplog.at_level(logging.DEBUG):
        number = (await ground.begun(ANN, BOB, CEM, target=3)).number
        while (await ground.table(number)).status == RUNNING:
            played = await ground.step(number, rng)
        await ground.kill()
        await ground.services.games.export(number)
    lines = [record.getMessage() for record in caplog.records if record.name.startswith(("bot", "engine"))]
    shapes = re.compile(r"Game \d+: (opened in channel \d+|started|turn \d+ stored|over)")
    assert [line for line in lines if not shapes.fullmatch(line)] == []
    assert len(lines) == played.game.revision + 2
    seed = await ground.store.seed(number)
    for secret in (seed.hex(), repr(seed), str(list(seed)), "INSERT"):
        assert secret not in caplog.text

"""Time limits in the service (L8): stored with the record, ended once, not shortened by absence."""

from __future__ import annotations

import asyncio
import random
from functools import partial

import pytest

from bot.export import dump, load
from bot.presentation.texts.verification import summary
from bot.projections import PANEL, TROUBLE
from bot.service import clock
from bot.service.clock import DAY
from bot.table.acts.lobby import Join
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.seats import OfferSeat, TakeSeat
from bot.table.proposals import PACE
from bot.table.table import Table
from bot.verify import check
from engine.actions import AgreeToEnd, Expire, MoveRobber, PassOn
from engine.errors import ConfigError
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE
from tests.bot.playground import ANN, BOB, CEM, CHANNEL, DOT, EVE, NAMES, Playground
from tests.bot.service.tables import time_up, window


async def taken_up(ground: Playground, table: Table) -> Table:
    """The table after a clock has been there."""
    await ground.services.clock.start()
    await ground.services.clock.close()
    return await ground.table(table.number)


@pytest.mark.on_databases
async def test_a_window_has_a_deadline_that_is_stored_with_it(ground: Playground) -> None:
    table, game = await window(ground)
    assert table.deadline is not None
    assert table.deadline.at == table.updated + 300
    assert isinstance(game.records[-1].action, MoveRobber)
    await ground.kill()
    assert (await ground.table(table.number)).deadline == table.deadline


async def test_an_answer_changes_neither_deadline_nor_version(ground: Playground) -> None:
    table, game = await window(ground)
    seat = next(bits(game.view(None).awaited))
    user = table.user_at(game, seat)
    played = await ground.play(table.number, user, PassOn())
    assert (played.table.deadline, played.table.version) == (table.deadline, table.version)


async def test_who_takes_a_seat_in_it_has_all_of_it(ground: Playground) -> None:
    table, game = await window(ground)
    assert table.deadline is not None
    user = table.user_at(game, next(bits(game.view(None).awaited)))
    ground.clock = table.deadline.at - 10
    await ground.act(table.number, user, OfferSeat(EVE))
    after = (await ground.act(table.number, EVE, TakeSeat("Eve", table.users.index(user)))).table
    assert after.deadline is not None
    assert after.deadline.serial == table.deadline.serial
    assert after.deadline.at == pytest.approx(after.updated + 300, abs=5)
    ground.clock = table.deadline.at + 1
    assert await time_up(ground, table.number) is None


async def test_the_last_answer_ends_it(ground: Playground) -> None:
    table, game = await window(ground)
    assert table.deadline is not None
    for seat in game.to_act:
        user = table.user_at(game, seat)
        await ground.play(table.number, user, PassOn())
    assert (await ground.table(table.number)).deadline is None
    ground.clock = table.deadline.at + 1
    assert await time_up(ground, table.number) is None


@pytest.mark.on_databases
async def test_it_is_ended_once_and_not_before_its_time(ground: Playground) -> None:
    table, game = await window(ground)
    limit = table.deadline
    assert limit is not None
    assert await time_up(ground, table.number) is None
    ground.clock = limit.at
    ended = await time_up(ground, table.number)
    assert ended is not None
    record = ended.records[game.revision]
    assert (record.actor, record.action) == (REFEREE, Expire(limit.serial))
    assert await time_up(ground, table.number) is None
    await ground.kill()
    assert (await ground.game(table.number)).hash() == ended.hash()
    assert (await ground.table(table.number)).version > table.version


@pytest.mark.on_databases
async def test_it_does_not_end_while_the_game_cannot_be_shown(ground: Playground) -> None:
    table, game = await window(ground)
    limit = table.deadline
    assert limit is not None
    await ground.services.projections.shown(table.number, PANEL, table.version, channel=50, message=4)
    await ground.services.projections.shown(table.number, TROUBLE, table.version, channel=77, message=5)
    ground.clock = limit.at
    assert await time_up(ground, table.number) is None
    await ground.kill()
    later = (await ground.table(table.number)).deadline
    assert later is not None
    assert later.serial == limit.serial
    assert later.at == pytest.approx(limit.at + 300, abs=10)
    assert await ground.store.next_job(0.0) == later.at
    marks = await ground.services.projections.visible(table.number)
    assert marks[PANEL].pending
    await ground.services.projections.gone(table.number, TROUBLE)
    ground.clock = later.at
    assert await time_up(ground, table.number) is not None
    assert await ground.revision(table.number) == game.revision + 1


@pytest.mark.parametrize("by_host", [False, True])
async def test_it_begins_anew_in_another_channel_where_the_game_could_not_be_shown(
    ground: Playground, by_host: bool
) -> None:
    table, _ = await window(ground)
    assert table.deadline is not None
    ground.clock = table.deadline.at - 3
    moved = (await ground.services.tables.move(table.number, ANN, CHANNEL + 1, ground.id(), anybody=not by_host)).table
    assert moved.deadline is not None
    left = moved.deadline.at - ground.clock
    assert left == pytest.approx(3 if by_host else 300, abs=5)
    found = await ground.store.next_job(0.0)
    assert found is not None
    assert found <= moved.deadline.at


@pytest.mark.on_databases
async def test_time_away_does_not_count(ground: Playground) -> None:
    table, _ = await window(ground)
    limit = table.deadline
    assert limit is not None
    ground.clock = table.updated + 100
    await ground.store.alive(ground.now())
    seen = ground.clock
    await ground.kill()
    ground.clock = seen + 5000
    woken = await taken_up(ground, table)
    assert woken.deadline is not None
    assert woken.deadline.serial == limit.serial
    assert woken.deadline.at == pytest.approx(limit.at + 5001)
    assert woken.version == table.version + 1
    assert table.number in await ground.services.projections.pending()
    assert (await ground.services.projections.visible(table.number))["panel"].pending


@pytest.mark.on_databases
async def test_without_a_sign_of_life_the_last_action_counts(ground: Playground) -> None:
    table, _ = await window(ground)
    assert table.deadline is not None
    await ground.kill()
    ground.clock = table.deadline.at + 9000
    woken = await taken_up(ground, table)
    assert woken.deadline is not None
    assert woken.deadline.at - ground.clock == pytest.approx(300, abs=30)


async def test_tables_are_heard_of_when_they_are_stored(ground: Playground) -> None:
    heard: list[Table] = []
    ground.services.repository.subscribe(heard.append)
    table, _ = await window(ground)
    assert heard[-1] == table
    assert [t for t in heard if t.deadline]


async def test_all_who_listen_hear_of_what_the_clock_has_ended(ground: Playground) -> None:
    table, game = await window(ground)
    assert table.deadline is not None
    await ground.store.alive(table.deadline.at)
    ground.clock = table.deadline.at
    told: list[tuple[str, int, int | None]] = []

    def hear(name: str, number: int, game: Game | None) -> None:
        told.append((name, number, game.revision if game else None))

    for name in ("one", "two"):
        ground.services.pacing.subscribe(partial(hear, name))
    await ground.services.clock.start()
    await asyncio.sleep(0.1)
    await ground.services.clock.close()
    assert told == [(name, table.number, game.revision + 1) for name in ("one", "two")]
    assert (await ground.table(table.number)).deadline is None


async def test_all_who_listen_hear_of_what_was_put_away(ground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await ground.lobby(ANN)
    ground.clock += 3 * DAY
    monkeypatch.setattr(clock, "UPKEEP", 0.6)
    told: list[tuple[int, Game | None]] = []
    ground.services.clock.subscribe(lambda *heard: told.append(heard))
    await ground.services.clock.start()
    await asyncio.sleep(0.1)
    await ground.services.clock.close()
    assert told == [(table.number, None)]


async def test_the_window_for_late_requests_is_as_short_as_the_pace_wants_it(ground: Playground) -> None:
    """J2: not as long as the one for answers to the robber; another pace counts where the game has the window."""
    table = await ground.lobby(ANN)
    number, rng = table.number, random.Random(1)
    await ground.act(number, ANN, SetOptions({"scenario": "extension"}))
    for user in (BOB, CEM, DOT, EVE):
        await ground.act(number, user, Join(NAMES[user]))
    await ground.act(number, ANN, SetOptions({"pace": 120}))
    for user in (ANN, BOB, CEM, DOT, EVE):
        await ground.services.people.change_settings(user, standing=20)
    table = (await ground.services.lobby.start(number, ANN, "closing-1", ground.id())).table
    for pace, seconds in ((120, 30), (200, 50), (86_400, 60), (0, 30)):
        if pace != table.choices.pace:
            for user in (ANN, BOB, CEM):
                await ground.act(number, user, Propose(PACE, pace=pace))
        while (table := await ground.table(number)).deadline is None:
            await ground.step(number, rng)
        assert table.deadline is not None
        assert (table.choices.pace, table.deadline.at) == (pace, table.updated + seconds)
        ground.clock = table.deadline.at
        assert await time_up(ground, number)


async def test_the_time_for_an_answer_has_bounds(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    for seconds in (0, 59, 8 * 86_400):
        with pytest.raises(ConfigError, match="1 minute to 7 days"):
            await ground.act(table.number, ANN, SetOptions({"answer_time": seconds}))


async def test_a_game_with_an_ended_decision_can_be_verified(ground: Playground) -> None:
    table, _ = await window(ground)
    assert table.deadline is not None
    ground.clock = table.deadline.at
    assert await time_up(ground, table.number)
    for user in table.users:
        await ground.play(table.number, user, AgreeToEnd(True))
    exported = load(dump(await ground.services.games.export(table.number)))
    assert "Not verified" not in summary(exported, check(exported))

"""However a game ends, its seed is published, and two programs verify it. A game that can go on keeps its seed. A table
that is closed before the start has drawn nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.export import dump, load, verified
from bot.projections import SEED
from bot.table.acts.lobby import Cancel, Join, Leave
from bot.table.acts.options import SetOptions
from bot.table.acts.places import CloseUnused, GiveUp, VoidGame
from bot.table.options import DAY
from bot.table.table import ARCHIVED, CANCELLED, OVER, Table
from engine.actions import Action, AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError
from engine.steps.table import everyone_has_had_a_turn
from engine.terms import EndReason
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, NAMES, Playground, is_over
from tests.bot.service.computers import begun as begun_with_bots
from tests.bot.service.computers import to_the_end
from tests.bot.service.tables import refused
from tests.verifying import notices_alone


async def started(ground: Playground, **options: int) -> Table:
    """A game of three that is some moves old."""
    lobby = await ground.lobby(ANN, BOB, CEM)
    await ground.act(lobby.number, ANN, SetOptions(options))
    table = (await ground.services.lobby.start(lobby.number, ANN, "closing", ground.id())).table
    for _ in range(10):
        await ground.step(table.number, random.Random(1))
    return table


async def archived(ground: Playground) -> Table:
    """A game that no one has touched for long."""
    table = await started(ground)
    ground.clock += 40 * DAY
    table = await ground.table(table.number)
    return (await ground.act(table.number, 0, CloseUnused(ARCHIVED, table.updated))).table


async def all_do(ground: Playground, table: Table, *actions: Action) -> int:
    """Each does an action, in order of joining."""
    for user, action in zip((ANN, BOB, CEM), actions, strict=False):
        await ground.play(table.number, user, action)
    return table.number


async def has_its_last_round(ground: Playground) -> int:
    table = await started(ground, round_limit=3)
    await ground.advance(table.number, is_over)
    return table.number


async def all_but_one_resign(ground: Playground) -> int:
    return await all_do(ground, await started(ground), Resign(), Resign())


async def all_people_resign_and_bots_call_it_off(ground: Playground) -> int:
    table = await begun_with_bots(ground, ANN, BOB, target=3)
    await all_do(ground, table, Resign(), Resign())
    return (await to_the_end(ground, table.number)).number


async def all_agree_to_count(ground: Playground) -> int:
    table = await started(ground)
    await ground.advance(table.number, lambda game: everyone_has_had_a_turn(game.state))
    return await all_do(ground, table, *3 * [AgreeToEnd()])


async def all_agree_to_call_it_off(ground: Playground) -> int:
    return await all_do(ground, await started(ground), *3 * [AgreeToCallOff()])


async def a_manager_voids_it(ground: Playground) -> int:
    return (await ground.act((await started(ground)).number, DOT, VoidGame("Mod"))).table.number


async def a_manager_voids_it_after_a_player_has_changed_when_they_are_called(ground: Playground) -> int:
    """J2: what they chose while it was archived counts when it is resumed, not when it ends."""
    lobby = await ground.lobby(ANN)
    await ground.act(lobby.number, ANN, SetOptions({"scenario": "extension"}))
    for user in (BOB, CEM, DOT, EVE):
        await ground.act(lobby.number, user, Join(NAMES[user]))
    table = (await ground.services.lobby.start(lobby.number, ANN, "closing", ground.id())).table
    await ground.act(table.number, 0, CloseUnused(ARCHIVED, table.updated))
    await ground.services.people.change_settings(BOB, standing=4, interaction="chosen")
    return (await ground.act(table.number, DOT, VoidGame("Mod"))).table.number


async def a_manager_voids_it_when_it_is_archived(ground: Playground) -> int:
    return (await ground.act((await archived(ground)).number, DOT, VoidGame("Mod"))).table.number


async def no_one_resumes_it(ground: Playground) -> int:
    """A week before it is deleted."""
    ground.store.days = 100
    before = await archived(ground)
    assert before.updated == pytest.approx(ground.clock)
    ground.clock += 92 * DAY
    assert await ground.services.clock.put_away() == []
    ground.clock += 1 * DAY
    [table] = await ground.services.clock.put_away()
    assert (table.status, table.updated) == (OVER, before.updated)
    assert await ground.services.clock.put_away() == []
    return table.number


Ending = Callable[[Playground], Awaitable[int]]
ENDINGS: dict[Ending, EndReason] = {
    has_its_last_round: EndReason.ROUNDS,
    all_but_one_resign: EndReason.LAST,
    all_people_resign_and_bots_call_it_off: EndReason.CALLED_OFF,
    all_agree_to_count: EndReason.AGREEMENT,
    all_agree_to_call_it_off: EndReason.CALLED_OFF,
    a_manager_voids_it: EndReason.CALLED_OFF,
    a_manager_voids_it_when_it_is_archived: EndReason.CALLED_OFF,
    a_manager_voids_it_after_a_player_has_changed_when_they_are_called: EndReason.CALLED_OFF,
    no_one_resumes_it: EndReason.CALLED_OFF,
}


def test_each_way_to_end_is_tried() -> None:
    """But for a game that is won at the target, which `tests/bot/discord/test_records.py` plays."""
    assert {*ENDINGS.values()} == {*EndReason} - {EndReason.TARGET}


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.__name__)
async def test_a_game_that_ends_publishes_its_seed(
    ground: Playground, record_property: Callable[[str, object], None], ending: Ending
) -> None:
    number = await ending(ground)
    assert (await ground.table(number)).status == OVER
    assert (await ground.services.projections.visible(number))[SEED].pending
    text = dump(await ground.services.games.export(number))
    outcome = verified(load(text)).outcome
    assert outcome is not None
    assert outcome.reason == ENDINGS[ending]
    assert not notices_alone(json.loads(text))
    record_property("ends after which the seed was published, and the game verified", 1)


async def test_a_game_that_can_go_on_keeps_its_seed(ground: Playground) -> None:
    running, put_away = await started(ground), await archived_elsewhere(ground)
    for table in (running, put_away):
        await refused(ground.services.games.export(table.number), "not-over/seed")
        assert SEED not in await ground.services.projections.visible(table.number)
    await ground.act(put_away.number, 0, GiveUp(put_away.updated - 1))  # it was touched since
    ground.clock += 1000 * DAY
    assert put_away.number not in [table.number for table in await ground.services.clock.put_away()]
    assert (await ground.table(put_away.number)).status == ARCHIVED


async def archived_elsewhere(ground: Playground) -> Table:
    table = await ground.begun(ANN, BOB, channel=77)
    return (await ground.act(table.number, 0, CloseUnused(ARCHIVED, table.updated))).table


async def test_a_game_that_cant_be_given_up_keeps_no_other_from_it(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground.store.days = 100
    first, second = await archived(ground), await archived_elsewhere(ground)
    act = ground.services.games.act

    async def refusing(number: int, *values: Any, **named: Any) -> Any:
        if number == first.number:
            raise RefereeError("game-over")
        return await act(number, *values, **named)

    monkeypatch.setattr(ground.services.games, "act", refusing)
    ground.clock += 150 * DAY
    assert [table.number for table in await ground.services.clock.put_away()] == [second.number]


@pytest.mark.parametrize("act", [Cancel(), Leave()])
async def test_a_table_that_is_closed_before_the_start_has_drawn_nothing(
    ground: Playground, act: Cancel | Leave
) -> None:
    table = (await ground.act((await ground.lobby(ANN)).number, ANN, act)).table
    assert (table.status, table.entropy) == (CANCELLED, ())
    assert await ground.revision(table.number) == 0
    await refused(ground.services.games.export(table.number), "not-over/seed")

"""Pauses and vacations as the services keep them: what is due moves with them, and all of it outlives the process.

`tests/bot/table/test_pauses.py` and `test_vacation.py` test the rules.
"""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.acts.motions import Propose
from bot.table.options import DAY, DECIDE, REMIND
from bot.table.parts import PAUSE, RESUME
from bot.table.preferences import UserSettings
from bot.table.table import ARCHIVED, Table
from engine.actions import EndTurn, MakeOffer
from engine.game import Game
from engine.resources import single
from tests.bot.playground import ANN, BOB, Playground
from tests.bot.service.tables import HOUR, look, paced, rolled, until, wait_of


async def agree(ground: Playground, number: int, what: str) -> None:
    """Let two of three players propose a motion, so that it holds."""
    for user in (ANN, BOB):
        await ground.act(number, user, Propose(what))


def awaited(table: Table, game: Game) -> int:
    return table.user_at(game, wait_of(table).seat)


@pytest.mark.on_databases
async def test_a_pause_puts_off_what_is_due(ground: Playground) -> None:
    number = (await paced(ground, DECIDE)).number
    revision, before = await ground.revision(number), wait_of(await ground.table(number)).until or 0
    await agree(ground, number, PAUSE)
    await ground.kill()
    await look(ground, 10 * HOUR)
    assert await ground.revision(number) == revision
    await agree(ground, number, RESUME)
    await ground.kill()
    table = await ground.table(number)
    [stop], after = table.stops, wait_of(table).until or 0
    assert after - before == stop.end - stop.begin > 10 * HOUR
    await look(ground, after - ground.clock - 60)
    assert await ground.revision(number) == revision
    await look(ground, 60)
    assert await ground.revision(number) > revision


@pytest.mark.on_databases
async def test_a_vacation_is_stored_and_only_its_used_part_extends_the_time(ground: Playground) -> None:
    number = (await paced(ground, REMIND, int(DAY))).number
    table, game = await ground.table(number), await ground.game(number)
    user, before = awaited(table, game), wait_of(table).until or 0
    await ground.services.absence.leave(user, ground.clock, ground.clock + 5 * DAY)
    away = (await ground.services.people.settings(user)).choices.vacation
    assert away is not None
    await ground.kill()
    ground.clock += 2 * DAY
    await ground.services.absence.back(user)
    await ground.kill()
    back = (await ground.services.people.settings(user)).choices.vacation
    after = await ground.table(number)
    [stop] = after.stops
    assert back is not None
    assert back[0] == away[0] == stop.begin
    assert away[0] + 2 * DAY < back[1] <= stop.end < away[1]
    assert wait_of(after).until == before + stop.end - stop.begin


async def test_a_vacation_goes_on_when_others_act(ground: Playground) -> None:
    table = await paced(ground, REMIND, int(DAY))
    user = awaited(table, await ground.game(table.number))
    await ground.services.absence.leave(user, ground.clock, ground.clock + 5 * DAY)
    before = wait_of(await ground.table(table.number)).until
    ground.clock += DAY
    other = next(one for one in table.users if one != user)
    after = (await ground.act(table.number, other, Propose(PAUSE))).table
    assert wait_of(after).until == before


async def test_a_vacation_counts_once_if_the_players_turn_comes_while_it_is_being_set(
    ground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, game = await rolled(ground, (await paced(ground, REMIND, int(DAY))).number)
    [seat] = game.to_act
    user, change = table.user_at(game, (seat + 1) % 3), ground.store.change_settings

    async def slow(*given: Any) -> UserSettings:
        settings = await change(*given)
        await ground.play(table.number, table.user_at(game, seat), EndTurn())
        return settings

    with monkeypatch.context() as patch:
        patch.setattr(ground.store, "change_settings", slow)
        settings = await ground.services.absence.leave(user, ground.clock, ground.clock + 7 * DAY)
    assert settings.choices.vacation is not None
    assert wait_of(await ground.table(table.number)).until == settings.choices.vacation[1] + DAY


async def test_a_vacation_updates_a_game_only_if_it_shows_the_players_time(ground: Playground) -> None:
    """The time that a player has to answer an offer isn't shown."""
    number = (await paced(ground, REMIND, int(DAY))).number

    def reached(game: Game) -> bool:
        return game.view(None).step.kind == "main" and any(game.state.hands[game.to_act[0]])

    table, game = await until(ground, number, reached)
    [seat], numbers = game.to_act, list[int]()
    kind = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
    await ground.play(number, table.user_at(game, seat), MakeOffer(single(kind), single((kind + 1) % 5)))
    ground.services.repository.subscribe(lambda table: numbers.append(table.number))
    for place, expected in ((seat + 1) % 3, []), (seat, [number]):
        await ground.services.absence.leave(table.user_at(game, place), ground.clock, ground.clock + 5 * DAY)
        assert numbers == expected


async def test_a_paused_game_is_archived_too(ground: Playground) -> None:
    number = (await paced(ground)).number
    await agree(ground, number, PAUSE)
    for days in (28, 4):
        ground.clock += days * DAY
        await ground.services.clock.put_away()
    assert (await ground.table(number)).status == ARCHIVED

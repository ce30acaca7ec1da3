"""The lobby as the services keep it: its channel, the chance of its game, and what is stored.

`tests/bot/table/test_lobby.py` tests who can do what in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bot.projections import COMMITMENT, PANEL, Kind, Name
from bot.table.act import Act
from bot.table.acts.lobby import Cancel, Join, Leave, phrase_digest
from bot.table.acts.options import SetOptions
from bot.table.preferences import PersonalChoices, UserSettings
from bot.table.table import LOBBY
from engine.chance import SeededChance, commitment
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.playground import ANN, BOB, CEM, CHANNEL, DOT, GUILD, Playground
from tests.bot.service.tables import refused


async def test_the_user_who_opens_a_lobby_is_its_host_and_first_member(ground: Playground) -> None:
    table = await ground.services.lobby.new_table(GUILD, CHANNEL, ANN, Join("Ann", color="white", phrase="luck"), "900")
    assert (table.status, table.host, table.users) == (LOBBY, ANN, (ANN,))
    assert table.config.colors == ("white",)
    assert await ground.services.repository.in_channel(CHANNEL) == table
    assert await ground.services.repository.latest(CHANNEL) == table


async def test_the_commitment_is_fixed_before_any_entropy_is_mixed_in(ground: Playground) -> None:
    table = await ground.lobby(ANN)
    assert table.commitment == commitment(await ground.store.seed(table.number), str(table.number))
    assert set(await ground.services.projections.visible(table.number)) == {COMMITMENT, PANEL}
    later = (await ground.act(table.number, BOB, Join("Bob"))).table
    assert later.commitment == table.commitment


@pytest.mark.on_databases
async def test_the_numbers_of_commitments_have_no_gap(
    ground: Playground, record_property: Callable[[str, object], None]
) -> None:
    """So who hosts the bot can't begin many games, and show only one whose dice they like."""
    tables = []
    for n in range(40):
        channel = 60 + n % 7
        tried = [ground.lobby(user, channel=channel) for user in (ANN, BOB)[: 1 + n % 2]]  # both at the same time
        for result in await asyncio.gather(*tried, return_exceptions=True):
            if isinstance(result, RefereeError):
                continue
            assert not isinstance(result, BaseException), result
            tables.append(result)
            if n % 3:
                await ground.act(result.number, result.host, Cancel())
        if n % 10 == 9:
            await ground.kill()
    assert [table.number for table in tables] == [*range(1, len(tables) + 1)]
    for table in tables:
        assert table.commitment == commitment(await ground.store.seed(table.number), str(table.number))
        assert COMMITMENT in await ground.services.projections.visible(table.number)
    assert len({table.commitment for table in tables}) == len(tables)
    record_property("commitments without a gap", len(tables))


async def test_a_second_game_in_the_channel_is_refused(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    await refused(ground.lobby(CEM), "channel-busy/running", number=table.number)
    await ground.lobby(CEM, channel=CHANNEL + 1)  # a thread is a channel
    await refused(ground.lobby(DOT, channel=CHANNEL + 1), "channel-busy/lobby")


async def test_two_users_who_open_at_the_same_time_get_only_one_table(ground: Playground) -> None:
    results = await asyncio.gather(ground.lobby(ANN), ground.lobby(BOB), return_exceptions=True)
    assert [isinstance(result, RefereeError) for result in results].count(True) == 1


@pytest.mark.parametrize("act", [Leave(), Cancel()])
async def test_an_abandoned_or_canceled_lobby_frees_its_channel(ground: Playground, act: Act) -> None:
    number = (await ground.lobby(ANN)).number
    await ground.act(number, ANN, act)
    assert await ground.services.repository.in_channel(CHANNEL) is None
    await refused(ground.game(number), "not-started")
    await ground.lobby(CEM)


async def test_a_game_that_may_not_start_is_not_dealt(ground: Playground) -> None:
    lobby, number = ground.services.lobby, (await ground.lobby(ANN)).number
    await refused(lobby.may_start(number, ANN), "players/few")
    await refused(lobby.start(number, ANN, "c", ground.id()), "players/few")
    assert (await ground.table(number)).status == LOBBY
    assert await ground.revision(number) == 0
    await ground.act(number, BOB, Join("Bob"))
    await refused(lobby.may_start(number, BOB), "not-host/start")
    await lobby.start(number, ANN, "c", ground.id())
    await refused(lobby.start(number, ANN, "d", ground.id()), "not-lobby/running")
    await refused(lobby.may_start(99, ANN), "no-table")
    assert await ground.revision(number) == 1


async def test_chosen_options_are_stored(ground: Playground) -> None:
    number = (await ground.lobby(ANN, BOB)).number
    rules = {"target": 5, "layout": "balanced", "edition": "1996", "shuffle_seats": False, "round_limit": 30}
    chosen = (await ground.act(number, ANN, SetOptions({**rules, "anyone_starts": True, "pace": 3600}))).table
    await ground.kill()
    assert await ground.table(number) == chosen
    await ground.services.lobby.start(number, BOB, "c", ground.id())
    assert (await ground.game(number)).config.target == 5


async def test_the_seed_and_the_mixed_in_entropy_determine_the_game(ground: Playground) -> None:
    await ground.services.lobby.new_table(GUILD, CHANNEL, ANN, Join("Ann", phrase="luck"), "900")
    await ground.services.games.act(1, BOB, Join("Bob"), "901")
    table = (await ground.services.lobby.start(1, ANN, "555", "902")).table
    assert table.entropy == ("900", phrase_digest("luck"), "901", "555")
    chance = SeededChance(await ground.store.seed(1), "1", table.entropy)
    assert (await ground.game(1)).hash() == Game.new(table.config, chance).hash()
    names_due = {name for name, p in (await ground.services.projections.visible(1)).items() if p.due == table.version}
    assert names_due == {PANEL, Name(Kind.HAND, user=ANN), Name(Kind.HAND, user=BOB)}


@pytest.mark.on_databases
async def test_a_repeated_interaction_changes_nothing(ground: Playground) -> None:
    services = ground.services
    table = await services.lobby.new_table(GUILD, CHANNEL, ANN, Join("Ann"), "900")
    assert await services.lobby.new_table(GUILD, CHANNEL, ANN, Join("Ann"), "900") == table
    joined = (await services.games.act(1, BOB, Join("Bob"), "901")).table
    await ground.kill()
    services = ground.services
    assert (await services.games.act(1, BOB, Join("Bob"), "901")).table == joined
    started = (await services.lobby.start(1, ANN, "c", "902")).table
    assert (await services.lobby.start(1, ANN, "d", "902")).table == started
    assert await ground.revision(1) == 1
    again = await asyncio.gather(*(services.people.rename(1, BOB, "Robert") for _ in range(3)))
    assert {t.members[1].name for t in again} == {"Robert"}


async def test_names_are_made_safe_on_joining_and_renaming(ground: Playground) -> None:
    services, raw, safe = ground.services, "[x](http://y.z)\u202e", "xhttp//y.\u2060z"
    table = await services.lobby.new_table(GUILD, CHANNEL, ANN, Join(raw), "900")
    table = (await services.games.act(table.number, BOB, Join(raw), "901")).table
    assert [member.name for member in table.members] == [safe, safe]
    table = (await services.games.act(table.number, BOB, Join("Bob", color="blue"), "902")).table
    table = await services.people.rename(table.number, BOB, raw)
    assert table.members[1].name == safe
    assert await services.people.rename(table.number, BOB, raw + "*") is table  # it reads the same, so nothing changes
    assert await ground.store.table(table.number) == table


async def test_a_refusal_leaves_no_trace(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    before = await ground.store.visible(table.number)
    await refused(ground.services.games.act(table.number, ANN, SetOptions({"target": 99}), "950"), "target")
    assert await ground.store.table(table.number) == table
    assert await ground.store.visible(table.number) == before
    assert await ground.store.interaction("950") is None


@pytest.mark.on_databases
async def test_personal_settings_are_checked_and_stored(ground: Playground) -> None:
    change = ground.services.people.change_settings
    assert await ground.services.people.settings(ANN) == UserSettings(ANN)
    assert await change(ANN, dms_closed=True) == UserSettings(ANN, dms_closed=True)
    chosen = PersonalChoices(building_chosen=True)
    assert await change(ANN, standing=7) == UserSettings(ANN, dms_closed=True, standing=7, choices=chosen)
    assert (await change(ANN, dms=False)).dms_closed
    chosen = PersonalChoices(building_chosen=True, messages=True)
    assert await change(ANN, dms=True) == UserSettings(ANN, standing=7, choices=chosen)  # tries them again
    await refused(change(ANN, standing=21), "standing")
    await ground.kill()
    assert await ground.services.people.settings(ANN) == UserSettings(ANN, standing=7, choices=chosen)

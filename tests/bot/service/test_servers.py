"""Who can open a table on a server, where, and how many: what is refused, and what isn't."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.servers import EVERYBODY, MANAGERS, ROLE, ServerSettings
from bot.service.servers import MOST_OPENED, Asker, check_opening
from bot.table.acts.lobby import AddComputer, Cancel, Join
from bot.table.options import TableOptions
from bot.table.preferences import Look
from engine.actions import Resign
from engine.errors import RefereeError
from tests.bot.playground import ANN, BOB, GUILD, Playground
from tests.bot.store.sample import NEW

HERE, THERE, CAPTAIN = 50, 51, 7
NOW = 1_000.0
ASKER = Asker(ANN, GUILD, HERE)
OLD, JUST = replace(NEW, host=ANN, created=NOW - 60), replace(NEW, host=ANN, created=NOW - 59)
OTHERS = replace(NEW, host=BOB, created=NOW)


@pytest.mark.parametrize(
    ("settings", "asker", "tables", "refused"),
    [
        ({}, {}, [], ""),
        ({}, {}, [OLD, OTHERS], ""),
        ({}, {}, [JUST], "not-opened/pause"),
        ({}, {"since": NOW - 30}, [JUST], ""),
        ({}, {"since": NOW - 90}, [JUST], "not-opened/pause"),
        ({}, {"manages": True}, [JUST], ""),
        ({"pause": 0}, {}, [JUST], ""),
        ({"openers": MANAGERS}, {}, [], "not-opened/managers"),
        ({"openers": MANAGERS}, {"manages": True}, [], ""),
        ({"openers": ROLE, "role": CAPTAIN}, {}, [], "not-opened/role"),
        ({"openers": ROLE, "role": CAPTAIN}, {"roles": frozenset({CAPTAIN})}, [], ""),
        ({"openers": ROLE, "role": GUILD}, {}, [], ""),  # everyone has the role with the server's id
        ({"openers": ROLE, "role": CAPTAIN}, {"manages": True}, [], ""),
        ({"channels": (THERE,)}, {}, [], "not-opened/here"),
        ({"channels": (THERE,)}, {"manages": True}, [], "not-opened/here"),
        ({"channels": (THERE, HERE)}, {}, [], ""),
        ({"most": 2}, {}, [OTHERS], ""),
        ({"most": 2}, {"manages": True}, [OTHERS, OTHERS], "not-opened/full"),
        ({"most_by_person": 1}, {}, [OTHERS], ""),
        ({"most_by_person": 1}, {}, [OLD], "not-opened/yours"),
        ({"most_by_person": 1}, {"since": NOW - 30}, [OLD], "not-opened/yours"),
    ],
)
def test_server_settings_decide_if_a_user_may_open_a_table(
    settings: dict[str, Any], asker: dict[str, Any], tables: list[Any], refused: str
) -> None:
    def check() -> None:
        check_opening(ServerSettings(**{"openers": EVERYBODY, **settings}), replace(ASKER, **asker), tables, NOW)

    if not refused:
        return check()
    with pytest.raises(RefereeError) as caught:
        check()
    assert caught.value.key == refused


def test_a_server_with_more_tables_than_its_managers_now_allow_says_how_many_those_are() -> None:
    with pytest.raises(RefereeError) as caught:
        check_opening(ServerSettings(most=2), ASKER, [OTHERS] * 5, NOW)
    assert caught.value.params == {"n": 2}


@pytest.mark.on_databases
async def test_settings_are_kept_per_server(ground: Playground) -> None:
    servers, lobby = ground.services.servers, ground.services.lobby
    assert await servers.settings(GUILD) == ServerSettings()
    await servers.change(GUILD, most=1, computers=False, channels=(HERE, THERE))
    await ground.kill()
    servers, lobby = ground.services.servers, ground.services.lobby
    assert await servers.settings(GUILD) == ServerSettings(most=1, computers=False, channels=(HERE, THERE))
    assert await servers.settings(GUILD + 1) == ServerSettings()
    table = await lobby.new_table(GUILD, HERE, ANN, Join("Ann"), ground.id(), asker=ASKER)
    bob = Asker(BOB, GUILD, THERE)
    with pytest.raises(RefereeError) as caught:
        await lobby.new_table(GUILD, THERE, BOB, Join("Bob"), ground.id(), asker=bob)
    assert caught.value.key == "not-opened/full"
    with pytest.raises(RefereeError) as caught:
        await lobby.add_computer(table.number, ANN, AddComputer("easy"), ground.id())
    assert caught.value.key == "no-computers"
    await ground.act(table.number, ANN, Cancel())
    await lobby.new_table(GUILD, THERE, BOB, Join("Bob"), ground.id(), asker=bob)


async def refused(ground: Playground, asker: Asker, open: Any = None) -> str:
    """Open a table and cancel it at once. Returns the key of the refusal; empty: it was opened."""
    lobby = ground.services.lobby
    try:
        if open is None:
            table = await lobby.new_table(asker.guild, asker.channel, asker.user, Join("Ann"), ground.id(), asker=asker)
        else:
            table = await open()
    except RefereeError as error:
        return error.key
    await ground.act(table.number, asker.user, Cancel())
    return ""


async def test_a_table_that_was_canceled_counts_for_the_pause(ground: Playground) -> None:
    found = [await refused(ground, ASKER) for _ in range(6)]
    assert found == ["", *["not-opened/pause"] * 5]
    assert await refused(ground, replace(ASKER, user=BOB)) == ""
    assert await refused(ground, replace(ASKER, guild=GUILD + 1, channel=THERE)) == ""
    ground.clock += 60
    assert await refused(ground, ASKER) == ""


async def test_a_manager_waits_only_after_a_canceled_table(ground: Playground) -> None:
    manager = replace(ASKER, manages=True)
    table = await ground.services.lobby.new_table(GUILD, HERE, ANN, Join("Ann"), ground.id(), asker=manager)
    await ground.act(table.number, BOB, Join("Bob"))
    await ground.services.lobby.start(table.number, ANN, "closing", ground.id())
    await ground.play(table.number, BOB, Resign())
    assert [await refused(ground, manager), await refused(ground, manager)] == ["", "not-opened/pause"]


async def test_a_rematch_needs_no_pause_after_its_game_but_after_another_rematch(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    await ground.play(table.number, BOB, Resign())

    async def again() -> Any:
        return await ground.services.lobby.rematch(table.number, ANN, ground.id(), ASKER)

    assert [await refused(ground, ASKER, again) for _ in range(3)] == ["", "not-opened/pause", "not-opened/pause"]


async def test_managers_open_many_tables_but_also_wait_after_one_that_was_canceled(ground: Playground) -> None:
    def manager(channel: int) -> Asker:
        return replace(ASKER, manages=True, channel=channel)

    async def open_in(channel: int) -> Any:
        asker = manager(channel)
        return await ground.services.lobby.new_table(GUILD, channel, ANN, Join("Ann"), ground.id(), asker=asker)

    for channel in range(100, 118):
        await open_in(channel)
    assert await refused(ground, manager(118)) == ""
    assert await refused(ground, manager(118)) == "not-opened/pause"
    ground.clock += 60
    await open_in(118)
    with pytest.raises(RefereeError) as caught:  # the 21st within an hour
        await open_in(119)
    assert caught.value.key == "not-opened/pause"
    ground.clock += 3600
    await open_in(119)


async def test_what_was_opened_before_the_clock_was_set_back_keeps_no_one_waiting(ground: Playground) -> None:
    for channel in range(100, 100 + MOST_OPENED):
        await refused(ground, replace(ASKER, channel=channel))
        ground.clock += 60
    assert await refused(ground, ASKER) == "not-opened/pause"
    ground.clock -= 24 * 3600
    assert await refused(ground, ASKER) == ""


async def test_tables_opened_at_the_same_moment_count(ground: Playground) -> None:
    askers = [replace(ASKER, channel=channel) for channel in range(50, 56)]
    found = await asyncio.gather(*(refused(ground, asker) for asker in askers))
    assert found.count("") == 1


@pytest.mark.on_databases
async def test_tables_begin_as_the_server_has_stored_it_and_another_process_sees_it(ground: Playground) -> None:
    servers, lobby = ground.services.servers, ground.services.lobby
    before = await lobby.new_table(GUILD, HERE, ANN, Join("Ann"), ground.id())
    await servers.begin_with(GUILD, {"scenario": "big-island", "option.harbors": "wool", "target": 7})
    await servers.begin_with(GUILD, {"pace": 3600, "look": Look(dark=True), "fixed": ("pace", "target")})
    with pytest.raises(RefereeError):
        await servers.begin_with(GUILD, {"target": 99, "pace": 0})
    await ground.kill()
    servers, lobby = ground.services.servers, ground.services.lobby
    table = await lobby.new_table(GUILD, THERE, ANN, Join("Ann"), ground.id())
    stored = await ground.services.repository.table(table.number)
    assert (stored.config.scenario, stored.config.option("harbors", "")) == ("big-island", "wool")
    assert (stored.config.target, stored.options) == (7, TableOptions(3600, look=Look(dark=True)))
    assert stored.fixed == ("target", "pace")
    assert await ground.services.repository.table(before.number) == before
    elsewhere = await lobby.new_table(GUILD + 1, THERE + 1, ANN, Join("Ann"), ground.id())
    assert (elsewhere.config.target, elsewhere.options, elsewhere.fixed) == (10, TableOptions(), ())
    direct = await lobby.new_table(None, THERE + 2, ANN, Join("Ann"), ground.id())
    assert direct.options == TableOptions()

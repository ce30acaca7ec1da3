"""The lobby: joining, colours, options, start, and every refusal with its sentence."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from bot.projections import COMMITMENT, PANEL, hand_name
from bot.service.games import Done
from bot.table.acts.lobby import Cancel, Join, Leave
from bot.table.acts.options import SetOptions
from bot.table.lobby import digest
from bot.table.preferences import Choices, UserSettings
from bot.table.table import CANCELLED, LOBBY, RUNNING
from engine.chance import SeededChance, commitment
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.playground import ANN, BOB, CEM, CHANNEL, DOT, GUILD, Playground
from tests.bot.service.tables import refused


async def test_the_host_joins_by_opening(ground: Playground) -> None:
    table = await ground.services.lobby.new_table(GUILD, CHANNEL, ANN, Join("Ann", color="white", phrase="luck"), "900")
    assert (table.status, table.host, table.users) == (LOBBY, ANN, (ANN,))
    assert table.config.colors == ("white",)
    assert await ground.services.repository.in_channel(CHANNEL) == table
    assert await ground.services.repository.latest(CHANNEL) == table


async def test_the_commitment_stands_before_anything_is_mixed_in(ground: Playground) -> None:
    table = await ground.lobby(ANN)
    assert table.commitment == commitment(await ground.store.seed(table.number), str(table.number))
    assert set(await ground.services.projections.visible(table.number)) == {COMMITMENT, PANEL}
    later = (await ground.act(table.number, BOB, Join("Bob"))).table
    assert later.commitment == table.commitment


async def test_a_second_game_in_the_channel_is_refused(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB)
    await refused(ground.lobby(CEM), "channel-busy", f"Game {table.number} is being played")
    await ground.lobby(CEM, channel=CHANNEL + 1)  # a thread is a channel
    await refused(ground.lobby(DOT, channel=CHANNEL + 1), "channel-busy", "waiting for players")


async def test_two_who_open_at_once_get_one_table(ground: Playground) -> None:
    results = await asyncio.gather(ground.lobby(ANN), ground.lobby(BOB), return_exceptions=True)
    assert [isinstance(result, RefereeError) for result in results].count(True) == 1


async def test_colours_are_asked_for_or_given(ground: Playground) -> None:
    services = ground.services
    table = await ground.lobby(ANN, BOB)
    assert table.config.colors == ("red", "blue")
    table = (await services.games.act(table.number, CEM, Join("Cem", color="red"), ground.id())).table
    assert table.config.colors == ("white", "blue", "red")  # who asked for none makes room
    await refused(
        services.games.act(table.number, DOT, Join("Dot", color="red"), ground.id()), "color-taken", "taken by Cem"
    )
    await refused(
        services.games.act(table.number, DOT, Join("Dot", color="pink"), ground.id()), "color", "choose from red"
    )
    table = (await services.games.act(table.number, ANN, Join("Ann", color="teal"), ground.id())).table
    assert table.config.colors == ("teal", "blue", "red")
    assert table.users == (ANN, BOB, CEM)


async def test_a_full_table_is_refused(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB, CEM, DOT)
    await refused(ground.act(table.number, 15, Join("Eve")), "full", "All 4 places")


async def test_a_phrase_is_one_line(ground: Playground) -> None:
    table = await ground.lobby(ANN)
    for phrase in ("x" * 101, "a\nb", "\ud800"):
        await refused(ground.act(table.number, BOB, Join("Bob", phrase=phrase)), "phrase")
    table = (await ground.act(table.number, BOB, Join("Bob", phrase="ünï 👩‍👩‍👧 ok"))).table
    assert table.members[1].phrase == "ünï 👩‍👩‍👧 ok"


async def test_who_leaves_hands_the_table_on(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    await refused(ground.act(table.number, CEM, Leave()), "not-member")
    table = (await ground.act(table.number, ANN, Leave())).table
    assert (table.host, table.users) == (BOB, (BOB,))
    table = (await ground.act(table.number, BOB, Leave())).table
    assert table.status == CANCELLED
    assert await ground.services.repository.in_channel(CHANNEL) is None
    await ground.lobby(CEM)


async def test_options_are_checked_as_they_are_chosen(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    number = table.number

    def choose(number: int, user: int, interaction: str, **changes: Any) -> Awaitable[Done]:
        return ground.act(number, user, SetOptions(changes), interaction)

    await refused(choose(number, BOB, ground.id(), target=5), "not-host", "Ann")
    await refused(choose(number, CEM, ground.id(), target=5), "not-member")
    await refused(choose(number, ANN, ground.id(), target=21), "target")
    await refused(choose(number, ANN, ground.id(), scenario="moon"), "scenario")
    await refused(choose(number, ANN, ground.id(), edition="1890"), "edition")
    await refused(choose(number, ANN, ground.id(), layout="heap"), "layout")
    await refused(choose(number, ANN, ground.id(), variants=["flying"]), "variant")
    await refused(choose(number, ANN, ground.id(), **{"option.a": "b"}), "option")
    await refused(choose(number, ANN, ground.id(), round_limit=-1), "round_limit")
    assert await ground.table(number) == table
    rules = {"target": 5, "layout": "balanced", "edition": "1996", "shuffle_seats": False, "round_limit": 30}
    table = (await choose(number, ANN, ground.id(), **rules, anyone_starts=True)).table
    config = table.config
    assert (config.target, config.layout, config.edition) == (5, "balanced", "1996")
    assert (config.shuffle_seats, config.round_limit, table.anyone_starts) == (False, 30, True)
    table = (await choose(number, ANN, ground.id(), scenario="beginner")).table
    assert table.config.layout == "spiral"  # the fixed board knows no other
    assert "red" not in table.config.colors  # B7: not with fewer than four
    ground.services.repository.drop_cache()
    assert await ground.table(number) == table


async def test_the_wrong_number_of_players_is_a_sentence(ground: Playground) -> None:
    table = await ground.lobby(ANN)
    await refused(
        ground.services.lobby.may_start(table.number, ANN), "players", "You need at least 2 players to start."
    )
    await refused(
        ground.services.lobby.start(table.number, ANN, "c", ground.id()),
        "players",
        "You need at least 2 players to start.",
    )
    assert (await ground.table(table.number)).status == LOBBY
    assert await ground.revision(table.number) == 0


async def test_who_may_start(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    await refused(ground.services.lobby.may_start(table.number, BOB), "not-host")
    await refused(ground.services.lobby.may_start(table.number, CEM), "not-member")
    await ground.act(table.number, ANN, SetOptions({"anyone_starts": True}))
    table = (await ground.services.lobby.start(table.number, BOB, "c", ground.id())).table
    assert table.status == RUNNING


async def test_what_was_mixed_in_makes_the_game(ground: Playground) -> None:
    await ground.services.lobby.new_table(GUILD, CHANNEL, ANN, Join("Ann", phrase="luck"), "900")
    await ground.services.games.act(1, BOB, Join("Bob"), "901")
    table = (await ground.services.lobby.start(1, ANN, "555", "902")).table
    assert table.entropy == ("900", digest("luck"), "901", "555")
    chance = SeededChance(await ground.store.seed(1), "1", table.entropy)
    assert (await ground.game(1)).hash() == Game.new(table.config, chance).hash()
    due = {name for name, p in (await ground.services.projections.visible(1)).items() if p.due == table.version}
    assert due == {PANEL, hand_name(ANN), hand_name(BOB)}


async def test_a_started_game_is_no_lobby(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB)).number
    services = ground.services
    await refused(services.games.act(number, CEM, Join("Cem"), ground.id()), "not-lobby", "has begun")
    await refused(services.games.act(number, ANN, Leave(), ground.id()), "not-lobby")
    await refused(services.games.act(number, ANN, SetOptions({"target": 4}), ground.id()), "not-lobby")
    await refused(services.games.act(number, ANN, Cancel(), ground.id()), "not-lobby")
    await refused(services.lobby.start(number, ANN, "c", ground.id()), "not-lobby")
    await refused(services.lobby.rematch(number, ANN, ground.id()), "not-over")
    await refused(services.repository.table(99), "no-table")


async def test_cancelling_is_for_the_host(ground: Playground) -> None:
    number = (await ground.lobby(ANN, BOB)).number
    await refused(ground.act(number, BOB, Cancel()), "not-host")
    assert ((await ground.act(number, ANN, Cancel())).table).status == CANCELLED
    await refused(ground.act(number, CEM, Join("Cem")), "not-lobby", "cancelled")
    await refused(ground.game(number), "not-started")


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


async def test_every_name_is_safe_from_the_start(ground: Playground) -> None:
    services, raw, safe = ground.services, "[x](http://y.z)\u202e", "xhttp//y.z"
    table = await services.lobby.new_table(GUILD, CHANNEL, ANN, Join(raw), "900")
    table = (await services.games.act(table.number, BOB, Join(raw), "901")).table
    assert [member.name for member in table.members] == [safe, safe]
    table = (await services.games.act(table.number, BOB, Join("Bob", color="blue"), "902")).table
    table = await services.people.rename(table.number, BOB, raw)
    assert table.members[1].name == safe
    assert await services.people.rename(table.number, BOB, raw + "*") is table  # the same to all who read it
    assert await ground.store.table(table.number) == table


async def test_a_refusal_leaves_no_trace(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    before = await ground.store.visible(table.number)
    await refused(ground.services.games.act(table.number, ANN, SetOptions({"target": 99}), "950"), "target")
    assert await ground.store.table(table.number) == table
    assert await ground.store.visible(table.number) == before
    assert await ground.store.interaction("950") is None


@pytest.mark.on_databases
async def test_personal_settings(ground: Playground) -> None:
    change = ground.services.people.change_settings
    assert await ground.services.people.settings(ANN) == UserSettings(ANN)
    assert await change(ANN, dms_closed=True) == UserSettings(ANN, dms_closed=True)
    chosen = Choices(building_chosen=True)
    assert await change(ANN, standing=7) == UserSettings(ANN, dms_closed=True, standing=7, choices=chosen)
    assert (await change(ANN, dms=False)).dms_closed
    chosen = Choices(building_chosen=True, messages=True)
    assert await change(ANN, dms=True) == UserSettings(ANN, standing=7, choices=chosen)  # another try
    await refused(change(ANN, standing=21), "standing")
    await ground.kill()
    assert await ground.services.people.settings(ANN) == UserSettings(ANN, standing=7, choices=chosen)

"""The files that 0.2.0 and 0.3.0 made (`tests/bot/files/record.py`): everything left open in them still holds and can
go on."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot import export
from bot.export import dump, load
from bot.servers import ROLE, ServerSettings
from bot.table.acts.lobby import Join
from bot.table.acts.motions import Agree, Propose
from bot.table.acts.places import VoidGame
from bot.table.acts.seats import ReturnToSeat, TakeSeat
from bot.table.options import DECIDE, HIDDEN, LIVE, VOTE
from bot.table.orders import Orders
from bot.table.parts import PACE, RESUME
from bot.table.preferences import Look, PersonalChoices, UserSettings
from bot.table.table import CANCELLED, LOBBY, OVER, RUNNING
from engine.actions import DecideFor
from engine.record import REFEREE
from tests.bot.old_files import opened
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, FAY, GUILD, NAMES, Playground
from tests.bot.service.tables import HOUR, look

HASHES = {
    1: "fed296c7c7511d8b8e3151ae68bf6d28ee64a3fb5b86643f2fe0c8c08af51c29",
    2: "208bad54df7262a05f850e9eeeb4d838ab9a76aecf5b657b6952e5034eec2876",
    3: "a6f82aa056baeee702f253f754c8b645d14a50863941c50a92f1262d5f3bf2a3",
    6: "902e6d4ba63845e1188f7dc20f7eac7ad3fa0b99d760b46c860e39afc9de0ffb",
    7: "62ac3e06c87eb3af45b342e24ef520f48ac3ae59f6a8eb1b47b7ee625499dea3",
    8: "bc18adbce927e04cd1c13cf8d0827dc5158c4e328f50a310b996961ae3ea77c3",
}
"""Hashes of the positions by game, as both releases gave them when they made the files; 4 is a lobby, 5 a canceled
one."""
STATUS = [OVER, RUNNING, RUNNING, LOBBY, CANCELLED, RUNNING, RUNNING, OVER]
MADE = 1_000_500.0
"""Soon after the file was made, in seconds since the epoch."""


@pytest_asyncio.fixture(params=["0.2.0", "0.3.0"])
async def last(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Playground]:
    async with opened(tmp_path, request.param, MADE) as ground:
        yield ground


@pytest_asyncio.fixture
async def newest(tmp_path: Path) -> AsyncIterator[Playground]:
    async with opened(tmp_path, "0.3.0", MADE) as ground:
        yield ground


async def test_games_of_the_last_release_are_unchanged(last: Playground) -> None:
    assert {number: (await last.game(number)).hash() for number in HASHES} == HASHES
    assert [(await last.table(number)).status for number in range(1, 9)] == STATUS


async def test_games_of_the_last_release_can_be_played_to_the_end(last: Playground) -> None:
    rng = random.Random(4)
    await last.act(6, EVE, ReturnToSeat())
    for user in (ANN, BOB):
        await last.act(7, user, Propose(RESUME))
    for number in (2, 3, 6, 7):
        for _ in range(40):
            if (await last.game(number)).outcome is None:
                await last.step(number, rng)
        if (await last.game(number)).outcome is None:
            await last.act(number, CEM, VoidGame("Mod"))
    for number in HASHES:
        exported = load(dump(await last.services.games.export(number)))
        assert export.verified(exported).hash() == (await last.game(number)).hash()


async def test_peoples_settings_and_autopilots_still_hold(last: Playground) -> None:
    settings = last.services.people.settings
    quiet = PersonalChoices(messages=False, look=Look(dark=True), ask_to_end=False, listed=False)
    assert await settings(ANN) == UserSettings(ANN, choices=quiet)
    bob, cem = await settings(BOB), await settings(CEM)
    assert (bob.standing, bob.choices.building, bob.choices.reminders) == (9, ("city",), "never")
    assert (cem.dms_closed, cem.choices.zone, cem.choices.quiet) == (True, "Europe/Berlin", (22, 7))
    assert (await settings(DOT)).dms
    assert (await settings(DOT)).choices.direct == 404
    orders = Orders(ANN, roll=True, end=True, keep=(0, 3), never=(1,), refused=(CEM,), least=2)
    assert replace(await last.services.orders.of(2, ANN), few=orders.few) == orders
    board = await last.services.ratings.leaderboard(1, ANN)
    assert [line.profile.name for line in board.lines] == ["Cem", "Dot", "Bob"]
    assert board.own is not None


async def test_a_servers_settings_still_hold(last: Playground) -> None:
    settings = ServerSettings(openers=ROLE, role=7, channels=(4, 5), most_by_person=2, pause=300)
    assert replace(await last.services.servers.settings(GUILD), forum=0, web=settings.web) == settings
    overview = await last.services.servers.overview(GUILD)
    assert overview is not None
    assert (overview.channel, overview.message) == (5, 55)


async def test_open_proposals_seat_offers_and_lobbies_can_go_on(last: Playground) -> None:
    for user in (ANN, BOB):
        await last.act(2, user, Agree(PACE))
    table = await last.table(2)
    assert (table.options.pace, table.options.expiry, len(table.wishes)) == (HOUR, VOTE, 1)
    table = (await last.act(6, FAY, TakeSeat("Fay", 3))).table
    assert table.users == (ANN, BOB, CEM, FAY, EVE)
    lobby = await last.table(4)
    assert (lobby.options.pace, lobby.options.expiry, lobby.options.leave) == (HOUR, VOTE, 3)
    assert lobby.options.rooms
    assert ((await last.services.lobby.start(4, ANN, "closing-4", last.id())).table).status == RUNNING


async def test_running_times_and_windows_still_run_out(last: Playground) -> None:
    """When time runs out, the plainest move is made for a decision, and the referee closes a window (L8)."""
    assert (await last.table(2)).options.expiry == DECIDE
    await last.services.clock.start()
    try:
        for _ in range(3):
            await look(last, 100_000.0)
    finally:
        await last.services.clock.close()
    assert any(isinstance(record.action, DecideFor) for record in (await last.game(2)).records)
    assert (await last.table(2)).missed
    window = await last.game(3)
    assert any(record.actor == REFEREE for record in window.records[-3:])
    assert window.hash() != HASHES[3]


async def test_what_0_3_0_brought_still_holds(newest: Playground) -> None:
    choices = (await newest.services.people.settings(EVE)).choices
    assert (choices.in_words, choices.offer_pings, choices.ask_to_buy) == (True, False, True)
    assert (await newest.services.people.settings(DOT)).choices.building_offered
    assert (await newest.services.orders.of(2, ANN)).few == 3
    settings = await newest.services.servers.settings(GUILD)
    assert (settings.forum, settings.web, (await newest.table(4)).options.web) == (77, HIDDEN, LIVE)
    rematch = await newest.table(9)
    assert (rematch.host, [guest.user for guest in rematch.invited]) == (BOB, [ANN, CEM, DOT])
    for user in (ANN, CEM, DOT):
        await newest.act(9, user, Join(NAMES[user]))
    assert (await newest.services.lobby.start(9, BOB, "closing-9", newest.id())).table.status == RUNNING


async def test_a_first_game_of_0_3_0_goes_on(newest: Playground) -> None:
    table, game = await newest.table(10), await newest.game(10)
    assert table.lesson
    assert [member.level for member in table.members] == ["", "easy", "easy", "easy"]
    assert game.hash() == "9f00e4a12860bcaa50eed788fd2f5cd050e98734de08d50633519e18e2709ba2"
    await newest.step(10, random.Random(4))
    assert (await newest.game(10)).revision > game.revision

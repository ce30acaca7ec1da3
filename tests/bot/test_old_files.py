"""The file that 0.1.0 made: it opens, and its games are unchanged and can go on."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

from bot import verify
from bot.discord.show.pictures import Pictures
from bot.export import dump, load
from bot.metrics import Metrics
from bot.screens.viewer import Viewer
from bot.table.acts.lobby import Join
from bot.table.acts.places import CallItOff
from bot.table.table import CANCELLED, LOBBY, OVER, RUNNING
from bot.workers import Worker
from tests.bot.old_files import HASHES
from tests.bot.playground import ANN, BOB, CEM, Playground, do_due


async def test_old_games_are_unchanged(old: Playground) -> None:
    assert {number: (await old.game(number)).hash() for number in HASHES} == HASHES
    tables = [await old.table(number) for number in await old.store.numbers()]
    assert [t.status for t in tables] == [OVER, RUNNING, RUNNING, LOBBY, CANCELLED, RUNNING]
    assert all(t.ended_by is None and t.warned is None for t in tables)
    bob = await old.services.people.settings(BOB)
    assert (bob.standing, bob.called_from) == (6, 6)


async def test_old_games_can_be_played_to_the_end(old: Playground) -> None:
    rng = random.Random(4)
    await old.services.clock.start()
    await old.services.clock.close()
    for number in (2, 3, 6):
        for _ in range(150):
            if (await old.game(number)).outcome is None:
                await old.step(number, rng)
        if (await old.game(number)).outcome is None:
            await old.act(number, CEM, CallItOff("Mod"))
    for number in HASHES:
        exported = load(dump(await old.services.games.export(number)))
        assert verify.check(exported).hash() == (await old.game(number)).hash()


async def test_players_who_chose_nothing_are_no_longer_called_to_build_in_old_games(old: Playground) -> None:
    """J2: players who have chosen nothing are called only if they ask, even in a game from when all were called."""
    assert (await old.game(6)).state.standing == [4, 4, 6, 4, 4, 4]
    await do_due(old.services)
    game, table = await old.game(6), await old.table(6)
    assert game.state.standing == [6 if table.user_at(game, seat) == BOB else 0 for seat in range(6)]


async def test_old_games_have_stats_now_and_at_their_ends(old: Playground) -> None:
    """The game that is over has stats, and so do the running ones, now and at their ends."""
    pictures, rng = Pictures(Metrics(), Worker()), random.Random(5)

    async def told(number: int) -> str:
        viewer = Viewer(await old.table(number), await old.game(number))
        picture = await pictures.figures(viewer)
        assert picture is not None
        assert picture.data.startswith(b"\x89PNG")
        return picture.alt

    assert " won in turn " in await told(1)
    for number in (2, 3, 6):
        assert (await told(number)).startswith("Turn ")
        for _ in range(40):
            if (await old.game(number)).outcome is None:
                await old.step(number, rng)
        if (await old.game(number)).outcome is None:
            await old.act(number, CEM, CallItOff("Mod"))
        assert (await told(number)).startswith("The end in turn ") or " won in turn " in await told(number)


async def test_an_old_lobby_can_be_joined_and_started(old: Playground) -> None:
    table = (await old.act(4, CEM, Join("Cem"))).table
    table = (await old.services.lobby.start(4, table.host, "closing-4", old.id())).table
    assert table.status == RUNNING
    await old.step(4, random.Random(1))


async def test_all_references_in_the_migrated_database_are_valid(old: Playground) -> None:
    """The migrations rebuilt a table of the database: all references to it are still valid."""
    await old.close()
    with closing(sqlite3.connect(old.path)) as sql:
        assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    await old.open()
    assert (await old.lobby(ANN, channel=99)).number == 7

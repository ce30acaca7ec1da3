"""The file that 0.1.0 made: it opens, and its games are unchanged and can go on. Then a file of what was shown when
states had no names."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest_asyncio

from bot import export
from bot.discord.show.pictures import Pictures
from bot.discord.show.round import is_owed, last_notified
from bot.export import dump, load
from bot.metrics import Metrics
from bot.projections import CLOSING, COMMITMENT, PANEL, SEED, Kind, Name, Projections, State, of_kind
from bot.screens.viewer import Viewer
from bot.table.acts.lobby import Join
from bot.table.acts.places import VoidGame
from bot.table.table import CANCELLED, LOBBY, OVER, RUNNING
from bot.tasks import Worker
from tests.bot.old_files import HASHES, opened
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
        for _ in range(40):
            if (await old.game(number)).outcome is None:
                await old.step(number, rng)
        if (await old.game(number)).outcome is None:
            await old.act(number, CEM, VoidGame("Mod"))
    for number in HASHES:
        exported = load(dump(await old.services.games.export(number)))
        assert export.verified(exported).hash() == (await old.game(number)).hash()


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
        for _ in range(20):
            if (await old.game(number)).outcome is None:
                await old.step(number, rng)
        if (await old.game(number)).outcome is None:
            await old.act(number, CEM, VoidGame("Mod"))
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


# --- what was shown when states had no names yet

HASHES_SHOWN = {
    1: "66d4d41c0def2765d15a125205ca9eb6f42366808b416510e785eee1daab44f8",  # over
    3: "18d66d343b159941df282c64b766f3874ff2d2e22fa08c7dae59fe20c0741598",  # a turn that was ended, undone and ended
    4: "99a416ec4067160c79f54028e3a12d7d41472c371fd1d2b299e738e0a3806446",  # an open offer
}
"""Hashes of the positions by game; 2 is the lobby of a rematch."""
FIRST = 1_456_074_443_980_800_032
"""The first of four people. The fourth can't be reached by direct message."""


@pytest_asyncio.fixture
async def shown(quick_path: Path) -> AsyncIterator[Playground]:
    """A playground on the file, soon after it was made."""
    async with opened(quick_path, "0.2.0-shown", 1_767_269_300.0) as ground:
        yield ground


async def test_what_was_shown_has_its_state(shown: Playground) -> None:
    over, lobby, running, trading = [await shown.store.visible(number) for number in (1, 2, 3, 4)]

    def states(projections: Projections, kind: Kind) -> dict[str | int, State]:
        return {one.name.key or one.name.user - FIRST: one.state for one in of_kind(projections, kind)}

    for projections, stages in ((over, ["end"]), (lobby, ["lobby"]), (running, ["16", "17"]), (trading, ["2"])):
        assert states(projections, Kind.TURN) == dict.fromkeys(stages, State.POSTED)
        assert projections[PANEL].posted == projections[Name(Kind.TURN, stages[-1])].posted
        assert projections[COMMITMENT].state is State.POSTED
        assert [one.state for one in of_kind(projections, Kind.TAG)] == [State.COVERED]
    assert (over[SEED].state, over[CLOSING].state) == (State.POSTED, State.POSTED)
    assert states(lobby, Kind.PING) == {"invite": State.POSTED}
    assert states(trading, Kind.PING) == {"offer.1": State.POSTED}
    assert states(running, Kind.HAND) == {0: State.POSTED, 1: State.POSTED, 2: State.POSTED, 3: State.COVERED}
    assert states(running, Kind.TOLD) == {"turn.14": State.POSTING, "turn.16": State.POSTED, "turn.17": State.POSTED}
    assert states(running, Kind.UNREACHED) == {3: State.COVERED}, "the channel has called them"
    assert states(over, Kind.HAND) == {0: State.WANTED, 1: State.WANTED, 2: State.POSTED, 3: State.WANTED}
    table, first = await shown.table(3), running[Name(Kind.TURN, "17")]
    topic, late = f"turn:17.{table.channel}", Name(Kind.PING, "turn:17.late")
    last = last_notified(running, topic, FIRST)
    assert last is not None
    assert first.place is not None
    assert last < first.place.message, "the message of the turn's first beginning is gone"
    assert is_owed(running, topic, FIRST, late)
    assert {name for name, one in trading.items() if one.pending} == {Name(Kind.HAND, user=FIRST + n) for n in range(3)}


async def test_games_of_which_that_was_shown_go_on(shown: Playground) -> None:
    assert {number: (await shown.game(number)).hash() for number in HASHES_SHOWN} == HASHES_SHOWN
    rng = random.Random(4)
    for number in (3, 4):
        for _ in range(150):
            if (await shown.game(number)).outcome is None:
                await shown.step(number, rng)
        assert (await shown.store.visible(number))[PANEL].pending
    await shown.services.lobby.start(2, FIRST, "closing-2", shown.id())
    await shown.step(2, rng)

"""What earlier versions noted about what is shown: a name as text, and a state that followed from empty columns."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from bot.projections import (
    CLOSED_THREAD,
    CLOSING,
    COMMITMENT,
    FILM,
    LEFT,
    PANEL,
    SEARCH,
    SEED,
    TROUBLE,
    Kind,
    Name,
    Place,
    Projection,
    State,
)
from bot.servers import Overview
from bot.settings import NotNow, StoreAddress
from bot.store import open_store
from bot.store.postgresql.database import numbered
from tests.bot.store.before import make_file, make_tables
from tests.postgres import NewDatabase

GAME = (
    "INSERT INTO games (number, run, guild, channel, status, host, anyone_starts, config, seed, commitment, entropy,"
    " version, created, updated) VALUES (?, 'discord', 1, ?, 'running', 11, 1, '{}', ?, '', '', 9, 0, 0)"
)
NOTE = "INSERT INTO projections (game, what, due, shown, channel, message) VALUES (?, ?, ?, ?, ?, ?)"
Row = tuple[str, int, int, int | None, int | None]
"""A row of the old table, but for its game."""
Rows = list[tuple[str, list[tuple[Any, ...]]]]
"""Statements with the values of their rows."""

HERE, BY_DM = Place(5, 70), Place(6, 71)
NOTHING = (None, None)
TURN, LATE, ROLL = Name(Kind.TURN, "17"), Name(Kind.PING, "turn:17.late"), "roll.17.0"
IDLE, TAG = Name(Kind.IDLE, "1700000000"), Name(Kind.TAG, "running")
HAND, REMINDER, ROOM, UNREACHED = (
    Name(kind, user=11) for kind in (Kind.HAND, Kind.REMINDER, Kind.ROOM, Kind.UNREACHED)
)
FOUND: list[tuple[Row, Projection]] = [
    # what all see
    (("panel", 9, 0, *NOTHING), Projection(PANEL, State.WANTED, 9, 0)),
    (("panel", 9, 9, *NOTHING), Projection(PANEL, State.COVERED, 9, 9)),
    (("panel", 9, 8, 5, 70), Projection(PANEL, State.POSTED, 9, 8, HERE)),
    (("commitment", 1, 1, *NOTHING), Projection(COMMITMENT, State.POSTING, 1, 1)),
    (("commitment", 1, 1, 5, 70), Projection(COMMITMENT, State.POSTED, 1, 1, HERE)),
    (("closing", 4, 4, 5, 70), Projection(CLOSING, State.POSTED, 4, 4, HERE)),
    (("seed", 9, 0, *NOTHING), Projection(SEED, State.WANTED, 9, 0)),
    (("seed", 9, 9, 5, 70), Projection(SEED, State.POSTED, 9, 9, HERE)),
    (("film", 9, 0, *NOTHING), Projection(FILM, State.WANTED, 9, 0)),
    (("turn:17", 8, 8, *NOTHING), Projection(TURN, State.POSTING, 8, 8)),
    (("turn:17", 8, 7, *NOTHING), Projection(TURN, State.POSTING, 8, 7)),  # a backup was restored
    (("turn:17", 8, 9, 5, 70), Projection(TURN, State.POSTED, 8, 9, HERE)),
    (("turn:lobby", 1, 1, 5, 70), Projection(Name(Kind.TURN, "lobby"), State.POSTED, 1, 1, HERE)),
    (("ping:turn:17.late", 8, 8, *NOTHING), Projection(LATE, State.POSTING, 8, 8)),
    (("ping:turn:17.late", 8, 8, 5, None), Projection(LATE, State.COVERED, 8, 8, Place(5))),
    (("ping:turn:17.late", 8, 8, 5, 70), Projection(LATE, State.POSTED, 8, 8, HERE)),
    (("idle:1700000000", 8, 8, *NOTHING), Projection(IDLE, State.POSTING, 8, 8)),
    (("idle:1700000000", 8, 8, 5, 70), Projection(IDLE, State.POSTED, 8, 8, HERE)),
    # what is for one person alone
    (("hand:11", 9, 0, *NOTHING), Projection(HAND, State.WANTED, 9, 0)),
    (("hand:11", 9, 9, *NOTHING), Projection(HAND, State.COVERED, 9, 9)),  # they get none
    (("hand:11", 9, 8, 6, 71), Projection(HAND, State.POSTED, 9, 8, BY_DM)),
    (("reminder:11", 9, 0, *NOTHING), Projection(REMINDER, State.WANTED, 9, 0)),
    (("reminder:11", 9, 9, *NOTHING), Projection(REMINDER, State.COVERED, 9, 9)),  # another game's mentions this one
    (("reminder:11", 9, 9, 6, 71), Projection(REMINDER, State.POSTED, 9, 9, BY_DM)),
    (("trouble", 9, 9, *NOTHING), Projection(TROUBLE, State.POSTING, 9, 9)),
    (("trouble", 9, 9, 5, None), Projection(TROUBLE, State.COVERED, 9, 9, Place(5))),  # no one can be told
    (("trouble", 9, 9, 6, 71), Projection(TROUBLE, State.POSTED, 9, 9, BY_DM)),
    # what must be known besides
    (("asked:11:roll.17.0", 9, 9, *NOTHING), Projection(Name(Kind.TOLD, ROLL, 11), State.POSTING, 9, 9)),
    (("asked:11:roll.17.0", 9, 9, 6, 71), Projection(Name(Kind.TOLD, ROLL, 11), State.POSTED, 9, 9, BY_DM)),
    (("asked:11:", 9, 9, 6, 71), Projection(Name(Kind.TOLD, "", 11), State.POSTED, 9, 9, BY_DM)),
    (("closed:11", 9, 9, *NOTHING), Projection(UNREACHED, State.WANTED, 9, 9)),
    (("closed:11", 9, 9, 5, None), Projection(UNREACHED, State.COVERED, 9, 9, Place(5))),
    (("closed:11", 9, 9, 5, 70), Projection(UNREACHED, State.POSTED, 9, 9, HERE)),
    (("room:11", 9, 9, *NOTHING), Projection(ROOM, State.POSTING, 9, 9)),
    (("room:11", 9, 9, 8, None), Projection(ROOM, State.POSTED, 9, 9, Place(8))),
    (("tag:running", 9, 9, 5, None), Projection(TAG, State.COVERED, 9, 9, Place(5))),
    (("barred:left", 9, 9, *NOTHING), Projection(LEFT, State.COVERED, 9, 9)),
    (("barred:thread", 9, 9, *NOTHING), Projection(CLOSED_THREAD, State.COVERED, 9, 9)),
    (("search", 9, 8, *NOTHING), Projection(SEARCH, State.WANTED, 9, 8)),
    (
        ("notified:70:turn:17.5:11", 9, 9, *NOTHING),
        Projection(Name(Kind.NOTIFIED, "turn:17.5", 11), State.COVERED, 9, 9, Place(0, 70)),
    ),
    (
        ("notified:70:closed:11:11", 9, 9, *NOTHING),
        Projection(Name(Kind.NOTIFIED, "closed:11", 11), State.COVERED, 9, 9, Place(0, 70)),
    ),
    (
        ("owed:turn:17.5:ping:turn:17.late:11", 9, 9, *NOTHING),
        Projection(Name(Kind.OWED, "turn:17.5 ping:turn:17.late", 11), State.COVERED, 9, 9),
    ),
    (
        ("owed:ping:invite:ping:invite:11", 9, 9, *NOTHING),
        Projection(Name(Kind.OWED, "ping:invite ping:invite", 11), State.COVERED, 9, 9),
    ),
    (
        ("owed:idle:1700000000:idle:1700000000:11", 9, 9, *NOTHING),
        Projection(Name(Kind.OWED, "idle:1700000000 idle:1700000000", 11), State.COVERED, 9, 9),
    ),
    (
        ("owed:closed:11:closed:11:11", 9, 9, *NOTHING),
        Projection(Name(Kind.OWED, "closed:11 closed:11", 11), State.COVERED, 9, 9),
    ),
]
"""Each kind of row, and what it is now."""
Make = Callable[[Rows], Awaitable[StoreAddress]]


@pytest_asyncio.fixture(params=["sqlite", "postgresql"])
async def make(request: pytest.FixtureRequest, quick_path: Path) -> Make:
    """A function that makes a database as those versions did, and returns where it is."""

    async def file(rows: Rows) -> StoreAddress:
        make_file(path := quick_path / "games.db")
        with closing(sqlite3.connect(path)) as sql, sql:
            for statement, values in rows:
                sql.executemany(statement, values)
        return path

    async def server(rows: Rows) -> StoreAddress:
        return await on_server(request.getfixturevalue("new_database"), rows)

    return file if request.param == "sqlite" else server


async def on_server(new_database: NewDatabase, rows: Rows) -> str:
    """Make a database on a server as those versions did."""
    connection = await make_tables(address := new_database())
    for statement, values in rows:
        await connection.executemany(numbered(statement), values)
    await connection.close()
    return address


def games(*noted: Iterable[Row]) -> Rows:
    """Games with what was noted about each."""
    rows = [(number, *row) for number, rows in enumerate(noted, 1) for row in rows]
    return [(GAME, [(number, number, b"") for number in range(1, len(noted) + 1)]), (NOTE, rows)]


async def test_each_kind_of_row_gets_its_state(make: Make) -> None:
    store = await open_store(await make(games(*([row] for row, _ in FOUND))))
    found = [(row, [*(await store.visible(number)).values()]) for number, (row, _) in enumerate(FOUND, 1)]
    await store.close()
    assert found == [(row, [projection]) for row, projection in FOUND]


async def test_of_several_messages_that_notified_someone_the_latest_counts(make: Make) -> None:
    noted = [(f"notified:{message}:offer.3:11", 9, version, None, None) for message, version in ((9, 7), (70, 8))]
    other = ("notified:99:offer.3:12", 9, 9, None, None)
    store = await open_store(await make(games([*noted, other])))
    shown = await store.visible(1)
    await store.close()
    assert {name: one.place for name, one in shown.items()} == {
        Name(Kind.NOTIFIED, "offer.3", 11): Place(0, 70),
        Name(Kind.NOTIFIED, "offer.3", 12): Place(0, 99),
    }


async def test_what_was_due_is_due(make: Make) -> None:
    store = await open_store(await make(games([("panel", 9, 8, 5, 70)], [("panel", 9, 9, 5, 70)])))
    assert list(await store.pending()) == [1]
    await store.close()


async def test_lists_that_were_being_posted_still_are(make: Make) -> None:
    """Where they were perhaps posted was noted in the place of what a list shows."""
    statement = (
        "INSERT INTO overviews (run, guild, channel, message, edited, shows) VALUES ('discord', ?, 5, ?, 9.5, ?)"
    )
    store = await open_store(await make([(statement, [(1, 0, "posting 5 8"), (2, 60, "7f 80")])]))
    found = await store.overviews()
    assert found == {1: Overview(5, 0, 9.5, "", (5, 8)), 2: Overview(5, 60, 9.5, "7f 80")}
    assert await store.set_overview(1, found[1], Overview(8, 70, 10.0, "7f 80"))
    await store.close()


# --- on a server, processes of those versions can still be running


async def test_what_they_note_until_the_last_moment_is_kept(new_database: NewDatabase) -> None:
    address = await on_server(new_database, games([("turn:17", 9, 9, None, None)]))
    older = await asyncpg.connect(address)
    noting = older.transaction()
    await noting.start()
    await older.execute("UPDATE projections SET channel = 5, message = 70 WHERE game = 1")
    opening = asyncio.create_task(open_store(address))
    await asyncio.sleep(0.5)
    assert not opening.done(), "it waits"
    await noting.commit()
    store = await opening
    assert (await store.visible(1))[TURN].posted == HERE
    with pytest.raises(asyncpg.UndefinedTableError):
        await older.execute("UPDATE projections SET message = 71 WHERE game = 1")
    await store.close()
    await older.close()


async def test_what_they_store_until_the_last_moment_is_kept(new_database: NewDatabase) -> None:
    """An action is stored together with what it makes due."""
    address = await on_server(new_database, games([("panel", 9, 9, 5, 70)]))
    older = await asyncpg.connect(address)
    acting = older.transaction()
    await acting.start()
    await older.execute("UPDATE games SET version = 10 WHERE number = 1")
    opening = asyncio.create_task(open_store(address))
    await asyncio.sleep(0.5)
    await older.execute("UPDATE projections SET due = 10 WHERE game = 1")
    await acting.commit()
    store = await opening
    assert (await store.visible(1))[PANEL].due == 10
    await store.close()
    await older.close()


async def test_a_start_that_gets_in_their_way_can_be_tried_again(new_database: NewDatabase) -> None:
    address = await on_server(new_database, games([("panel", 9, 9, 5, 70)]))
    older = await asyncpg.connect(address)
    acting = older.transaction()
    await acting.start()
    await older.execute("SET deadlock_timeout = '10s'")
    await older.execute("SELECT * FROM projections")
    opening = asyncio.create_task(open_store(address))
    await asyncio.sleep(0.5)
    await older.execute("SELECT * FROM games")
    with pytest.raises(NotNow):
        await opening
    await acting.rollback()
    await older.close()
    await (await open_store(address)).close()

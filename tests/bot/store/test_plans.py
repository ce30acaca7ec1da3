"""Frequent queries find their rows by an index, however many games are over."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.projections import PANEL, Kind, Name
from bot.store import Change, Shards, Store, open_store
from bot.store.base import Job
from bot.store.sql.database import Execute
from bot.store.sql.upkeep import Packing
from bot.store.sqlite.store import SqliteStore
from bot.table.promptness import Decided, Promptness
from bot.table.table import LOBBY, RUNNING
from tests.bot.noted import noted
from tests.bot.store.filled import BEGAN, SNOWFLAKE, filled

OVER, ALIVE = 300, 60
NUMBER = OVER + 7
"""The number of a running game."""
CHANNEL, USER = SNOWFLAKE - 10**15 + NUMBER, 12345
LATER = BEGAN + 10**7
PING = Name(Kind.PING, "1")

Statements = list[tuple[str, tuple[Any, ...]]]


@pytest_asyncio.fixture(params=["sqlite", "postgresql"], scope="module", loop_scope="module")
async def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """A store with many games that have few records each."""
    place: Path | str = tmp_path_factory.mktemp("plans") / "games.db"
    if request.param == "postgresql":
        place = request.getfixturevalue("postgres_server")()
    await filled(place, ALIVE, OVER, most=4)
    store = await open_store(place)
    for number in range(NUMBER, NUMBER + 5):
        await store.note(number, [noted(PING, 0)])
        await store._database.write(
            lambda run, number=number: run(  # type: ignore[misc]
                ("UPDATE shown SET due = version + 1 WHERE game = ? AND kind = 'panel'", (number,)),
                ("UPDATE games SET deadline = 1.0, deadline_serial = 1, checksum = NULL WHERE number = ?", (number,)),
            )
        )
    yield store
    await store.close()


async def statements_of(store: Store, ask: Callable[[], Awaitable[object]]) -> Statements:
    """The statements that a method sends to the database."""
    database, sent = store._database, Statements()
    read, write, mark = database.read, database.write, database.mark

    async def note(sql: str, *values: Any, game: int | None = None) -> Any:
        sent.append((sql, values))
        return await read(sql, *values, game=game)

    async def note_mark(sql: str, *values: Any, game: int | None = None) -> Any:
        sent.append((sql, values))
        return await mark(sql, *values, game=game)

    async def note_all(body: Any, **how: Any) -> Any:
        async def noted(run: Execute) -> Any:
            async def run_noted(*statements: Any) -> Any:
                sent.extend(statements)
                return await run(*statements)

            return await body(run_noted)

        return await write(noted, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "read", note)
        patch.setattr(database, "mark", note_mark)
        patch.setattr(database, "write", note_all)
        await ask()
    return sent


async def plan(store: Store, sql: str, values: tuple[Any, ...]) -> list[str]:
    """The steps of a statement's plan that scan a whole table."""
    if isinstance(store, SqliteStore):
        rows = await store._database.read(f"EXPLAIN QUERY PLAN {sql}", *values)
        return [row["detail"] for row in rows if row["detail"].startswith("SCAN ")]
    scanned = list[str]()

    async def explain(run: Execute) -> None:
        # PostgreSQL would scan tables that are short in this test, even if there is an index.
        _, rows = await run(("SET LOCAL enable_seqscan = off", ()), (f"EXPLAIN (FORMAT JSON) {sql}", values))
        scanned.extend(re.findall(r'"Node Type": "Seq Scan".*?"Relation Name": "(\w+)"', rows[0][0], re.DOTALL))

    await store._database.write(explain)
    return scanned


async def save(store: Store) -> None:
    """Save a change with one record."""
    table = await store.table(NUMBER)
    assert table is not None
    count = (await store.progress(NUMBER)).records
    changed = replace(table, version=table.version + 1)
    change = Change(changed, f"i{table.version}", (PANEL,), since=table.version, at=LATER, records=[(count, 0, [])])
    await store.save(replace(change, decided=[Decided(USER, Promptness.HOUR)]))


ASKED: dict[str, Callable[[Store], Awaitable[object]]] = {
    "pending": lambda s: s.pending(),
    "mark": lambda s: s.note(NUMBER, [noted(PANEL, 1)]),
    "note": lambda s: s.note(NUMBER, [noted(PANEL, 1), noted(Name(Kind.HAND, user=USER), 1)], [PING]),
    "visible": lambda s: s.visible(NUMBER),
    "notified": lambda s: s.notified(1, "invite", [USER, USER + 1]),
    "save": save,
    "table": lambda s: s.table(NUMBER),
    "any_table": lambda s: s.any_table(NUMBER),
    "open_table": lambda s: s.open_table(CHANNEL),
    "latest_table": lambda s: s.latest_table(CHANNEL),
    "tables_in": lambda s: s.tables_in(CHANNEL, ("over", "archived"), 5),
    "played_by": lambda s: s.played_by(USER),
    "places": lambda s: s.places([1, 2]),
    "places on any server": lambda s: s.places(),
    "untouched": lambda s: s.untouched({LOBBY: BEGAN, RUNNING: BEGAN}),
    "note_downtime": lambda s: s.note_downtime(LATER),
    "due_jobs": lambda s: s.due_jobs(LATER, 20),
    "due_jobs on shards": lambda s: s.due_jobs(LATER, 20, Shards(4, (0, 3))),
    "next_job on shards": lambda s: s.next_job(LATER, Shards(4, (0, 3))),
    "pending on shards": lambda s: s.pending(Shards(4, (0, 3))),
    "has_job": lambda s: s.has_job(Job(NUMBER, "remind", LATER)),
    "next_job": lambda s: s.next_job(LATER),
    "change_settings": lambda s: s.change_settings(USER, lambda settings: settings),
    "records": lambda s: s.records(NUMBER, 2),
    "records of a finished game": lambda s: s.records(7),
    "acts": lambda s: s.acts(NUMBER),
    "made_by": lambda s: s.made_by(NUMBER, 0),
    "progress": lambda s: s.progress(NUMBER),
    "interaction": lambda s: s.interaction("i1"),
    "results": lambda s: s.results(1),
    "set_result": lambda s: s.set_result(7, None),
    "subscribers": lambda s: s.subscribers(1),
    "subscriber": lambda s: s.subscriber(1, USER),
    "change_subscription": lambda s: s.change_subscription(1, USER, lambda one: one),
    "settings_of": lambda s: s.settings_of([USER, USER + 1]),
    "promptness": lambda s: s.promptness(1, [USER, USER + 1]),
    "backlog": lambda s: s.backlog(LATER),
    "packing": lambda s: Packing(s._database).some(),
}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", ASKED)
async def test_no_query_scans_a_whole_table(store: Store, name: str) -> None:
    statements = await statements_of(store, lambda: ASKED[name](store))
    assert statements
    for sql, values in statements:
        steps = await plan(store, sql, values)
        # These indexes contain only what is due. The lists and subqueries that SQLite makes on its way are short.
        whole = [s for s in steps if not re.search(r"shown_due|games_to_pack|^SCAN (waiting|\(?sub)|CONSTANT ROW", s)]
        assert whole == [], json.dumps([sql, steps], indent=1)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_query_that_scans_a_whole_table_is_noticed(store: Store) -> None:
    [whole] = await plan(store, "SELECT number FROM games WHERE warned = ?", (1.0,))
    assert "games" in whole

"""A table's audit, as every store keeps it: a line is stored with each change, or neither is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.store import Change, Conflict, Store, open_store
from bot.store.base import Line
from bot.store.sql import tables
from bot.store.sql.tables import json_text
from tests.bot.store.behind import ask
from tests.bot.store.conftest import OpenStore
from tests.bot.store.sample import NEW, add

GUS = 812_345_678_901_234_567


async def test_a_line_of_the_audit_is_stored_with_each_change(store: Store, beside: OpenStore) -> None:
    table = await add(store)
    opened = Line(1, 100.0, 11, "open", None, 0)
    assert await store.acts(1) == [opened]
    left = Change(replace(table, version=2), "a1", (), since=1, at=100.5, user=GUS, act="leave")
    played = replace(left, table=replace(table, changes=2, version=3), interaction="a2", since=2)
    played = replace(played, user=0, act="play", records=[(0, -1, {}), (1, 0, {})])
    await store.save(left)
    await store.save(played)
    lines = [opened, Line(1, 100.5, GUS, "leave", None, 0), Line(1, 100.5, 0, "play", 0, 2)]
    assert await store.acts(1) == await (await beside("discord")).acts(1) == lines
    with pytest.raises(Conflict):  # another change was faster
        await store.save(replace(played, interaction="a3", records=()))
    assert await store.acts(1) == lines
    assert [[*line.made] for line in lines] == [[], [], [0, 1]]


async def test_what_audits_say_of_a_user_is_found_and_forgotten(store: Store, beside: OpenStore) -> None:
    elsewhere = await beside("another")
    for n, user in enumerate((GUS, 3, GUS, GUS), 1):
        where = elsewhere if n == 4 else store
        table = await add(where, replace(NEW, channel=n), f"i{n}")
        await where.save(Change(replace(table, version=2), f"a{n}", (), since=1, at=100.5, user=user, act="leave"))
    assert await store.acts_of(GUS) == [Line(number, 100.5, GUS, "leave", None, 0) for number in (1, 3)]
    await store.forget(GUS)
    assert await store.acts_of(GUS) == []
    assert [line.user for line in await store.acts(3)] == [11, 0]
    assert [line.game for line in await elsewhere.acts_of(GUS)] == [4]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_log_that_an_earlier_version_wrote_becomes_an_audit(
    kind: str, request: pytest.FixtureRequest, quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its snapshots go, as do the details of all acts; what a bot played for someone is no one's."""
    where = request.getfixturevalue("new_database")() if kind == "postgresql" else quick_path / "games.db"
    steps = tables.steps
    with monkeypatch.context() as earlier:
        earlier.setattr(tables, "steps", lambda of: {n: text for n, text in steps(of).items() if n < 25})
        store = await open_store(where)
        game = (
            "INSERT INTO games (number, run, channel, status, host, anyone_starts, config, seed, commitment, entropy,"
        )
        await ask(
            store, f"{game} version, created, updated) VALUES (1, 'a', 1, 'over', 1, 0, '', ?, '', '', 1, 2, 3)", b""
        )
        acts: tuple[tuple[int, int, int, str, Any], ...] = (
            (4, 30, 0, "snapshot", {"do": {"table": {"host": GUS}}}),
            (5, 31, GUS, "play", {}),
            (6, 33, GUS, "play", {"do": {"how": "computer"}}),
            (7, 33, GUS, "orders", {"do": {"changes": {"refused": [13]}}}),
            (8, 34, 0, "order", {"do": {"seat": 2}}),
        )
        for number, records, user, act, body in acts:
            values = (number, records, number + 0.5, user, act, json_text(body))
            await ask(store, "INSERT INTO acts VALUES (1, ?, ?, 1, ?, ?, ?, ?, 0)", *values)
        await store.close()
    store = await open_store(where)
    assert await store.acts(1) == [
        Line(1, 5.5, GUS, "play", 30, 1),
        Line(1, 6.5, 0, "play", 31, 2),
        Line(1, 7.5, GUS, "orders", None, 0),
        Line(1, 8.5, 0, "order", 33, 1),
    ]
    await store.close()

"""Old interactions are deleted, in small pieces and never as part of an action."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.projections import PANEL
from bot.service.computers import COMPUTER
from bot.store import Change, Store, Unavailable, open_store
from bot.store.postgresql import database as postgresql
from bot.store.sql import upkeep
from bot.store.sql.upkeep import KEEP_INTERACTIONS, Upkeep
from bot.table.options import DAY
from tests.bot.store.behind import ask, tidy, tidy_only_when_asked
from tests.bot.store.sample import NEW, add
from tests.postgres import NewDatabase


@pytest_asyncio.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    place: Path | str = tmp_path / "games.db"
    if request.param == "postgresql":
        place = request.getfixturevalue("new_database")(ready=True)
    store = await open_store(place)
    tidy_only_when_asked(store)
    yield store
    await store.close()


async def test_only_old_interactions_are_deleted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "INTERACTIONS_AT_ONCE", 3)
    monkeypatch.setattr(upkeep, "PIECES_AT_ONCE", 2)
    table = await add(store)
    for n in range(20):
        at = 200.0 if n % 2 else 1000.0 + KEEP_INTERACTIONS
        await store.save(Change(replace(table, changes=n + 1, version=n + 2), f"a{n:02}", (), since=n + 1, at=at))
    rounds = 1
    while await store._database.tidy():
        rounds += 1
    assert rounds == 4  # six in each, fewer in the last
    await tidy(store)
    stored = [await store.interaction(f"a{n:02}") for n in range(20)]
    assert stored == [None if n % 2 else (1, None) for n in range(20)]
    assert await store.interaction("i0") is None


async def test_interactions_are_kept_by_discords_clock_whatever_is_done_to_this_machines(store: Store) -> None:
    """A computer's move has no number, and is not what counts; nor is what 0.3.0 stored while the clock was ahead."""
    minute, table = 60_000 << 22, await add(store)
    first = 1551597200998400001
    keys = [str(first), str(first + 50 * minute), f"{COMPUTER}-1-7", str(first + 70 * minute)]
    for n, (key, at) in enumerate(zip(keys, (9_000.0, 9_100.0, 90_000.0, 1_000.0), strict=True), 1):
        await store.save(Change(replace(table, changes=n, version=n + 1), key, (), since=n, at=at))
    await ask(store, "UPDATE interactions SET created = created + 9000 WHERE id = ?", keys[1])
    await tidy(store)
    await tidy(store)
    assert [await store.interaction(key) is not None for key in keys[:2] + keys[3:]] == [False, True, True]


async def test_a_deletion_that_fails_is_tried_again_in_the_next_round(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await add(store)
    await store.save(Change(replace(table, version=2), "i5", (), since=1, at=200.0 + KEEP_INTERACTIONS))

    async def fail(*_: object, **__: object) -> None:
        raise Unavailable("gone")

    with monkeypatch.context() as patch:
        patch.setattr(store._database, "mark", fail)
        assert not await store._database.tidy()
    assert await store.interaction("i0") == (1, None)
    await tidy(store)
    await tidy(store)
    assert await store.interaction("i0") is None
    assert await store.interaction("i5") == (1, None)


async def test_only_one_process_at_a_time_does_the_upkeep(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "UPKEEP_EVERY", 0.2)
    monkeypatch.setattr(postgresql, "TIDY_EVERY", 0.01)
    address, at_it, most = new_database(), 0, 0
    stores = [await open_store(address) for _ in range(3)]

    async def tidy() -> bool:
        nonlocal at_it, most
        at_it += 1
        most = max(most, at_it)
        await asyncio.sleep(0.1)
        at_it -= 1
        return False

    for store in stores:
        store._database.tidy = tidy
    await asyncio.sleep(1.0)
    assert most == 1
    for store in stores:
        await store.close()


async def test_games_that_are_not_running_are_deleted_after_a_number_of_days(store: Store) -> None:
    """An archived game must first have had time to end, as only then its seed is published."""
    store._database.tidy = Upkeep(store._database, days=30).some
    new, waiting, old = (time.time() - days * DAY for days in (29, 36, 100))
    for channel, (status, updated) in enumerate(
        [
            ("over", old),
            ("archived", old),
            ("cancelled", old),
            ("running", old),
            ("over", new),
            ("archived", waiting),
        ]
    ):
        table = await add(store, replace(NEW, channel=channel), f"open-{channel}")
        after = replace(table, status=status, updated=updated, version=2)
        data = [(0, -1, {"n": 0, "by": -1})]
        await store.save(Change(after, f"start-{channel}", (PANEL,), since=1, at=updated, records=data))
    await store.alive(time.time() - 400 * DAY)  # perhaps this clock is wrong
    await tidy(store)
    assert len(await store.numbers()) == 6
    await store.alive(time.time())
    await tidy(store)
    assert await store.numbers() == [4, 5, 6]
    assert await store.archived(waiting + 1) == [6]
    assert await store.archived(waiting) == []
    for part in ("members", "records", "acts", "shown", "histories"):
        assert {row[0] for row in await ask(store, f"SELECT game FROM {part}")} <= {4, 5, 6}


@pytest.mark.parametrize(("age", "kept"), [(429.0, True), (431.0, False)])
async def test_downtime_makes_no_game_old_enough_to_be_deleted(store: Store, age: float, kept: bool) -> None:
    """Nor does a clock that was a year ahead."""
    now = time.time()
    store._database.tidy = Upkeep(store._database, days=30).some
    table = await add(store, NEW, "open")
    over = replace(table, status="over", updated=now - age * DAY, version=2)
    await store.save(Change(over, "end", (PANEL,), since=1, at=over.updated))
    await store.alive(now - 400 * DAY)
    await store.note_downtime(now)
    await tidy(store)
    assert bool(await store.numbers()) is kept

"""What every store promises: changes are whole, refused ones leave no trace, and namespaces don't see each other."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.projections import PANEL, Backlog, Kind, Move, Name, Place, Projection, State, moved
from bot.ratings import RESIGNED, GameResult, PersonResult
from bot.servers import Overview
from bot.store import Change, Conflict, Store
from bot.store.base import LOOK_JOB
from bot.table.options import DAY
from bot.table.preferences import UserSettings
from bot.table.table import CANCELLED, LOBBY, OVER, RUNNING
from bot.table.time import Deadline
from engine.config import Config
from tests.bot.noted import noted
from tests.bot.store.behind import ask
from tests.bot.store.conftest import OpenStore
from tests.bot.store.sample import MEMBERS, NEW, SEED, add, promise

HAND, PING = Name(Kind.HAND, user=11), Name(Kind.PING, "11")


async def test_a_table_comes_back_as_it_was_stored(store: Store) -> None:
    table = await add(store)
    assert table == replace(NEW, number=1, commitment=promise(1))
    assert await store.table(1) == await store.open_table(5) == await store.latest_table(5) == table
    assert await store.seed(1) == SEED
    changed = replace(
        table, status=RUNNING, host=12, entropy=("i1", "ß"), version=2, updated=101.5, members=MEMBERS[1:]
    )
    await store.save(Change(changed, "i3", (PANEL,), since=1, at=100.0, members=True, records=[(0, -1, {"a": [1]})]))
    assert await store.table(1) == changed
    assert await store.records(1) == [{"a": [1]}]
    assert await store.progress(1) == (2, 2, 1)
    assert await store.interaction("i0") == (1, None)
    assert await store.interaction("i3") == (1, 0)
    assert await store.interaction("i4") is None


async def test_the_games_of_a_channel_are_listed_newest_first(store: Store, beside: OpenStore) -> None:
    tables = [(OVER, 5), (CANCELLED, 5), (OVER, 6), (OVER, 5), (LOBBY, 5)]
    for number, (status, channel) in enumerate(tables):
        await add(store, replace(NEW, status=status, channel=channel), interaction=f"i{number}")
    assert await store.tables_in(5, [OVER], 10) == [4, 1]
    assert await store.tables_in(5, [OVER, LOBBY], 2) == [5, 4]
    assert await store.tables_in(5, [RUNNING], 10) == []
    assert await (await beside("another")).tables_in(5, [OVER], 10) == []


async def test_a_table_without_members_can_be_stored(store: Store) -> None:
    table = await add(store, replace(NEW, members=(), config=Config(())))
    assert await store.table(1) == table


async def test_a_channel_has_at_most_one_open_table(store: Store) -> None:
    table = await add(store)
    with pytest.raises(Conflict):
        await add(store, interaction="other")
    assert await store.interaction("other") is None  # nothing of the refused table is left
    await store.save(Change(replace(table, status=CANCELLED, version=2), "i5", (), since=1, at=100.0))
    assert await store.open_table(5) is None
    assert (await add(store, interaction="other")).number > table.number
    with pytest.raises(Conflict):
        await store.save(Change(replace(table, changes=2, status=RUNNING, version=3), "i6", (), since=2, at=100.0))
    assert await store.progress(1) == (2, 2, 0)


async def test_a_change_based_on_an_older_version_leaves_no_trace(store: Store, beside: OpenStore) -> None:
    table = await add(store)
    other = await beside("discord")
    await other.save(Change(replace(table, version=2), "i5", (), since=1, at=100.0, records=[(0, -1, [])]))
    late_table = replace(table, version=2, host=12)
    with pytest.raises(Conflict):
        await store.save(Change(late_table, "i6", (PANEL, HAND), since=1, at=100.0, members=True, records=[(1, 0, [])]))
    with pytest.raises(Conflict):  # a record with that number is there already
        await store.save(
            Change(replace(late_table, changes=2, version=3), "i6", (), since=2, at=100.0, records=[(0, 0, [])])
        )
    assert await store.table(1) == await other.table(1) == replace(table, version=2)
    assert await store.records(1) == [[]]
    assert await store.interaction("i6") is None
    assert list(await store.visible(1)) == [PANEL]


async def test_a_repeated_interaction_undoes_its_whole_transaction(store: Store) -> None:
    table = await add(store)
    await store.save(Change(replace(table, version=2), "i5", (), since=1, at=100.0, records=[(0, -1, [])]))
    with pytest.raises(Conflict):
        await store.save(
            Change(replace(table, changes=2, version=3, host=12), "i5", (), since=2, at=100.0, records=[(1, 0, [])])
        )
    assert (await store.table(1)) == replace(table, version=2)
    assert await store.progress(1) == (2, 2, 1)


async def test_namespaces_share_only_game_numbers(store: Store, beside: OpenStore) -> None:
    await add(store)
    other = await beside("offline 2")
    assert await other.open_table(5) is None
    assert await other.interaction("i0") is None
    assert await other.table(1) is None
    assert await other.any_table(1) is not None
    assert (await add(other)).number == 2  # numbers go on across namespaces; interaction ids can repeat
    assert list(await store.pending()) == [1]
    assert list(await other.pending()) == [2]
    assert await other.numbers() == [1, 2]
    await store.change_settings(11, lambda settings: replace(settings, standing=6))
    assert await other.settings(11) == UserSettings(11)


async def test_marks_of_what_is_shown_are_stored_and_outdated_ones_are_ignored(store: Store) -> None:
    table = await add(store)
    assert await store.visible(1) == {PANEL: Projection(PANEL, State.WANTED, 1, 0)}
    panel, ping = noted(PANEL, 1, 5, 77), noted(PING, 1, 5, 78)
    for _ in range(2):
        await store.note(1, [panel])
    await store.note(1, [ping])
    assert not await store.pending()
    await store.save(Change(replace(table, version=2), "i5", (PANEL,), since=1, at=100.0))
    assert list(await store.pending()) == [1]
    await store.note(1, [moved(None, PANEL, Move.COVER, 1)])  # it has the same version, and keeps its place
    assert (await store.visible(1))[PANEL] == Projection(PANEL, State.COVERED, 2, 1, Place(5, 77))
    await store.note(1, [moved(panel, PANEL, Move.EDIT, 2)])
    await store.note(1, [noted(PANEL, 1, 5, 99)])  # too late: an older version
    assert await store.visible(1) == {PANEL: noted(PANEL, 2, 5, 77), PING: ping}
    for _ in range(2):
        await store.note(1, gone=[PING])
    assert list(await store.visible(1)) == [PANEL]
    table = replace(table, changes=2)
    await store.save(Change(replace(table, version=3), "i6", (PANEL, HAND), since=2, at=100.0))
    await store.note(1, [noted(PANEL, 2, 5, 77), noted(HAND, 2)])  # too late: an older version
    assert list(await store.pending()) == [1]
    late = Name(Kind.PING, "late", 12)
    await store.note(1, [noted(PANEL, 3, 5, 80), noted(HAND, 3), noted(late, 3, 5)], [PING, late])
    assert await store.visible(1) == {PANEL: noted(PANEL, 3, 5, 80), HAND: noted(HAND, 3), late: noted(late, 3, 5)}


async def test_what_a_newer_version_shows_besides_is_left_alone(store: Store) -> None:
    await add(store)
    await ask(store, "INSERT INTO shown VALUES (1, 'weather', '', 0, 'posted', 2, 2, 5, 77)")
    assert list(await store.visible(1)) == [PANEL]


async def test_time_while_no_process_was_running_does_not_count(store: Store, beside: OpenStore) -> None:
    other = await beside("another")
    assert await store.note_downtime(50.0) == 0.0  # there was no table yet
    tables = [await add(store, replace(NEW, channel=channel), f"i{channel}") for channel in (5, 6, 7)]
    tables.append(await add(other, NEW, "i8"))
    for table in (tables[2], tables[0]):
        limited = replace(table, version=2, status=RUNNING, updated=150.0, deadline=Deadline(3, 400.0))
        jobs = {LOOK_JOB: 400.0, "order:1": 420.0}
        await store.save(Change(limited, f"d{table.number}", (), since=1, at=150.0, jobs=jobs))
    assert await store.next_job(160.0) == 400.0
    assert await store.played_by(12) == [1, 3]
    assert await store.note_downtime(250.0) == 100.0  # the time since the latest change
    await store.alive(300.0)
    assert await store.note_downtime(350.0) == 50.0
    assert await store.note_downtime(349.0) == 0.0  # a clock that is a second off
    assert await store.note_downtime(420.0, least=90.0) == 0.0
    assert await store.next_job(0.0) == 350.0, "each game in which people's time runs is looked at"
    due_jobs = {(job.game, job.name, job.at) for job in await store.due_jobs(600.0, 9)}
    assert due_jobs == {(game, *job) for game in (1, 3) for job in ((LOOK_JOB, 350.0), ("order:1", 420.0))}
    for number in (1, 2, 3):
        stored = await store.table(number)
        assert stored is not None
        assert stored.downtime == ((150.0, 250.0), (300.0, 350.0))
        assert stored.deadline == (None if number == 2 else Deadline(3, 400.0))
    stored = await other.table(4)
    assert stored == tables[3]
    assert stored.downtime == ()
    for user, told in ((21, 550.0), (22, 0.0)):
        await store.change_subscription(1, user, lambda one, told=told: replace(one, told=told))  # type: ignore[misc]
    await store.move(-200.0, 400.0)  # jobs move, too: none is left for a time that doesn't come
    assert await store.next_job(0.0) == 220.0
    assert [(await store.subscriber(1, user)).told for user in (21, 22)] == [350.0, 0.0]
    await store.move(100.0, 500.0)
    stored = await store.table(1)
    assert stored is not None
    assert stored.downtime[-1] == (400.0, 500.0)


@pytest.mark.parametrize("down_at", [330.0, 420.0, 600.0], ids=["before", "while", "after"])
async def test_downtime_counts_although_the_clock_was_set_back(store: Store, down_at: float) -> None:
    """A change has a time that the clock shows again later, or won't show for long."""
    await add(store, replace(NEW, updated=500.0), "i5")
    await store.alive(510.0)
    await store.move(-200.0, 310.0)
    await store.alive(down_at)
    assert await store.note_downtime(down_at + 50.0) == 50.0


async def test_downtime_counts_if_the_power_fails_just_after_the_clock_was_set_back(store: Store) -> None:
    """Signs of life since then are marks, which a power cut can undo."""
    await add(store, replace(NEW, updated=500.0), "i5")
    await store.alive(510.0)
    await store.move(-200.0, 311.0)
    assert await store.note_downtime(350.0) == 40.0


async def test_a_clock_that_was_set_back_while_no_process_was_running_keeps_no_one_waiting(store: Store) -> None:
    """Nothing that is stored becomes due so much later."""
    table = await add(store, replace(NEW, status=RUNNING), "i5")
    limited = replace(table, version=2, updated=5000.0, deadline=Deadline(3, 5600.0))
    await store.save(Change(limited, "d", (), since=1, at=5000.0, jobs={LOOK_JOB: 5600.0, "order:1": 5100.0}))
    await store.alive(5060.0)
    assert await store.note_downtime(2060.0) == -3000.0
    stored = await store.table(1)
    assert stored is not None
    assert stored.downtime == ((5060.0, 2060.0),)
    assert [(job.name, job.at) for job in await store.due_jobs(2700.0, 9)] == [(LOOK_JOB, 2060.0), ("order:1", 2100.0)]
    assert await store.note_downtime(2160.0) == 100.0


@pytest.mark.parametrize("least", [0.0, 10.0], ids=["alone", "with others"])
async def test_a_clock_that_was_set_back_is_noticed_though_no_table_has_changed_lately(
    store: Store, least: float
) -> None:
    """All that is kept for later moves with it."""
    await add(store, replace(NEW, updated=100.0), "i5")
    await store.alive(5060.0)
    await store.lost(None, 5000.0)
    assert await store.turn_before(6000.0, 0, 5050.0, 600.0) == 5050.0
    await store.set_overview(1, None, Overview(5, 80, 5040.0, ""))
    assert await store.note_downtime(5058.0, least) == 0.0, "a second or two aren't worth it"
    await store.alive(5060.0)
    assert await store.note_downtime(2060.0, least) == -3000.0
    assert await store.unseen(1) == 2000.0
    assert await store.turn_before(2700.0, 0, 2060.0, 600.0) == 2650.0
    overview = await store.overview(1)
    assert overview is not None
    assert overview.edited == 2040.0
    assert (await store.downtime()) == ((5060.0, 2060.0),)


@pytest.mark.parametrize("damaged", ["UPDATE runs SET seen = 9e9", "UPDATE reach SET at = 9e9"])
async def test_one_damaged_time_does_not_count_as_a_clock_that_was_set_back(store: Store, damaged: str) -> None:
    await add(store, replace(NEW, updated=100.0), "i5")
    await store.alive(5060.0)
    await ask(store, damaged)
    assert await store.note_downtime(5070.0) >= 0.0


async def test_a_clock_that_is_off_by_years_for_a_moment_forgets_no_downtime(store: Store) -> None:
    await add(store, replace(NEW, updated=100.0), "i5")
    await store.alive(200.0)
    assert await store.note_downtime(300.0) == 100.0
    years = 400 * DAY
    await store.move(years, 301.0 + years)
    await store.move(-years, 302.0)
    assert (200.0 - years, 300.0 - years) in await store.downtime()


async def test_tables_untouched_for_long_can_be_found(store: Store) -> None:
    for number, (status, time) in enumerate([(LOBBY, 10.0), (LOBBY, 30.0), (OVER, 10.0), (RUNNING, 30.0)]):
        await add(store, replace(NEW, status=status, channel=number, updated=time), f"i{number}")
    assert await store.untouched({LOBBY: 20.0, RUNNING: 20.0}) == [1]
    assert sorted(await store.untouched({LOBBY: 20.0, RUNNING: 40.0})) == [1, 4]
    assert await store.untouched({LOBBY: 10.0}) == []
    await store.move(-25.0, 60.0)
    assert await store.untouched({LOBBY: 10.0}) == [1, 2], "perhaps it changed before the clock was set back"


async def test_the_backlog_says_how_many_games_are_due_and_running(store: Store, beside: OpenStore) -> None:
    other = await beside("another")
    assert await store.backlog(500.0) == Backlog(0, 0.0, 0)
    tables = [await add(store, replace(NEW, channel=channel), f"i{channel}") for channel in (5, 6, 7)]
    await add(other, replace(NEW, status=RUNNING, updated=1.0), "i8")
    await store.note(1, [noted(PANEL, 1, 5, 77)])
    for table, at in zip(tables[1:], (300.0, 200.0), strict=True):
        running = replace(table, version=2, status=RUNNING, updated=at)
        await store.save(Change(running, f"s{table.number}", (PANEL, HAND), since=1, at=at))
    assert await store.backlog(500.0) == Backlog(2, 300.0, 2)  # hands don't count: they can wait
    await store.note(3, [noted(PANEL, 2, 7, 78), noted(HAND, 2, 7, 79)])
    assert await store.backlog(500.0) == Backlog(1, 200.0, 2)
    assert await store.backlog(250.0) == Backlog(1, 0.0, 2)  # a clock that is set back
    assert await other.backlog(500.0) == Backlog(1, 499.0, 1)


async def test_settings_have_defaults_and_are_kept(store: Store) -> None:
    assert await store.settings(7) == UserSettings(7)
    chosen = UserSettings(7, dms_closed=True, standing=6)
    assert await store.change_settings(7, lambda settings: chosen) == chosen
    assert await store.settings(7) == chosen


async def test_settings_of_several_people_can_be_read_together(store: Store, beside: OpenStore) -> None:
    chosen = [await store.change_settings(user, lambda s: replace(s, standing=6)) for user in (7, 9)]
    await (await beside("another")).change_settings(8, lambda s: replace(s, standing=5))
    assert await store.settings_of([7, 8, 9, 10]) == {7: chosen[0], 9: chosen[1]}
    assert await store.settings_of(range(100, 1700)) == {}


async def test_results_are_stored_with_the_end_of_a_game_and_listed_in_that_order(
    store: Store, beside: OpenStore
) -> None:
    def result(number: int, ended: float, guild: int = 1) -> GameResult:
        people = (PersonResult(11, "Ann ✨", 10, True), PersonResult(12, "Bob", 7, False, RESIGNED))
        return GameResult(number, guild, ended, "base", people)

    for number, ended, guild in ((1, 300.0, 1), (2, 200.0, 1), (3, 200.0, 2), (4, 200.0, 1)):
        table = replace(await add(store, interaction=f"i{number}"), status=OVER, version=2)
        stored = result(number, ended, guild)
        await store.save(Change(table, f"e{number}", (), since=1, at=ended, records=[(0, 0, [])], result=stored))
    with pytest.raises(Conflict):  # another change was faster
        await store.save(Change(table, "e5", (), since=1, at=1.0, result=result(4, 1.0)))
    other = await beside("discord")
    assert await store.results(1) == await other.results(1) == [result(2, 200.0), result(4, 200.0), result(1, 300.0)]
    assert [stored.people[0].name for stored in await store.results(2)] == ["Ann ✨"]
    assert len(await store.results()) == 4
    await other.set_result(2, None)
    for _ in range(2):
        await other.set_result(4, result(4, 400.0))
    assert await store.results(1) == [result(1, 300.0), result(4, 400.0)]
    assert await (await beside("another")).results() == []


async def test_a_canceled_commit_is_stored_completely_or_not_at_all(store: Store) -> None:
    table = await add(store)
    for number in range(20):
        task = asyncio.create_task(
            store.save(
                Change(
                    replace(table, version=number + 2, changes=number + 1),
                    f"a{number}",
                    (PANEL,),
                    since=number + 1,
                    at=100.0,
                    records=[(number, 0, [])],
                )
            )
        )
        for _ in range(number):
            await asyncio.sleep(0)
        if number % 2:
            await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if number == 0:  # canceled before it began
            assert await store.progress(1) == (1, 1, 0)
            await store.save(Change(replace(table, version=2), "a0", (), since=1, at=100.0, records=[(0, 0, [])]))
            continue
        async with asyncio.timeout(5.0):  # on its own connection it can still be in progress
            while await store.progress(1) != (number + 2, number + 2, number + 1):  # noqa: ASYNC110
                await asyncio.sleep(0.001)

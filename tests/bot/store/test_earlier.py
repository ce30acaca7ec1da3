"""What earlier versions wrote in other forms is read as if it had today's form."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.store import Store
from bot.table.parts import PACE, REPLACE, SEATED, Guest, Motion, News
from bot.table.table import RUNNING, seatings
from tests.bot.store.behind import ask
from tests.bot.store.sample import NEW, add


async def test_the_seat_changes_noted_by_version_0_2_0_are_read_as_news(store: Store) -> None:
    await add(store, replace(NEW, status=RUNNING))
    seated = {"what": SEATED, "made": 7, "turn": 2, "revision": 20, "user": 13, "name": "Eve", "newcomer": "Cem"}
    choices = {
        "news": [{"what": PACE, "made": 5, "turn": 1, "revision": 9}, seated],
        "left": [[0, 11, "Ann"], [1, 15, "Eve"]],
        "taken": [[1, 44]],
        "declined": [[16, 100.0]],
        "turned_away": [[17, 100.0]],
        "pause": 9,
    }
    await ask(store, "UPDATE games SET choices = ?, checksum = NULL", json.dumps(choices))
    table = await store.table(1)
    assert table is not None
    assert table.options.pause == 9
    assert seatings(table, 1) == [News(SEATED, 7, 2, 20, 13, "Eve", "Cem", place=1, about=15, recorded=44)]
    [older] = seatings(table, 0)
    assert (older.about, older.name) == (11, "Ann"), "there had been more news than it kept"
    assert [news.what for news in table.news] == [SEATED, PACE, SEATED]


async def test_seat_changes_of_version_0_2_0_that_cannot_be_read_are_left_out(store: Store) -> None:
    await add(store)
    await ask(store, "UPDATE games SET choices = ?, checksum = NULL", json.dumps({"left": 3, "pause": 9}))
    table = await store.table(1)
    assert table is not None
    assert table.options.pause == 9


async def test_earlier_votes_to_replace_a_player_are_read_as_motions(store: Store) -> None:
    await add(store, replace(NEW, status=RUNNING))
    proposal = {"what": PACE, "agreed": [11], "against": [12], "made": 2, "at": 5.0, "pace": 60, "expiry": "remind"}
    votes, proposals = {"replacing": [[13, 11], [13, 12], [14, 11]]}, {"proposals": [proposal], "proposed": 2}
    replacing = (Motion(REPLACE, (11, 12), absent=13), Motion(REPLACE, (11,), absent=14))
    proposed = (Motion(PACE, (11,), (12,), made=2, at=5.0, pace=60, expiry="remind"),)
    for choices, motions in ((votes, replacing), (proposals, proposed), (votes | proposals, replacing + proposed)):
        await ask(store, "UPDATE games SET choices = ?, checksum = NULL", json.dumps(choices))
        table = await store.table(1)
        assert table is not None
        assert (table.motions, table.proposed) == (motions, choices.get("proposed", 0))


async def test_people_whom_a_rematch_had_asked_to_join_have_kept_seats_if_they_are_not_there(store: Store) -> None:
    await add(store)
    invited = [NEW.host, 15, {"user": 16, "name": "Fay"}]
    await ask(store, "UPDATE games SET choices = ?, checksum = NULL", json.dumps({"invited": invited}))
    table = await store.table(1)
    assert table is not None
    assert table.invited == (Guest(15), Guest(16, "Fay"))

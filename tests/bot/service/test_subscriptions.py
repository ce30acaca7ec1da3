"""Who is told of a new table, and when: by the table's jobs, once, whatever happens in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.projections import Kind, of_kind
from bot.service import subscriptions
from bot.service.subscriptions import called_by, is_about
from bot.table.acts.lobby import Cancel, Join, Leave
from bot.table.acts.options import SetOptions
from bot.table.options import DAY, HOUR
from bot.table.preferences import CHANNEL, DM, NEVER
from bot.table.subscriptions import DAYS, LACKING, LAST_JOB, NEW_JOB, NONE, ROLE, SETTLED_AFTER, TELLINGS_APART
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, GUILD, Playground
from tests.bot.service.tables import look

WAIT = SETTLED_AFTER + 10


async def ask(ground: Playground, user: int, how: str, **chosen: Any) -> None:
    """Have a user ask to be told, who can get direct messages."""
    await ground.services.people.change_settings(user, choices={"direct": 900 + user})
    await ground.services.subscriptions.change(GUILD, user, how=how, **chosen)


async def told(ground: Playground, number: int, job: str = NEW_JOB) -> set[int]:
    """Users who are told by a table's messages."""
    visible = await ground.store.visible(number)
    letters = [one.name for one in of_kind(visible, Kind.NEW_TABLES)]
    return {*called_by(visible, job), *(name.user for name in letters if is_about(name)[0] == job)}


async def letter(ground: Playground, number: int, user: int) -> list[int]:
    """The numbers of the tables that a user is told of by a table's direct message."""
    found = of_kind(await ground.store.visible(number), Kind.NEW_TABLES)
    [numbers] = [is_about(one.name)[1] for one in found if one.name.user == user]
    return numbers


@pytest.mark.on_databases
async def test_people_who_asked_are_told_a_minute_later_and_nobody_else(ground: Playground) -> None:
    await ask(ground, BOB, DM)
    await ask(ground, CEM, CHANNEL)
    await ask(ground, DOT, NEVER)
    number = (await ground.lobby(ANN)).number
    await look(ground, SETTLED_AFTER / 2)
    assert await told(ground, number) == set()
    await ground.kill()
    await look(ground, SETTLED_AFTER)
    assert await told(ground, number) == {BOB, CEM}
    assert number in await ground.store.pending()
    await ground.services.subscriptions.change(GUILD, DOT, how=DM)
    await look(ground, DAY)
    assert await told(ground, number) == {BOB, CEM}, "Dot asked once it was open"


async def test_a_table_that_is_gone_in_a_minute_is_told_to_no_one(ground: Playground) -> None:
    await ask(ground, BOB, DM)
    number = (await ground.lobby(ANN)).number
    await ground.act(number, ANN, Cancel())
    await look(ground, WAIT)
    assert await told(ground, number) == set()


async def test_a_person_who_wants_other_tables_holds_up_no_one_else(ground: Playground) -> None:
    await ask(ground, BOB, DM, timers=(DAYS,))
    await ask(ground, CEM, DM, timers=(NONE,))
    number = (await ground.lobby(ANN)).number
    await look(ground, WAIT)
    assert await told(ground, number) == {CEM}


async def test_what_is_chosen_in_the_first_minute_counts(ground: Playground) -> None:
    await ask(ground, BOB, DM, scenarios=("islands",))
    await ask(ground, CEM, DM, scenarios=("base",))
    number = (await ground.lobby(ANN)).number
    await ground.act(number, ANN, SetOptions({"scenario": "islands"}))
    await look(ground, WAIT)
    assert await told(ground, number) == {BOB}


async def test_the_tables_of_an_hour_come_in_one_message(ground: Playground) -> None:
    await ask(ground, BOB, DM)
    first = (await ground.lobby(ANN, channel=51)).number
    await look(ground, WAIT)
    others = [(await ground.lobby(user, channel=50 + user)).number for user in (CEM, DOT, EVE)]
    await ground.act(others[1], DOT, Cancel())
    await look(ground, WAIT)
    assert [await told(ground, number) for number in others] == [set(), set(), set()]
    await ground.kill()
    await look(ground, TELLINGS_APART)
    assert await letter(ground, first, BOB) == [first]
    [number] = [number for number in others if await told(ground, number)]
    assert await letter(ground, number, BOB) == [others[0], others[2]]


async def test_two_tables_that_are_due_together_make_one_message(ground: Playground) -> None:
    for user, how in ((BOB, DM), (EVE, CHANNEL)):
        await ask(ground, user, how)
    numbers = [(await ground.lobby(user, channel=50 + user)).number for user in (ANN, CEM, DOT)]
    await look(ground, WAIT)
    assert sorted([len(await told(ground, number) & {BOB}) for number in numbers]) == [0, 0, 1]
    assert sorted([len(await told(ground, number) & {EVE}) for number in numbers]) == [0, 0, 1]


async def test_a_person_in_their_quiet_hours_is_told_when_they_are_over(ground: Playground) -> None:
    await ask(ground, BOB, DM)
    await ask(ground, CEM, CHANNEL)
    until = (int(ground.clock % DAY) // 60 + 60) % 1440
    for user in (BOB, CEM):
        choices = {"zone": "UTC", "quiet": ((until - 300) % 1440, until)}
        await ground.services.people.change_settings(user, choices=choices)
    number = (await ground.lobby(ANN)).number
    await look(ground, WAIT)
    assert await told(ground, number) == set()
    await look(ground, HOUR)
    assert await told(ground, number) == {BOB, CEM}


async def test_no_message_in_the_channel_is_posted_twice_for_those_who_come_later(ground: Playground) -> None:
    await ask(ground, BOB, CHANNEL)
    await look(ground, 0)
    await ground.lobby(ANN, channel=51)
    await look(ground, WAIT)
    await ask(ground, CEM, CHANNEL)
    number = (await ground.lobby(DOT, channel=52)).number
    await look(ground, WAIT)
    assert await told(ground, number) == {CEM}
    await look(ground, 2 * TELLINGS_APART)
    assert await told(ground, number) == {CEM}


async def test_a_table_that_lacks_one_player_for_half_an_hour_calls_once_more(ground: Playground) -> None:
    await ask(ground, EVE, DM)
    number = (await ground.lobby(ANN, BOB, CEM)).number
    await look(ground, WAIT)
    assert await told(ground, number) == {EVE}
    await look(ground, LACKING)
    assert await told(ground, number, LAST_JOB) == set(), "an hour isn't over"
    await look(ground, TELLINGS_APART)
    assert await told(ground, number, LAST_JOB) == {EVE}
    await ground.act(number, CEM, Leave())
    await ground.act(number, CEM, Join("Cem"))
    await look(ground, 2 * TELLINGS_APART)
    letters = of_kind(await ground.store.visible(number), Kind.NEW_TABLES)
    assert len(letters) == 2, "once more is once"


async def test_a_table_that_changes_before_half_an_hour_is_over_is_looked_at_again(ground: Playground) -> None:
    await ask(ground, EVE, DM)
    number = (await ground.lobby(ANN, BOB)).number
    await look(ground, WAIT)
    await ground.act(number, CEM, Join("Cem"))
    await look(ground, LACKING - 2)
    assert await told(ground, number, LAST_JOB) == set(), "half an hour since it was made, not since it lacks one"
    await look(ground, TELLINGS_APART)
    assert await told(ground, number, LAST_JOB) == {EVE}


async def test_a_full_table_calls_no_one(ground: Playground) -> None:
    await ask(ground, EVE, CHANNEL)
    number = (await ground.lobby(ANN, BOB, CEM)).number
    await ground.act(number, DOT, Join("Dot"))
    await look(ground, LACKING + WAIT)
    assert await told(ground, number) == await told(ground, number, LAST_JOB) == set()


async def test_nobody_is_told_of_what_they_cannot_see_or_by_a_closed_way(ground: Playground) -> None:
    def readers(guild: int) -> subscriptions.Sees:
        async def sees(user: int, channel: int) -> bool:
            return user != BOB or channel == 52

        return sees

    ground.services.subscriptions.shown_by(readers, lambda number: None)
    for user in (BOB, CEM, DOT):
        await ask(ground, user, DM)
    await ground.services.people.change_settings(CEM, dms_closed=True)
    hidden = (await ground.lobby(ANN, channel=51)).number
    await look(ground, WAIT)
    assert await told(ground, hidden) == {DOT}
    seen = (await ground.lobby(EVE, channel=52)).number
    await look(ground, WAIT)
    assert await letter(ground, seen, BOB) == [seen], "nor of both in one message"


async def test_no_direct_message_is_sent_while_discord_calls_them_too_many(ground: Playground) -> None:
    await ask(ground, BOB, DM)
    await ask(ground, CEM, CHANNEL)
    await ground.services.directs.stop()
    number = (await ground.lobby(ANN)).number
    await look(ground, WAIT)
    assert await told(ground, number) == {CEM}
    for _ in range(7):
        await look(ground, TELLINGS_APART)
    assert await told(ground, number) == {BOB, CEM}


async def test_a_role_is_called_once_an_hour_on_a_server(ground: Playground) -> None:
    shown = list[int]()
    show: Callable[[int], None] = shown.append
    ground.services.subscriptions.shown_by(ground.services.subscriptions._readers, show)
    await ground.services.servers.change(GUILD, called=77)
    first, second = [(await ground.lobby(user, channel=50 + user)).number for user in (ANN, BOB)]
    await look(ground, WAIT)
    assert len(shown) == 1
    [other] = {first, second} - {*shown}
    assert await told(ground, shown[0]) == {ROLE}
    assert await told(ground, other) == set()
    await look(ground, TELLINGS_APART)
    assert await told(ground, other) == {ROLE}


@pytest.mark.on_databases
async def test_what_people_ask_to_hear_is_exported_and_forgotten(ground: Playground) -> None:
    await ask(ground, BOB, DM, timers=("days",))
    await ask(ground, CEM, CHANNEL)
    data = await ground.services.privacy.data(BOB)
    assert json.loads(json.dumps(data["new_tables"])) == [
        {"server": GUILD, "told": 0.0, "how": DM, "scenarios": [], "timers": ["days"]}
    ]
    await ground.services.privacy.forget(BOB)
    assert [one.user for one in await ground.store.subscribers(GUILD)] == [CEM]
    await ground.services.subscriptions.forget_server(GUILD)
    assert await ground.store.subscribers(GUILD) == []

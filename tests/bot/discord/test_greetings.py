"""The first direct message to people who asked for some: its turn, and what becomes of a promise."""

from __future__ import annotations

import re
from typing import Any

from bot.discord.context import REFUSED_FOR
from bot.service.people import LONGEST_QUEUE, OPENINGS_APART, OPENINGS_AT_ONCE
from bot.table.preferences import DM
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, fill, reply, text

GREETING = "Your hands and reminders come here"


async def asks(person: Any, hall: Hall) -> str:
    """Have a person ask for direct messages. Returns what they are told."""
    page = reply(await person.slash(hall.channel, "settings"))
    await fill(person, page, "Your settings", shared={"dms": False})
    page = reply(await person.slash(hall.channel, "settings"))
    return text(reply(await fill(person, page, "Your settings", shared={"dms": True})))


def greeted(person: Any) -> int:
    """How many first messages a person got."""
    return sum(GREETING in text(message) for message in person.user.dm_channel.history())


async def taken(hall: Hall, turns: int) -> None:
    """Let other people reserve turns."""
    for user in range(turns):
        await hall.services.directs.wait(10**6 + user)


async def test_a_promised_message_comes_in_time_even_after_a_restart(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        person = hall.people[0]
        await hall.services.people.change_settings(person.id, choices={"direct": 0})
        await taken(hall, OPENINGS_AT_ONCE)
        said = await asks(person, hall)
        assert re.search(r"I'll send you a DM <t:\d+:R>", said)
        await hall.restart()
        assert greeted(person) == 0
        await hall.env.advance_time(2 * OPENINGS_APART)
        assert greeted(person) == 1
        assert await hall.services.directs.promised() == {}
        await hall.env.advance_time(2 * OPENINGS_APART)
        assert greeted(person) == 1


async def test_a_promise_to_who_took_no_messages_before_is_kept(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        person = hall.people[0]
        await hall.services.people.change_settings(person.id, dms_closed=True, choices={"direct": 0})
        await taken(hall, OPENINGS_AT_ONCE)
        page = reply(await person.slash(hall.channel, "settings"))
        said = text(reply(await fill(person, page, "New tables here", how=DM)))
        assert re.search(r"I'll send you a DM <t:\d+:R>", said)
        await hall.env.advance_time(2 * OPENINGS_APART)
        assert greeted(person) == 1


async def test_a_promise_is_dropped_if_the_person_wants_none_anymore(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        person = hall.people[0]
        await hall.services.people.change_settings(person.id, choices={"direct": 0})
        await taken(hall, OPENINGS_AT_ONCE)
        await asks(person, hall)
        await hall.services.people.change_settings(person.id, dms=False)
        await hall.env.advance_time(2 * OPENINGS_APART)
        assert greeted(person) == 0
        assert await hall.services.directs.promised() == {}


async def test_who_would_wait_too_long_is_told_so_and_takes_no_turn(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        person = hall.people[0]
        await hall.services.people.change_settings(person.id, choices={"direct": 0})
        await taken(hall, OPENINGS_AT_ONCE + round(LONGEST_QUEUE / OPENINGS_APART) + 5)
        assert "Many people are waiting for their first DM" in await asks(person, hall)
        assert await hall.services.directs.promised() == {}


async def test_who_takes_no_messages_is_tried_once_a_minute_however_often_they_ask(open_hall: Opened) -> None:
    """Discord counts what it refuses. Who takes them again is written to within the minute."""
    async with open_hall(2) as hall:
        person = hall.people[0]
        path = f"/channels/{person.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=403, code=50007, message="no", times=None)
        since = len(hall.env.http_requests)
        assert "Discord won't let me message you" in await asks(person, hall)
        for _ in range(5):
            assert re.search(r"I'll send you a DM <t:\d+:R>", await asks(person, hall))
        assert sum(request.path == path for request in hall.env.http_requests[since:]) == 1
        assert (await hall.services.people.settings(person.id)).dms_closed
        hall.env.backend.faults.clear()
        await hall.env.advance_time(REFUSED_FOR + 1)
        assert greeted(person) == 1
        assert not (await hall.services.people.settings(person.id)).dms_closed


async def test_who_wants_no_messages_anymore_is_not_tried_again(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        person = hall.people[0]
        path = f"/channels/{person.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=403, code=50007, message="no", times=None)
        since = len(hall.env.http_requests)
        for _ in range(2):
            await asks(person, hall)
        await hall.services.people.change_settings(person.id, dms=False)
        await hall.env.advance_time(REFUSED_FOR + 1)
        assert sum(request.path == path for request in hall.env.http_requests[since:]) == 1

"""Direct messages go only to people who have asked for them, and no game needs any."""

from __future__ import annotations

import asyncio
import itertools
import re
from pathlib import Path

import pytest

from tests.wire.forms import set_own
from tests.wire.messages import Message
from tests.wire.party import Party, Person, party

YES, NO = "Send my hand by DM", "Only in the channel"


def opened(table: Party) -> int:
    """How often the bot has tried to open direct messages."""
    return len(table.wire.calls("POST /users/@me/channels"))


async def call_me(person: Person, where: str = "dm") -> None:
    """Let direct messages call a person."""
    it = await set_own(person, reminders=where)
    assert it.response is not None


async def test_players_get_no_direct_messages_unless_they_ask_for_them(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        await table.begin()
        for _ in range(20):
            await table.step()
        await table.panel_current()
        assert opened(table) == 0
        called = {ping.user for ping in table.wire.world.pings}
        assert called == {person.human for person in table.people}


async def test_the_first_join_asks_about_direct_messages_and_the_answer_is_remembered(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        ann, bob = table.people
        made = await ann.slash(table.channel, "game new")
        await table.settled()
        it = await bob.click(await table.panel(), label="Join")
        await table.settled()
        first = [labels(found.messages[-1]) for found in (made, it)]
        assert [found[:2] for found in first] == [[YES, NO], [YES, NO]]
        assert "Where do you want to see your hand?" in it.text
        answer = await bob.click(it.messages[-1], label=YES)
        assert "I've sent you a DM" in answer.text
        [greeting] = table.wire.dms(bob.human)
        assert "Your hands and reminders come here" in greeting.text
        await ann.click(made.messages[0], label=NO)
        assert table.wire.dms(ann.human) == []
        await ann.click(await table.panel(), label="Start")
        await table.settled(1)
        while len(table.wire.dms(bob.human)) < 2:
            await table.step()
        assert opened(table) == 1, "the channel is kept"
        there = await bob.slash(table.wire.world.dock, "game new")
        assert YES not in labels(there.messages[0])


async def test_only_the_player_is_told_that_their_direct_messages_are_closed(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        ann, bob = table.people
        await ann.slash(table.channel, "game new")
        await table.settled()
        it = await bob.click(await table.panel(), label="Join")
        await table.settled()
        bob.human.dm_refusal = 50007
        answer = await bob.click(it.messages[-1], label=YES)
        assert "Discord won't let me message you" in answer.text
        await ann.click(await table.panel(), label="Start")
        await table.settled(1)
        for _ in range(8):
            await table.step()
        assert all("Discord won't let me" not in message.text for message in table.wire.messages(table.channel))
        assert opened(table) == 1
        assert "Discord won't let me message you" in (await bob.slash(table.channel, "hand")).text


async def test_a_player_who_can_no_longer_get_direct_messages_is_called_in_the_channel(tmp_path: Path) -> None:
    async with party(tmp_path, people=2) as table:
        await table.begin()
        for person in table.people:
            await call_me(person)
            person.human.dm_refusal = 50007
        pings, people = table.wire.world.pings, {person.human for person in table.people}
        while (await table.game()).view(None).step.kind != "pre_roll":
            await table.step()
        person, _ = await table.choose()
        began = len(pings)
        await table.step()
        while (await table.choose())[0] is person:
            await table.step()
        [other] = people - {person.human}

        def called() -> list[Message]:
            own = [ping.message for ping in pings[began:] if ping.user is other]
            return [message for message in own if "the game is waiting" in message.text]

        [message] = await table.wire.until(called, 30.0)
        assert message.text == f"<@{other.id}> · the game is waiting for you."


@pytest.mark.parametrize("code", [20026, pytest.param(40003, marks=pytest.mark.soak)])
async def test_after_a_direct_message_limit_all_players_are_called_in_the_channel(tmp_path: Path, code: int) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        world = table.wire.world
        await table.gather()
        world.direct.quarantined = code == 20026
        for person in table.people:
            person.human.dm_refusal = 40003 if code == 40003 else 0
            await set_own(person, reminders="dm")
            answer = await set_own(person, dms=True)
            assert "won't let me open DMs" in answer.text
        assert opened(table) == 1
        await table.people[0].click(await table.panel(), label="Start")
        await table.settled(1)
        for _ in range(15):
            await table.step()
        assert opened(table) == 1
        assert {ping.user for ping in world.pings} == {person.human for person in table.people}


async def test_direct_messages_to_eight_players_who_ask_one_after_another_are_spread_out(tmp_path: Path) -> None:
    async with party(tmp_path, people=8, messages=False) as table:
        answers = [(await set_own(person, dms=True)).text for person in table.people]
        assert ["I've sent you" in text for text in answers] == [True] * 5 + [False] * 3
        waits = [re.search(r"I'll send you a DM <t:(\d+):R>", text) for text in answers[5:]]
        times = [int(found[1]) for found in waits if found]
        assert [round((b - a) / 60) for a, b in itertools.pairwise(times)] == [4, 4]
        assert opened(table) == 5


def labels(message: object) -> list[str]:
    """The labels of a message's controls, in order."""
    return [c.get("label") or c.get("placeholder") for c in message.interactive]  # type: ignore[attr-defined]


async def test_a_failed_direct_message_is_reported_and_the_channel_calls_the_player(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await table.gather()
        table.wire.fault("POST /users/@me/channels", 503, times=1000)
        for person in table.people:
            answer = await set_own(person, dms=True, reminders="dm")
            assert "I couldn't send you a DM" in answer.text
        await table.people[0].click(await table.panel(), label="Start")
        await table.wire.until(lambda: bool(table.wire.world.pings), what="nobody is called")
        person, _ = await table.choose()
        assert [ping.user for ping in table.wire.world.pings] == [person.human]
        table.wire.faults.clear()
        for other in table.people:
            answer = await set_own(other, dms=True)
            # the player whose turn it is has perhaps got their hand before they asked
            assert other is person or "I've sent you a DM" in answer.text
            assert table.wire.dms(other.human)


async def test_pressing_twice_sends_one_greeting(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        made = await table.people[0].slash(table.channel, "game new")
        person = table.people[0].human
        await asyncio.gather(*(person.click(made.messages[-1], YES) for _ in range(2)))
        await table.settled()
        assert len(table.wire.dms(person)) == 1

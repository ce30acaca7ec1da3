"""Threads: as the stand-in has them, and what happens to one that a bot made just before it was killed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.discord.threads import LATER
from tests.wire.calls import Request
from tests.wire.model import Permission, Refused
from tests.wire.party import Party, party
from tests.wire.places import PRIVATE, Channel
from tests.wire.rest import Rest
from tests.wire.server import WireServer
from tests.wire.threads import Threads


class Yarn:
    """The bot's requests about threads."""

    def __init__(self) -> None:
        self.world = WireServer().world
        self.told: list[tuple[str, str]] = []
        self.world.told = lambda event, data: self.told.append((event, data["id"]))
        self.rest = Rest(self.world, str)
        self.threads = Threads(self.world, self.rest)
        self.parent = self.world.dock

    def make(self, **body: Any) -> Channel:
        """POST /channels/{id}/threads below the dock."""
        call = Request("POST", "", 0.0, json={"name": "x", "type": 11, **body})
        return self.world.channels[int(self.threads.make(call, str(self.parent.id))["id"])]

    def write(self, thread: Channel) -> str:
        """POST /channels/{id}/messages. Returns the message's id."""
        call = Request("POST", "", 0.0, json={"content": "x"})
        return str(self.rest.post_message(call, str(thread.id))["id"])


@pytest.fixture
def yarn() -> Yarn:
    return Yarn()


def test_a_thread_counts_its_messages_and_its_creation_is_announced(yarn: Yarn) -> None:
    thread = yarn.make(name=" the island game ", auto_archive_duration=60)
    about = thread.json()
    assert (about["name"], about["owner_id"]) == ("the island game", str(yarn.world.bot.id))
    assert (about["type"], about["thread_metadata"]["auto_archive_duration"]) == (11, 60)
    first, _ = yarn.write(thread), yarn.write(thread)
    yarn.rest.delete_message(Request("DELETE", "", 0.0), str(thread.id), first)
    about = thread.json()
    assert (about["message_count"], about["total_message_sent"]) == (1, 2)
    assert yarn.told == [("THREAD_CREATE", str(thread.id))]


@pytest.mark.parametrize("wrong", [{"name": " "}, {"name": "x" * 101}, {"auto_archive_duration": 61}])
def test_a_thread_with_a_bad_name_or_archive_time_is_refused(yarn: Yarn, wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="400 50035"):
        yarn.make(**wrong)


def test_rights_in_a_thread_come_from_its_parent_channel(yarn: Yarn) -> None:
    thread = yarn.make()
    yarn.parent.deny(yarn.world.bot, Permission.CREATE_PUBLIC_THREADS | Permission.MANAGE_THREADS)
    with pytest.raises(Refused, match="403 50013"):
        yarn.make()
    with pytest.raises(Refused, match="403 50013"):
        yarn.threads.delete(Request("DELETE", "", 0.0), str(thread.id))
    yarn.rest.edit_channel(Request("PATCH", "", 0.0, json={"archived": True}), str(thread.id))
    assert thread.archived


def test_only_members_of_a_private_thread_can_write_in_it(yarn: Yarn) -> None:
    thread = yarn.make(type=PRIVATE)
    yarn.parent.deny(yarn.world.bot, Permission.MANAGE_THREADS)
    yarn.write(thread)
    yarn.threads.remove(Request("DELETE", "", 0.0), str(thread.id), "@me")
    with pytest.raises(Refused, match="403 50001"):
        yarn.write(thread)


def test_the_number_of_open_threads_in_a_server_is_limited(yarn: Yarn) -> None:
    yarn.world.most_threads = 2
    yarn.make()
    with pytest.raises(Refused, match="400 160006"):
        yarn.make()
    yarn.world.pier.archived = True
    yarn.make()


def test_a_message_can_start_only_one_thread(yarn: Yarn) -> None:
    message, below = yarn.write(yarn.parent), Request("POST", "", 0.0, json={"name": "x"})
    made = yarn.threads.make_below(below, str(yarn.parent.id), message)
    assert made["id"] == message
    with pytest.raises(Refused, match="400 160004"):
        yarn.threads.make_below(below, str(yarn.parent.id), message)


def made_by_the_bot(table: Party) -> list[Channel]:
    """The open threads that the bot has made."""
    world = table.wire.world
    return [c for c in world.channels.values() if c.owner is world.bot and not c.archived]


async def test_a_game_can_be_played_in_its_own_thread(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        answer = await table.people[0].slash(table.channel, "game new", thread=True)
        [thread] = made_by_the_bot(table)
        assert f"<#{thread.id}>" in answer.text
        table.place = thread
        for person in table.people[1:]:
            await person.slash(thread, "game join")
        await table.settled()
        await table.people[0].click(await table.panel(), label="Start")
        await table.settled(1)
        await table.step()
        await table.panel_current()


@pytest.mark.parametrize(
    "said", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["empty", "somebody has written in it"]
)
async def test_a_kill_between_creating_a_thread_and_its_table_leaves_no_empty_thread(
    tmp_path: Path, said: bool
) -> None:
    async with party(tmp_path) as table:
        fault = table.wire.fault("POST /channels/.*/threads", reply_delay=60.0)
        await table.people[0].human.slash("game new", {"thread": True})
        await table.wire.until(lambda: fault.hits and made_by_the_bot(table))
        await table.bot.kill()
        table.wire.faults.clear()
        [thread] = made_by_the_bot(table)
        if said:
            table.wire.world.say(table.people[1].human, "Shall we play here?", thread)
        await asyncio.sleep(1.1)  # the bot knows Discord's clock to the second, and the thread must be older
        await table.bot.start()
        if said:
            await asyncio.sleep(LATER + 5.0)
            assert made_by_the_bot(table) == [thread]
        else:
            await table.wire.until(lambda: not made_by_the_bot(table), 30.0)

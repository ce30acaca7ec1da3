"""Games as posts of a forum, over sockets: opened there, tagged as they go on, or left untagged if that can't be."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord.threads import LATER
from tests.wire.forms import set_options
from tests.wire.messages import Message
from tests.wire.model import Permission
from tests.wire.party import Party, party
from tests.wire.places import FORUM, Channel

PICK = "Forum for game threads: none"


async def forum_of(table: Party, *, may_tag: bool) -> Message:
    """Make the dock a forum and the place for game threads. Returns the page that says so."""
    world = table.wire.world
    world.dock.type = FORUM
    if not may_tag:
        table.wire.staff.deny(world.dock, world.bot, Permission.MANAGE_CHANNELS)
    page = (await table.people[0].slash(table.channel, "server")).messages[0]
    chosen = await table.people[0].select(page, [str(world.dock.id)], custom_id=PICK)
    return chosen.messages[0] if chosen.messages else page


def tags(post: Channel) -> list[str]:
    """The names of a post's tags."""
    assert post.parent is not None
    return [tag["name"] for tag in post.parent.tags if tag["id"] in post.applied]


def posts(table: Party) -> list[Channel]:
    """The posts that the bot has opened in the forum."""
    world = table.wire.world
    return [c for c in world.channels.values() if c.parent is world.dock and c is not world.pier]


async def opened(table: Party) -> Channel:
    """Open a table in a post of its own, and let all people join."""
    host, *others = table.people
    answer = await host.slash(table.channel, "game new", thread=True)
    assert "is open in" in answer.text
    [post] = posts(table)
    table.place = post
    await table.settled()
    for person in others:
        await person.click(await table.panel(), label="Join")
        await table.settled()
    return post


async def test_a_posts_tags_show_the_state_of_its_game(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        world = table.wire.world
        page = await forum_of(table, may_tag=True)
        assert f"posts in <#{world.dock.id}>" in page.text
        assert [tag["name"] for tag in world.dock.tags] == ["Open seat", "Running", "Over"]
        world.dock.tags.append({**world.dock.tags[0], "id": str(world.ids()), "name": "Friends"})
        world.dock.needs_tag = True
        post = await opened(table)
        assert tags(post) == ["Open seat"]
        post.applied.append(world.dock.tags[-1]["id"])
        world.dock.needs_tag = False
        await set_options(table, only_invited=True)
        await table.wire.until(lambda: tags(post) == ["Friends"], 5)
        await set_options(table, only_invited=False)
        await table.wire.until(lambda: tags(post) == ["Open seat", "Friends"], 5)
        await table.people[0].click(await table.panel(), label="Start")
        await table.settled(1)
        assert tags(post) == ["Running", "Friends"]
        edits = [r for r in table.wire.requests if r.method == "PATCH" and "applied_tags" in (r.json or {})]
        assert len(edits) == 3, "what it was opened with is right"
        asked = await table.people[0].slash(post, "game resign")
        await table.people[0].click(asked.messages[0], label="Yes, leave the game for good")
        await table.settled()
        assert tags(post) == ["Over", "Friends"]


async def test_games_can_be_opened_in_a_forum_without_the_tags(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        world = table.wire.world
        page = await forum_of(table, may_tag=False)
        assert f"Add the tags **Open seat**, **Running** and **Over** to <#{world.dock.id}>" in page.text
        post = await opened(table)
        await table.people[0].click(await table.panel(), label="Start")
        await table.settled(1)
        assert post.applied == []


async def test_a_table_in_the_forum_needs_the_permission_to_post_there(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        world = table.wire.world
        await forum_of(table, may_tag=False)
        bob = table.people[1]
        table.wire.staff.deny(world.dock, bob.human, Permission.SEND_MESSAGES)
        assert "You can't open threads" in (await bob.slash(table.channel, "game new", thread=True)).text
        table.wire.staff.deny(world.dock, world.bot, Permission.SEND_MESSAGES_IN_THREADS)
        lacking = await table.people[0].slash(table.channel, "game new", thread=True)
        assert "**Send Messages in Threads**" in lacking.text
        table.wire.staff.deny(world.dock, world.bot, Permission.VIEW_CHANNEL)
        hidden = await table.people[0].slash(table.channel, "game new", thread=True)
        assert "I can't see the forum for game threads" in hidden.text
        assert not posts(table)


async def test_a_forum_that_requires_a_tag_says_which_one_to_add(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        world = table.wire.world
        await forum_of(table, may_tag=False)
        world.dock.needs_tag = True
        refused = await table.people[0].slash(table.channel, "game new", thread=True)
        assert "can add the tag **Open seat** there" in refused.text
        assert not posts(table)
        tag = {"id": str(world.ids()), "name": "Open seat", "moderated": True, "emoji_id": None, "emoji_name": None}
        world.dock.tags.append(tag)
        table.wire.staff.deny(world.dock, world.bot, Permission.MANAGE_THREADS)
        refused = await table.people[0].slash(table.channel, "game new", thread=True)
        assert "can add the tag **Open seat** there" in refused.text
        tag["moderated"] = False
        await opened(table)


async def test_a_lasting_refusal_of_a_thread_is_told_in_discords_words(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        table.wire.fault("POST /channels/[0-9]+/threads", 400, code=200001, message="Title was blocked by AutoMod")
        refused = await table.people[0].slash(table.channel, "game new", thread=True)
        assert "“Title was blocked by AutoMod”. Leave `thread` out" in refused.text


async def test_tags_go_on_in_another_language_and_in_another_post(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        wire, host = table.wire, table.people[0]
        await forum_of(table, may_tag=True)
        post = await opened(table)
        await set_options(table, language="de")
        panel = await table.panel()
        start = next(str(one["custom_id"]) for one in panel.interactive if ":start:" in str(one["custom_id"]))
        await host.click(panel, custom_id=start)
        await table.settled(1)
        await wire.until(lambda: tags(post) == ["Running"], 5)
        await host.slash(wire.world.table, "game new", thread=True)
        [other] = [one for one in posts(table) if one is not post]
        await host.slash(other, "game cancel")
        await wire.until(lambda: tags(other) == ["Over"], 5)
        wire.fault(f"GET /channels/{post.id}$", code=10003, times=9)  # as if it was deleted
        await host.slash(other, "game move", game=1)
        await wire.until(lambda: tags(other) == ["Running"], 10)


@pytest.mark.soak  # it waits for a minute
async def test_a_post_whose_answer_was_lost_is_removed(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await forum_of(table, may_tag=True)
        table.wire.fault("^POST /channels/[0-9]+/threads", 502, effect=True)  # discord.py repeats it
        await table.people[0].slash(table.channel, "game new", thread=True)
        assert len(posts(table)) == 2
        await table.wire.until(lambda: len(posts(table)) == 1, LATER + 15.0)

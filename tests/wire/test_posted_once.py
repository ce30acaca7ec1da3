"""Killed after a post and before its id is stored: no message is posted twice. And lost panels lose their buttons."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.actions import AgreeToCallOff
from tests.bot.discord.doing import by_commands
from tests.wire.messages import Message
from tests.wire.openings import begun, lobby, main_step, on_turn
from tests.wire.party import Party, party
from tests.wire.position import Position

Doing = Callable[[Party], Awaitable[object]]


@dataclass(frozen=True)
class Post:
    """A kind of message: the position from which it is reached, what leads to it, and how to recognize it."""

    position: Callable[[Path], Awaitable[Position]] | None
    do: Doing
    about: str  # regular expression, searched in the request's JSON
    dm: bool = False
    before: Doing | None = None


async def open_table(table: Party) -> object:
    return await table.people[0].human.slash("game new")


async def start(table: Party) -> object:
    return await table.people[0].human.click(await table.panel(), "Start", stale=True)


async def end(table: Party) -> object:
    return await (await on_turn(table)).human.slash("end")


async def place(table: Party) -> object:
    """Place the first player's settlement, or road."""
    person, action = await table.choose()
    return await by_commands(table, person, action)


async def agree(table: Party) -> object:
    """Let the last player agree to end the game."""
    return await by_commands(table, table.people[-1], AgreeToCallOff())


async def others_agree(table: Party) -> None:
    for person in table.people[:-1]:
        await by_commands(table, person, AgreeToCallOff())
        await table.settled()


PLAIN = r"^(?!.*custom_id)"  # without anything to click
POSTS = {
    "promise": Post(None, open_table, "fingerprint"),
    "lobby": Post(None, open_table, '"Join"'),
    "closing": Post(lobby, start, "Shuffling"),
    "first panel": Post(lobby, start, "board.png.*custom_id|custom_id.*board.png"),
    "panel": Post(main_step, end, "board.png.*custom_id|custom_id.*board.png"),
    "ping": Post(begun, place, rf"{PLAIN}.*<@\d+>", before=place),
    "first message": Post(lobby, start, "", dm=True),
    "page": Post(main_step, agree, r"Check every die.*game-[0-9]+\.html", before=others_agree),
}


@pytest.mark.parametrize("again", [pytest.param(False, marks=pytest.mark.soak), True], ids=["not repeated", "repeated"])
@pytest.mark.parametrize("name", POSTS)
async def test_a_message_sent_just_before_a_kill_is_not_sent_again(tmp_path: Path, name: str, again: bool) -> None:
    """Whether or not someone repeats what led to it."""
    post = POSTS[name]
    position = await post.position(tmp_path) if post.position else None
    async with party(tmp_path, 3, position=position) as table:
        if post.before is not None:
            await post.before(table)
            await table.settled()
        earlier = set(fitting(table, post))
        rooms = [table.wire.world.dm(p.human).id for p in table.people] if post.dm else [table.channel.id]
        where = rf"^POST /channels/({'|'.join(map(str, rooms))})/messages"
        fault = table.wire.fault(where, about=post.about, reply_delay=60.0, times=4)
        doing = asyncio.create_task(attempt(post.do, table))
        await table.wire.until(lambda: fault.hits)
        await table.bot.kill()
        await doing
        table.wire.faults.clear()
        await table.bot.start()
        if again:
            await attempt(post.do, table)
        await asyncio.sleep(1.0)  # by now it has looked for unfinished work
        await table.settled()
        posted = [m for m in fitting(table, post) if m not in earlier]
        rooms_used = [m.channel for m in posted]
        assert posted
        assert len(rooms_used) == len(set(rooms_used)), "\n---\n".join(m.text for m in posted)
        for message in posted:
            notified = [ping.user for ping in table.wire.world.pings if ping.message is message]
            assert len(notified) == len(set(notified))
        if name != "ping":
            assert all(not m.deleted for m in posted)
        if (await table.read()).revision:
            await table.panel_current()


def fitting(table: Party, post: Post) -> list[Message]:
    """All messages of this kind that were ever posted, even if deleted."""
    public = [m for m in table.wire.world.messages.values() if not m.only_for]
    if post.dm:
        return [m for m in public if m.channel.recipient]
    here = [m for m in public if m.channel is table.channel]
    return [m for m in here if re.search(post.about, first_state(m))]


def first_state(message: Message) -> str:
    """The message as it was posted, in one line."""
    state = message.history[0] if message.history else message.json()
    files = [a.filename for a in message.attachments]
    return json.dumps([state["content"], state["components"], files], ensure_ascii=False)


async def attempt(do: Doing, table: Party) -> None:
    """Do something, whatever happens: the bot is killed or refuses, or the button no longer exists."""
    with contextlib.suppress(TimeoutError, LookupError, AssertionError, ValueError):
        await do(table)


# --- panels that the bot has lost


async def is_put_away(table: Party, lost: Message) -> None:
    """Click on a lost panel. Nothing is done, its buttons go, and a private message says where the panel is."""
    before = await table.read()
    person = await on_turn(table)
    it = await person.human.click(lost, "End turn")
    await table.wire.until(lambda: not lost.interactive, 5.0, "it can still be used")
    await table.wire.until(lambda: it.followups or (it.response and it.response is not lost), 5.0, "nothing is told")
    await table.settled()
    answers = [m for m in it.messages if m is not lost]
    assert answers
    assert all(m.only_for is person.human for m in answers)
    [panel] = table.panels()
    assert f"/{panel.id}" in json.dumps([m.json() for m in answers]), [m.text for m in answers]
    assert (await table.read()).records == before.records
    await table.panel_current()


async def goes_on(table: Party) -> None:
    """Check that the current panel works."""
    await table.step()
    await table.panel_current()


async def test_a_lost_panel_whose_nonce_has_expired_loses_its_buttons(table: Party) -> None:
    """The bot was killed while posting it, and started much later. It posts a second one, and finds the first."""
    fault = table.wire.fault(rf"^POST /channels/{table.channel.id}/messages", about="board.png", reply_delay=60.0)
    doing = asyncio.create_task(attempt(end, table))
    await table.wire.until(lambda: fault.hits)
    await table.bot.kill()
    await doing
    lost = await table.panel()
    table.wire.world.nonces.clear()
    await table.bot.start()
    await table.wire.until(lambda: not lost.interactive, 5.0, "it can still be used")
    await table.panel_current()
    await goes_on(table)


@pytest.mark.parametrize(("code", "times"), [(10008, 1), (30046, 5)])
async def test_a_panel_that_couldnt_be_edited_is_deleted_once_another_is_posted(
    table: Party, code: int, times: int
) -> None:
    """Discord said that it is gone, or too old to edit, though it still exists."""
    lost = await table.panel()
    fault = table.wire.fault(rf"^PATCH /.*/messages/{lost.id}", code=code, times=times)
    await table.people[0].slash(table.channel, "board")  # this has the panel shown again
    await table.wire.until(lambda: fault.hits >= times)
    await table.wire.settled(0.3)
    await table.settled()
    assert lost.deleted
    await goes_on(table)


async def test_panels_newer_than_a_restored_file_lose_their_buttons(table: Party) -> None:
    """An older copy of the file was put back."""
    await table.bot.stop()
    copy = table.bot.database.read_bytes()
    await table.bot.start()
    await attempt(end, table)
    await asyncio.sleep(1.0)
    await table.settled()
    lost = await table.panel()
    await table.bot.stop()
    table.bot.database.write_bytes(copy)
    await table.bot.start()
    await table.wire.until(lambda: not lost.interactive, 5.0, "it can still be used")
    await table.panel_current()
    await goes_on(table)


# --- deleted messages: Discord refuses to post them again under their nonce, for some minutes


@pytest.mark.parametrize(
    ("position", "path"),
    [(lobby, "game join"), (lobby, "board"), (begun, "board"), (main_step, "board")],
)
async def test_a_panel_that_is_deleted_repeatedly_is_posted_again_each_time(
    tmp_path: Path, position: Callable[[Path], Awaitable[Position]], path: str
) -> None:
    """By a moderator. Each time someone does what shows the panel, it comes."""
    async with party(tmp_path, position=await position(tmp_path)) as table:
        for _ in range(3):
            (await table.panel()).deleted = True
            await table.people[1].slash(table.channel, path)
            await table.wire.until(table.panels, 5.0, "there is no panel any more")
            await table.wire.settled()
        assert len(table.panels()) == 1


async def test_a_call_after_repeated_undos_is_a_single_notification(tmp_path: Path) -> None:
    async with party(tmp_path, position=await begun(tmp_path)) as table:
        first = await on_turn(table)
        await place(table)
        await table.settled()
        _, road = await table.choose()
        for _ in range(3):
            await by_commands(table, first, road)
            await table.settled()
            second = await on_turn(table)
            assert second is not first
            room = [ping for ping in table.wire.world.pings if ping.message.channel is table.channel]
            pings = [ping.message for ping in room if ping.user is second.human]
            assert len(pings) == 1
            assert len(table.wire.dms(second.human)) == 1
            await first.slash(table.channel, "undo")
            await table.settled()
            assert pings[-1].deleted


async def test_a_refused_start_deletes_its_closing_message_and_the_next_start_posts_another(tmp_path: Path) -> None:
    """While the closing message was on its way, people left. It is deleted, and the next Start posts another one."""
    async with party(tmp_path, 2, position=await lobby(tmp_path)) as table:
        fault = table.wire.fault(rf"^POST /channels/{table.channel.id}/messages", about="Shuffling", reply_delay=2.0)
        doing = asyncio.create_task(attempt(start, table))
        await table.wire.until(lambda: fault.hits)
        for person in table.people[1:]:
            await person.slash(table.channel, "game leave")
        await doing
        await table.settled()
        [refused] = fitting(table, POSTS["closing"])
        await table.wire.until(lambda: refused.deleted, 20.0, what="the closing message is deleted")
        await table.people[1].slash(table.channel, "game join")
        await start(table)
        await table.settled()
        _, closing = fitting(table, POSTS["closing"])
        assert not closing.deleted
        await table.stored(1, 20.0)
        assert (await table.read()).table.entropy[-1] == str(closing.id)
        await table.panel_current()


async def test_a_closing_message_that_was_not_noted_is_deleted_if_the_table_is_closed_again(tmp_path: Path) -> None:
    """Killed after that message was sent; then someone changes the table."""
    async with party(tmp_path, 2, position=await lobby(tmp_path)) as table:
        fault = table.wire.fault(rf"^POST /channels/{table.channel.id}/messages", about="Shuffling", reply_delay=60.0)
        doing = asyncio.create_task(attempt(start, table))
        await table.wire.until(lambda: fault.hits)
        await table.bot.kill()
        await doing
        await table.bot.start()
        for command in ("game leave", "game join"):
            await table.people[1].slash(table.channel, command)
        await start(table)
        await table.settled()
        lost, closing = fitting(table, POSTS["closing"])
        assert lost.deleted
        assert not closing.deleted
        assert (await table.read()).table.entropy[-1] == str(closing.id)

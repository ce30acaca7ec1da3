"""Events that lack a field, or have one of another type: none ends the process, and interactions are answered."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.discord.talk.dispatch import BROKEN, STRANGE
from bot.discord.talk.tree import UNKNOWN
from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction
from tests.wire.messages import Message
from tests.wire.model import Json
from tests.wire.mutations import paths, variants, without
from tests.wire.openings import main_step
from tests.wire.party import Party, party
from tests.wire.places import ANNOUNCEMENT, FORUM, STAGE, VOICE, Channel

NEEDED = {"id", "token", "type", "member", "user", "data", "custom_id", "component_type", "name", "options", "value"}
"""Fields without which an interaction isn't carried out, wherever they are; but the channel needs none of them."""


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Party]:
    """A game in which a player has rolled."""
    async with party(tmp_path, position=await main_step(tmp_path), env={"HARBORMASTER_HTTP": ""}) as found:
        yield found


def places(table: Party) -> list[Channel]:
    """A channel of each kind, and a thread, in which no game is."""
    world = table.wire.world
    world.tavern.type = VOICE
    kinds = [world.tavern, world.pier]
    for kind in (STAGE, ANNOUNCEMENT):
        kinds.append(Channel(world.ids(), "more", guild=world.home, type=kind))
    forum = Channel(world.ids(), "forum", guild=world.home, type=FORUM)
    kinds.append(Channel(world.ids(), "post", guild=world.home, parent=forum))
    for channel in [*kinds, forum]:
        world.channels.setdefault(channel.id, channel)
    return kinds


async def garbled(table: Party, kind: int, doing: Awaitable[Any], changed: Callable[[Json], Json]) -> Any:
    """Do something whose interaction of this type arrives changed. Returns what comes of it."""

    def garble(payload: Json) -> None:
        made = changed(payload) if payload["type"] == kind else dict(payload)
        payload.clear()
        payload.update(made)

    table.wire.garble = garble
    try:
        return await doing
    finally:
        table.wire.garble = lambda payload: None


async def sent(table: Party, kind: int, doing: Awaitable[Any]) -> Json:
    """Do something. Returns the payload of its interaction of this type."""
    found: list[Json] = []

    def look(payload: Json) -> Json:
        found.append(copy.deepcopy(payload))
        return dict(payload)

    await garbled(table, kind, doing, look)
    await table.wire.settled()
    return found[0]


def said(it: Interaction) -> str:
    """What the person reads."""
    return " ".join([it.text, *(message.text for message in it.messages)])


async def test_a_command_whose_channel_lacks_a_field_is_carried_out(table: Party) -> None:
    human = table.people[0].human
    for channel in places(table):
        for path in [("channel",), *(("channel", *rest) for rest in paths(channel.json()))]:
            doing = human.slash("help", channel=channel)
            it = await garbled(table, COMMAND, doing, lambda payload, p=path: without(payload, p))  # type: ignore[misc]
            await table.wire.until(lambda it=it: it.text, what=f"without {path}: no answer")  # type: ignore[misc]
            assert it.text not in (BROKEN, UNKNOWN), (channel.type, path)


async def test_an_interaction_that_lacks_any_field_is_answered(table: Party) -> None:
    human, bob, channel, wire = table.people[0].human, table.people[1].human, table.channel, table.wire

    async def page(name: str) -> Message:
        it = await human.slash(name, channel=channel)
        await wire.until(lambda: it.text)
        return it.messages[0]

    async def choose() -> Interaction:
        return await human.select(await page("server"), "hs:openers:0:", ["managers"])

    typed = {"place": "c"}
    form = await human.click(await page("settings"), "hb:form:0::building")
    doing: dict[str, tuple[int, Callable[[], Awaitable[Any]]]] = {
        "command": (COMMAND, lambda: human.slash("help", channel=channel)),
        "command about a person": (COMMAND, lambda: human.slash("profile", {"user": bob}, channel=channel)),
        "click": (COMPONENT, lambda: human.click(table.panels()[-1], "My hand")),
        "choice": (COMPONENT, choose),
        "form": (MODAL, lambda: human.submit_modal(form, {})),
        "suggestions": (AUTOCOMPLETE, lambda: human.autocomplete("build road", typed, "place", channel=channel)),
    }
    for kind, (number, do) in doing.items():
        for path in paths(await sent(table, number, do())):
            if path[0] in ("id", "token"):  # no one can be answered
                continue
            it = await garbled(table, number, do(), lambda payload, p=path: without(payload, p))  # type: ignore[misc]
            if not isinstance(it, Interaction):  # the suggestions
                continue
            what = f"a {kind} without {path}"
            await wire.until(lambda it=it: said(it).strip(), what=f"{what}: no answer")  # type: ignore[misc]
            if not NEEDED & set(path) or path[0] in ("channel", "guild", "message"):
                assert said(it).strip() not in (BROKEN, UNKNOWN, STRANGE), what
    await table.step()
    await table.panel_current()


@pytest.mark.soak
@pytest.mark.parametrize("kind", [COMMAND, COMPONENT])
async def test_an_interaction_with_a_field_of_another_type_is_answered(table: Party, kind: int) -> None:
    human, channel, wire = table.people[0].human, table.channel, table.wire

    def do() -> Awaitable[Any]:
        return human.slash("help", channel=channel) if kind == COMMAND else human.click(table.panels()[-1], "My hand")

    for what, changed in variants(await sent(table, kind, do())):
        if not isinstance(changed, dict) or what.startswith(("no", "('id',)", "('token',)")):
            continue
        head = {name: changed.get(name) for name in changed if name not in ("id", "token")}
        it = await garbled(table, kind, do(), lambda payload, h=head: {**payload, **h})  # type: ignore[misc]
        await wire.until(lambda it=it: said(it).strip(), what=f"{what}: no answer")  # type: ignore[misc]
    await table.step()
    await table.panel_current()


EVENTS = (
    ("GUILD_CREATE", "GUILD_DELETE", "CHANNEL_UPDATE", "CHANNEL_DELETE"),
    ("THREAD_CREATE", "THREAD_UPDATE", "THREAD_DELETE", "THREAD_LIST_SYNC", "THREAD_MEMBERS_UPDATE"),
    ("GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE", "GUILD_MEMBER_ADD", "GUILD_MEMBER_UPDATE", "GUILD_MEMBER_REMOVE"),
    ("INTERACTION_CREATE", "RESUMED", "NEW"),
)


async def test_no_event_ends_the_process(table: Party) -> None:
    world, session = table.wire.world, table.wire.gateway.session
    assert session is not None
    thread = world.pier.json()
    home = {"guild_id": str(world.home.id)}
    member = {**world.home.member(world.users[1]), **home}
    payloads: dict[str, Json] = {
        "GUILD_CREATE": world.created(world.home),
        "GUILD_DELETE": {"id": str(world.home.id), "unavailable": True},
        "CHANNEL_UPDATE": world.dock.json(),
        "CHANNEL_DELETE": world.dock.json(),
        "THREAD_LIST_SYNC": {**home, "channel_ids": [str(world.dock.id)], "threads": [thread], "members": []},
        "THREAD_MEMBERS_UPDATE": {
            "id": thread["id"],
            **home,
            "member_count": 1,
            "added_members": [{"id": thread["id"], "user_id": str(world.bot.id), "flags": 0}],
            "removed_member_ids": [str(world.users[1].id)],
        },
        "GUILD_ROLE_UPDATE": {**home, "role": world.home.everyone.json()},
        "GUILD_ROLE_DELETE": {**home, "role_id": "5"},
        "INTERACTION_CREATE": {"id": "5", "token": "t", "type": 2, "data": {"name": "help"}, **home},
        "RESUMED": {"_trace": ["x"]},
    }
    for event in chain(*EVENTS):
        data = payloads.get(event, member if event.startswith("GUILD_MEMBER") else thread)
        for _what, changed in variants(data):
            await session.dispatch(event, changed)
        await session.dispatch("GUILD_CREATE", world.created(world.home))  # whatever was believed before
        await table.wire.settled(1.0)
        await table.step()
        await table.panel_current()
    assert await table.bot.stop() == 0


@pytest.mark.soak
async def test_a_session_whose_beginning_lacks_a_field_is_used_or_follows_another(table: Party) -> None:
    gateway = table.wire.gateway
    assert gateway.session is not None
    for path in paths(gateway.session.events[0][1]):
        spoilt: list[Any] = []

        def once(ready: Json, path: Any = path, spoilt: list[Any] = spoilt) -> Json:
            changed = ready if spoilt else without(ready, path)
            spoilt.append(path)
            return changed

        gateway.changed_ready = once
        await gateway.invalidate()
        for _ in range(15):
            with contextlib.suppress(TimeoutError):
                await table.people[0].human.slash("help", channel=table.channel)
                break
        else:
            pytest.fail(f"without {path}: it doesn't come back")
    await table.panel_current()

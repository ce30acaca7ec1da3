"""The list of a server's games, over sockets. People must see a channel to join there; the list survives kills."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.servers import Overview
from bot.store import open_store
from tests.wire.messages import Message
from tests.wire.model import Permission
from tests.wire.party import Party, party


async def known(table: Party, **changes: Any) -> Overview | None:
    """The list as stored, read while no bot runs. `changes` are stored in it afterwards."""
    store, guild = await open_store(table.bot.address), table.wire.world.home.id
    try:
        overview = await store.overview(guild)
        if changes and overview is not None:
            assert await store.set_overview(guild, overview, replace(overview, **changes))
        return overview
    finally:
        await store.close()


async def test_only_people_who_see_the_channel_join_from_the_list_and_it_survives_kills(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        owner, bob, cat = table.people
        world = table.wire.world
        page = (await owner.slash(world.dock, "server")).messages[0]
        await owner.click(page, label="List all games in this channel")

        def lists() -> list[Message]:
            return [m for m in table.wire.messages(world.dock) if "Games on this server" in m.text]

        await bob.slash(table.channel, "game new")
        await table.settled()
        await table.bot.kill()
        assert await known(table, edited=0.0) is not None, "a minute is over"
        await table.bot.start()
        await table.wire.until(lambda: "Table 1" in lists()[0].text, what="what the dead bot left undone is done")
        assert not lists()[0].notified

        table.wire.staff.deny(table.channel, cat.human, Permission.VIEW_CHANNEL)
        refused = await cat.click(lists()[0], label="Join")
        assert "You can't see that table's channel" in refused.text
        joined = await owner.click(lists()[0], label="Join")
        assert "You're" in joined.text
        assert {member.user for member in (await table.read()).table.members} == {bob.id, owner.id}

        await table.settled()
        await table.bot.kill()
        await known(table, edited=0.0)
        old = lists()[0]
        table.wire.fault(f"PATCH /channels/{world.dock.id}/messages/{old.id}", code=30046, times=5)
        await table.bot.start()
        await table.wire.until(lambda: old.deleted and lists(), 20.0, "one that takes no more edits is posted anew")
        assert owner.human.name in lists()[0].text, "it shows who has joined"
        await table.bot.kill()
        overview = await known(table)
        assert overview is not None
        assert (overview.message, len(lists())) == (lists()[0].id, 1)

        await known(table, edited=0.0, shows="")
        lists()[0].deleted = True
        await table.bot.start()
        await table.settled()
        await table.bot.kill()
        assert await known(table) is None, "somebody has deleted it"
        await table.bot.start()

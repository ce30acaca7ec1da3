"""/server over sockets: selects of roles and channels, which Discord itself lists, and the effect of the choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wire.calls import COMPONENT
from tests.wire.model import Permission
from tests.wire.party import party
from tests.wire.places import FORUM, Channel, Role


async def test_a_role_and_a_channel_limit_who_can_open_tables_and_where(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        owner, bob = table.people
        world, guild = table.wire.world, table.wire.world.home
        captain = Role(world.ids(), "Captain", Permission(0))
        guild.roles[captain.id] = captain
        page = (await owner.slash(table.channel, "server")).messages[0]
        chosen = await owner.select(page, [str(captain.id)], custom_id="Or: only people with this role")
        assert f"<@&{captain.id}>" in chosen.text
        refused = await bob.slash(table.channel, "game new")
        assert f"Only people with the role <@&{captain.id}>" in refused.text
        table.wire.staff.give(guild, bob.human, captain)
        page = chosen.messages[0] if chosen.messages else page
        await owner.select(page, [str(world.dock.id)], custom_id="Where: in any channel")
        refused = await bob.slash(table.channel, "game new")
        assert f"open tables in <#{world.dock.id}>" in refused.text
        opened = await bob.slash(world.dock, "game new")
        assert "is open" in opened.text


async def test_the_page_says_which_chosen_role_channel_and_forum_were_deleted(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        owner, world, guild = table.people[0], table.wire.world, table.wire.world.home
        role = Role(world.ids(), "Captain", Permission(0))
        guild.roles[role.id] = role
        forum = Channel(world.ids(), "games", guild=guild, type=FORUM)
        world.channels[forum.id] = forum
        page = (await owner.slash(table.channel, "server")).messages[0]
        await owner.select(page, [str(role.id)], custom_id="Or: only people with this role")
        await owner.select(page, [str(world.dock.id), str(world.tavern.id)], custom_id="Where: in any channel")
        await owner.select(page, [str(forum.id)], custom_id="Forum for game threads: none")
        world.delete(page)
        for gone in (forum, world.dock):
            table.wire.staff.delete(gone)
        table.wire.staff.drop(guild, role)
        shown = await owner.slash(table.channel, "server")
        assert "the chosen role was deleted" in shown.text
        assert f"Where: <#{world.tavern.id}> and threads there" in shown.text
        assert "the chosen forum was deleted" in shown.text
        world.delete(shown.messages[0])
        table.wire.staff.delete(world.tavern)
        shown = await owner.slash(table.channel, "server")
        assert "the chosen channels were deleted" in shown.text
        changed = await owner.select(shown.messages[0], [], custom_id="Where: in any channel")
        assert "Where: **in any channel**" in changed.text


async def test_who_is_allowed_the_command_under_integrations_can_use_its_controls(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        _owner, bob, carol = table.people
        with pytest.raises(ValueError, match="isn't registered"):
            await bob.slash(table.channel, "server")
        table.wire.world.home.integrations["server"] = {bob.id}
        shown = await bob.slash(table.channel, "server")
        [page] = shown.messages
        for _ in range(2):  # the controls of the changed page, too
            changed = await bob.select(page, ["managers"], custom_id="Only people with a role can open tables")
            assert "Who can open tables: **server managers**" in changed.text
        changed = await bob.click(page, label="Bots allowed: on")
        assert "Bots: **not allowed**" in changed.text
        allowed = next(c["custom_id"] for c in page.interactive if ":openers:" in c["custom_id"])
        signed = allowed.rsplit(":", 1)[-1]
        assert "-" in signed
        for forger, custom_id in (
            (carol, "hs:openers:0:"),
            (carol, allowed),
            (bob, "hs:openers:0:"),
            (bob, f"hs:openers:0::{signed[:-1]}{'1' if signed[-1] == '0' else '0'}"),
            (bob, f"hs:openers:0::{int(signed[:8], 16) + 5:08x}{signed[8:]}"),
        ):
            data = {"custom_id": custom_id, "component_type": 3, "values": ["everybody"]}
            it = await forger.human.raw(COMPONENT, data, channel=table.channel)
            await table.wire.until(lambda it=it: it.text)  # type: ignore[misc]
            assert "Only people who manage this server" in it.text

"""/server over sockets: selects of roles and channels, which Discord itself lists, and the effect of the choices."""

from __future__ import annotations

from pathlib import Path

from tests.wire.model import Permission
from tests.wire.party import party
from tests.wire.places import Role


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

"""/server over sockets: selects of roles and channels, which Discord itself lists, and the effect of the choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wire.calls import COMPONENT, MODAL, Interaction
from tests.wire.filled import row
from tests.wire.model import Json, Permission
from tests.wire.party import Person, party
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
        assert len(signed) == 16
        for forger, custom_id in (
            (carol, "hs:openers:0:"),
            (carol, allowed),
            (bob, "hs:openers:0:"),
            (bob, f"hs:openers:0::{signed[:-1]}{'B' if signed[-1] == 'A' else 'A'}"),
            (bob, f"hs:openers:0::{signed[:4]}{'B' if signed[4] == 'A' else 'A'}{signed[5:]}"),
            (bob, f"hs:openers:0::{'0' * 8}-{'0' * 24}"),  # as earlier versions made them
        ):
            data = {"custom_id": custom_id, "component_type": 3, "values": ["everybody"]}
            it = await forger.human.raw(COMPONENT, data, channel=table.channel)
            await table.wire.until(lambda it=it: it.text)  # type: ignore[misc]
            assert "Only people who manage this server" in it.text


async def test_they_also_choose_how_tables_begin_by_forms_that_no_one_else_can_send(tmp_path: Path) -> None:
    async with party(tmp_path, people=3, messages=False) as table:
        _owner, bob, carol = table.people
        table.wire.world.home.integrations["server"] = {bob.id}
        shown = await bob.slash(table.channel, "server")
        shown = await bob.click(shown.messages[-1], label="New tables begin with…")
        page = shown.messages[-1]
        await bob.select(page, ["islands"], custom_id="Scenario")
        form = await bob.click(page, label="Rules and points")
        assert "First to 12 points" in (await bob.submit_modal(form, {"target": ["12"]})).text
        form = await bob.click(page, label="Only managers change")
        changed = await bob.submit_modal(form, {"fixed": ["scenario", "hints"]})
        assert "**Only managers change:** Scenario and Hints" in changed.text
        custom_id, components = form.data["custom_id"], [row(top, {"fixed": []}, {}) for top in form.data["components"]]
        signed = custom_id.split(":")[5]
        for forger, forged in ((carol, custom_id), (bob, custom_id.replace(f":{signed}", "")), (carol, "hb:begins:0:")):
            kind = COMPONENT if forged.startswith("hb") else MODAL
            data = {"custom_id": forged, **({"component_type": 2} if kind == COMPONENT else {"components": components})}
            it = await forger.human.raw(kind, data, channel=table.channel)
            await table.wire.until(lambda it=it: it.text)  # type: ignore[misc]
            assert "Only people who manage this server" in it.text
        changed = await bob.click(changed.messages[-1], label="All settings")
        assert "New tables begin with: **Islands · First to 12 points" in changed.text


async def test_a_forged_choice_of_a_fixed_option_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async def sent(person: Person, kind: int, data: Json) -> Interaction:
        it = await person.human.raw(kind, data, channel=table.channel)
        await table.wire.until(lambda: it.text)
        return it

    async with party(tmp_path, people=3, messages=False) as table:
        owner, bob, carol = table.people
        page = (await owner.slash(table.channel, "server")).messages[-1]
        page = (await owner.click(page, label="New tables begin with…")).messages[-1]
        form = await owner.click(page, label="Only managers change")
        await owner.submit_modal(form, {"fixed": ["scenario", "hints", "target"]})
        await bob.slash(table.channel, "game new")
        before = (await table.read()).table
        number, refused = before.number, "Only people who manage this server or channel can change “{}”."
        chosen = {"custom_id": f"hs:scenario:{number}:", "component_type": 3, "values": ["islands"]}
        assert refused.format("Scenario") in (await sent(bob, COMPONENT, chosen)).text
        own = await bob.slash(table.channel, "game options")
        boxes = await bob.click(own.messages[-1], label="Table and pictures")
        [field] = [top for top in boxes.data["components"] if top["component"]["custom_id"] == "table"]
        offered = [option["value"] for option in field["component"]["options"]]
        assert "hints" not in offered
        assert "counting" in offered
        unticked = {"type": 18, "component": {"type": 22, "custom_id": "table", "values": []}}
        late = {"custom_id": f"hm:set:{number}::set_table", "components": [unticked]}
        assert refused.format("Hints") in (await sent(bob, MODAL, late)).text
        target = {"type": 18, "component": {"type": 3, "custom_id": "target", "values": ["5"]}}
        late = {"custom_id": f"hm:set:{number}::set_rules", "components": [target]}
        assert refused.format("Points") in (await sent(bob, MODAL, late)).text
        assert "You aren't at this table" in (await sent(carol, COMPONENT, chosen)).text
        after = (await table.read()).table
        assert (after.config, after.options) == (before.config, before.options)

"""How new tables begin on a server: its managers choose it with the forms of a table's options, and fix some of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord.interaction import MODAL, Address
from bot.discord.talk.call import Call
from bot.screens.beginning import BEGINNING_SCOPE, beginning_options
from bot.screens.forms import code
from bot.servers import PAUSE
from bot.table.acts.options import begin_with
from bot.table.beginning import AS_USUAL
from bot.table.option import Number
from bot.table.options import DECIDE, TableOptions
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, allow, answer, fields, fill, find_select, labels, manager, reply, text
from tests.bot.store.sample import NEW

DAY = 86_400


async def page_of(hall: Hall, person: Any) -> Any:
    """The page with what new tables begin with, two taps from the command."""
    server = reply(await person.slash(hall.channel, "server"))
    return reply(await person.click(server, label="New tables begin with…"))


async def options_of(hall: Hall, person: Any) -> Any:
    """The options of the latest table, as a person sees them."""
    return reply(await person.click(await hall.panel(), label="Options"))


async def test_a_table_begins_as_managers_have_chosen_and_hosts_change_all_but_what_they_fix(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, _cem = hall.people
        await manager(hall)
        page = await page_of(hall, ann)
        assert "**The base game**" in text(page)
        assert "As usual again" not in labels(page)
        page = reply(await ann.select(page, ["big-island"], custom_id=find_select(page, "begin_scenario")))
        assert "**The big island**" in text(page)
        page = reply(await fill(ann, page, "Rules and points", target="12", variants=["friendly-robber"]))
        page = reply(await fill(ann, page, "Turn timer", pace=str(DAY), expiry=DECIDE))
        page = reply(await fill(ann, page, "Table and pictures", look={"dark": True}, table={"anyone_starts": True}))
        page = reply(await fill(ann, page, "Only managers change", fixed=["pace", "hints", "scenario"]))
        for said in ("First to 12 points", "1 day", "dark pictures", "**Anyone at the table** can start"):
            assert said in text(page), said
        assert "**Only managers change:** Scenario, Turn timer and Hints" in text(page)

        await bob.slash(hall.channel, "game new")
        table = await hall.table()
        assert (table.config.scenario, table.config.target, table.anyone_starts) == ("big-island", 12, True)
        assert (table.options.pace, table.options.expiry, table.options.look.dark) == (DAY, DECIDE, True)
        assert "The big island" in text(await hall.panel())

        own = await options_of(hall, bob)
        assert "can change: Scenario, Turn timer and Hints." in text(own)
        assert "As tables on this server begin: Points, Alternate rules" in text(own)
        assert find_select(own, "scenario") is None
        assert await fields(bob, own, "Turn timer") == ["expiry", "leave"]
        own = reply(await fill(bob, own, "Turn timer", leave="3"))
        own = reply(await fill(bob, own, "Table and pictures", table={"counting": True, "shuffle_seats": False}))
        table = await hall.table()
        assert (table.options.leave, table.options.pace) == (3, DAY)
        assert (table.options.hints, table.options.counting) == (True, True)
        assert not table.config.shuffle_seats

        theirs = await options_of(hall, ann)
        assert {"People", "Cancel this table"} <= {*labels(theirs)}
        theirs = reply(await fill(ann, theirs, "Turn timer", pace="3600"))
        theirs = reply(await ann.select(theirs, ["extension"]))
        table = await hall.table()
        assert (table.options.pace, table.config.scenario) == (3600, "extension")


async def test_people_who_manage_the_channel_change_what_is_fixed_as_long_as_they_do(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await hall.services.servers.begin_with(hall.guild.id, {"fixed": ("pace",)})
        await bob.slash(hall.channel, "game new")
        role = hall.guild.create_role("Pilot", permissions=discord.Permissions(manage_channels=True))
        hall.env.backend.guilds[hall.guild.id].members[ann.id].role_ids.append(role.id)
        await ann.slash(hall.channel, "game timer", time="2 hours")
        assert (await hall.table()).options.pace == 7200
        hall.env.backend.guilds[hall.guild.id].members[ann.id].role_ids.remove(role.id)
        assert "aren't at this table" in answer(await ann.slash(hall.channel, "game timer", time="3 hours"))
        assert (await hall.table()).options.pace == 7200


@pytest.mark.parametrize(
    ("channel", "rights", "manages"),
    [
        (5, "manage_channels", True),
        (6, "manage_channels", False),
        (5, "manage_guild", True),
        (6, "manage_guild", False),
        (5, "administrator", True),
        (5, "send_messages", False),
    ],
)
def test_a_table_is_managed_in_its_channel_by_who_manages_that_or_the_server(
    channel: int, rights: str, manages: bool
) -> None:
    here: Any = SimpleNamespace(guild_id=1, channel_id=channel, channel=None)
    here.permissions = discord.Permissions(**{rights: True})
    call: Any = SimpleNamespace(interaction=here)
    assert Call.manages(call, replace(NEW, guild=1, channel=5)) is manages


async def test_a_fixed_timer_is_refused_as_a_command_in_one_sentence(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        _ann, bob = hall.people
        await hall.services.servers.begin_with(hall.guild.id, {"fixed": ("pace",)})
        await bob.slash(hall.channel, "game new")
        before = await hall.table()
        refused = answer(await bob.slash(hall.channel, "game timer", time="2 hours"))
        assert "Only people who manage this server or channel can change “Turn timer”." in refused
        assert await hall.table() == before


async def test_in_a_game_a_majority_cant_change_a_fixed_timer(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await hall.services.servers.begin_with(hall.guild.id, {"pace": DAY, "fixed": ("pace", "expiry")})
        await hall.begin(target=20)
        own = reply(await bob.slash(hall.channel, "game options"))
        assert "Turn timer" not in labels(own)
        assert "a majority can change" not in text(own)
        refused = answer(await ann.slash(hall.channel, "game timer", time="2 hours"))
        assert "can change “Turn timer”" in refused
        assert (await hall.table()).motions == ()


async def test_a_rematch_keeps_its_own_options_but_fixed_ones_hold(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await hall.begin(target=3, round_limit=10)
        await hall.services.servers.begin_with(hall.guild.id, {"target": 5, "leave": 7, "fixed": ("leave",)})
        await hall.advance(lambda game: game.outcome is not None)
        await ann.slash(hall.channel, "game rematch")
        table = await hall.table()
        assert (table.config.target, table.config.round_limit, table.options.leave) == (3, 10, 7)
        assert table.fixed == ("leave",)


async def test_a_first_game_keeps_its_rules(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        [ann] = hall.people
        changes = {"scenario": "extension", "hints": False, "pace": DAY, "fixed": ("pace",)}
        await hall.services.servers.begin_with(hall.guild.id, changes)
        await ann.slash(hall.channel, "game learn")
        table = await hall.table()
        assert (table.config.scenario, table.options.hints, table.options.pace) == ("beginner", True, DAY)


async def test_people_who_dont_manage_the_server_cant_change_how_tables_begin(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _bob = hall.people
        await manager(hall)
        roles = hall.env.backend.guilds[hall.guild.id].members[ann.id].role_ids
        presses: list[Callable[[Any], Any]] = [
            lambda page: ann.select(page, ["islands"], custom_id=find_select(page, "begin_scenario")),
            lambda page: ann.click(page, label="Board"),
            lambda page: ann.click(page, label="All settings"),
            lambda page: ann.click(page, label="Only managers change"),
        ]
        for late in presses:
            page = await page_of(hall, ann)
            role = roles.pop()
            assert "Only people who manage this server" in answer(await late(page))
            roles.append(role)
        form = await ann.click(await page_of(hall, ann), label="Only managers change")
        roles.pop()
        assert "Only people who manage this server" in answer(await ann.submit_modal(form, {"fixed": ["pace"]}))
        assert (await hall.services.servers.settings(hall.guild.id)).begins == AS_USUAL


async def test_the_page_leads_back_and_a_server_can_begin_as_usual_again(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        [ann] = hall.people
        await manager(hall)
        await hall.services.servers.begin_with(hall.guild.id, {"scenario": "islands", "pace": 600})
        server = reply(await ann.slash(hall.channel, "server"))
        assert "New tables begin with: **Islands · " in text(server)
        page = reply(await ann.click(server, label="New tables begin with…"))
        page = reply(await ann.click(page, label="As usual again"))
        assert "**The base game**" in text(page)
        server = reply(await ann.click(page, label="All settings"))
        assert "New tables begin with: **The base game · First to 10 points · No timer" in text(server)


async def test_private_threads_are_left_out_where_there_can_be_none(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        [ann] = hall.people
        await hall.services.servers.begin_with(hall.guild.id, {"rooms": True, "leave": 3})
        await ann.slash(hall.channel, "game new")
        assert (await hall.table()).options == TableOptions(rooms=True, leave=3, language="en")
        await ann.slash(hall.channel, "game cancel")
        await hall.env.advance_time(PAUSE)
        await allow(hall, create_private_threads=False)
        opened = answer(await ann.slash(hall.channel, "game new"))
        assert (await hall.table()).options == TableOptions(leave=3, language="en")
        assert "⚠️ I can't work in" in opened


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ids_of_forms_have_room_for_a_pass(scenario: str) -> None:
    beginning = begin_with(AS_USUAL, {"scenario": scenario, "variants": tuple(VARIANTS)})
    names = [option.name for option in beginning_options(beginning).options if option.name != "fixed"]
    page = beginning_options(begin_with(beginning, {"fixed": tuple(names)}))
    assert len(names) <= 25
    for sheet in filter(page.asks, BEGINNING_SCOPE.sheets):
        form = page.form(sheet.name)
        assert len(form.fields) <= 5
        address = Address(BEGINNING_SCOPE.verb, 0, "", (sheet.name, "x" * 16), code(form))
        assert len(address.custom_id(MODAL)) <= 100
    assert all(len(option.offered(page.of(option))) <= 25 for option in page.options if not isinstance(option, Number))

"""Discord's limits with the largest boards, the most players and the longest turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st
from simcord.components import walk_components

from bot.discord.interaction import BUTTON, MODAL, SELECT, Address, parse_id
from bot.discord.show import panel
from bot.discord.show.messages import Press, controls
from bot.screens.controls import Button, Open, Select
from bot.screens.viewer import Viewer
from engine.actions import BuildSettlement
from engine.scenarios import SCENARIOS
from engine.views import OfferView
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import parts, reply, text
from tests.bot.discord.tables import begin
from tests.engine.builder import places_of


@pytest.mark.parametrize("scenario", ["big-island", "islands", "big-islands", "peanut"])
async def test_the_picker_holds_every_legal_place(open_hall: Opened, scenario: str) -> None:
    async with open_hall(max(SCENARIOS[scenario].players)) as hall:
        await begin(hall, scenario)
        game = await hall.game()
        seat = game.to_act[0]
        person = await hall.person(seat)
        opened = await person.click(await hall.panel(), label="Place settlement")
        assert len(list(walk_components(reply(opened).components))) <= 40
        offered = [o["value"] for c in parts(reply(opened), 3) for o in c["options"]]
        legal = {f"build_settlement.{at}" for at in places_of(game.options(seat), BuildSettlement)}
        assert set(offered) == legal
        best = next(iter(parts(reply(opened), 3)))["options"]
        assert "dots" in best[0]["label"]
        last = next(iter(game.options(seat)[BuildSettlement]))
        await by_components(hall, person, last)
        assert (await hall.step()).piece == "road"


async def test_a_full_panel_stays_within_the_limits(open_hall: Opened) -> None:
    async with open_hall(8) as hall:
        await begin(hall, "peanut")
        await hall.advance(lambda game: game.view(None).step.kind == "main")
        table, game = await hall.table(), await hall.game()
        members = tuple(replace(m, name="W" * 32) for m in table.members)
        public = Viewer(replace(table, members=members), game)
        view = public.view
        for n in (0, 1, 2, 3, 11):
            offers = tuple(OfferView(i, i % 8, (1, 2, 3, 4, 5), (9, 9, 9, 9, 9), 255, 85, 170, -1) for i in range(n))
            full = public.showing(replace(view, offers=offers, events=view.events * 40))
            layout: Any = panel.panel_layout(full)  # discord.py's classes leave its `to_components` untyped
            components = list(walk_components(layout.to_components()))
            assert len(components) <= 39  # the picture is one more
            assert sum(len(c["content"]) for c in components if c["type"] == 10) <= 4000


def test_a_custom_id_is_parsed_as_it_was_sent() -> None:
    address = Address("do", 12345678, "1234.567", ("close_offer", "17", "3"))
    for prefix in (BUTTON, SELECT, MODAL):
        sent = address.custom_id(prefix)
        assert parse_id(sent) == address
    assert parse_id("hb:do") is None
    assert parse_id("something:else") is None
    with pytest.raises(ValueError, match="too long"):
        Address("do", 1, "", ("x" * 100,)).custom_id(BUTTON)


def test_a_long_label_is_cut() -> None:
    [row] = controls([[Button("n" * 200, Open("hand"))]], 1, "")
    assert isinstance(row, ui.ActionRow)
    [made] = row.children
    assert isinstance(made, Press)
    assert len(made.label or "") == 80


@given(st.lists(st.integers(0, 12) | st.none(), max_size=6))
def test_no_row_is_empty_or_too_long(sizes: list[int | None]) -> None:
    """Rows of this many buttons; None: a list without options."""
    rows = [
        Select("Which?", Open("draft", (str(i),)), []) if size is None else [Button("Roll", Open("hand"))] * size
        for i, size in enumerate(sizes)
    ]
    made = [row.children for row in controls(rows, 1, "") if isinstance(row, ui.ActionRow)]
    assert all(1 <= len(row) <= 5 for row in made)
    assert sum(map(len, made)) == sum(filter(None, sizes))


async def test_people_with_wild_names_are_shown(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        odd = hall.guild.add_member(hall.env.create_user("odd", global_name="**<@1>** `x` " + "é" * 15))
        hall.people[1] = odd
        await hall.begin()
        await hall.advance(lambda game: game.view(None).turn > 2)
        assert "<@1>" not in text(await hall.panel())
        hand = await odd.click(await hall.panel(), label="My hand")
        assert reply(hand).attachments

"""Choosing places on big boards: exactly the legal ones, within Discord's limits, best first."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.components import walk_components

from engine.actions import BuildCity, BuildRoad, BuildSettlement, BuyCard, MoveRobber
from engine.game import Game
from engine.scenarios import SCENARIOS
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import SELECT, Hall, button_id, labels, parts, reply
from tests.engine.builder import places_of


def check(message: Any, legal: set[str]) -> None:
    """Check that exactly the legal places can be chosen, within 25 options a select and 40 components."""
    assert len(list(walk_components(message.components))) <= 40
    lists = [[o["value"] for o in c["options"]] for c in parts(message, SELECT)]
    assert all(len(values) <= 25 for values in lists)
    assert {value for values in lists for value in values} == legal
    if len(lists) > 1:
        first, *others = lists
        assert sorted(value for values in others for value in values) == sorted(legal)
        assert set(first) <= legal
    assert all(len(o["label"]) <= 100 for c in parts(message, SELECT) for o in c["options"])
    assert len(message.attachments) == 1


async def begin(hall: Hall, scenario: str, **options: Any) -> None:
    """Start a game with all people of the hall."""
    host, *others = hall.people
    await host.slash(hall.channel, "game new")
    await hall.options(scenario=scenario, **options)
    for person in others:
        await person.click(await hall.panel(), label="Join")
    await host.click(await hall.panel(), label="Start")


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s != "beginner"])
async def test_exactly_the_legal_places_for_a_first_settlement_are_offered(open_hall: Opened, scenario: str) -> None:
    async with open_hall(max(SCENARIOS[scenario].players)) as hall:
        await begin(hall, scenario)
        game = await hall.game()
        [seat] = game.to_act
        opened = await (await hall.person(seat)).click(await hall.panel(), label="Place settlement")
        check(reply(opened), {f"build_settlement.{at}" for at in places_of(game.options(seat), BuildSettlement)})


@pytest.mark.parametrize("scenario", ["big-islands", "mayfair-expansion", "peanut"])
async def test_exactly_the_legal_places_for_robber_and_pirate_are_offered(open_hall: Opened, scenario: str) -> None:
    async with open_hall(max(SCENARIOS[scenario].players)) as hall:
        await begin(hall, scenario, variants=["pirate"], target=20)
        game = await hall.advance(lambda g: g.view(None).step.kind == "move_robber")
        [seat] = game.to_act
        panel = await hall.panel()
        opened = await (await hall.person(seat)).click(panel, custom_id=button_id(panel, "place", ""))
        legal = {f"move_robber.{at}" for at in places_of(game.options(seat), MoveRobber)}
        assert len(legal) > 25
        check(reply(opened), legal)
        harbor = next(h.hex for h in game.board.harbors if f"move_robber.{h.hex}" in legal)
        name = game.board.grid.hex_names[harbor]
        choices = await (await hall.person(seat)).autocomplete(hall.channel, "robber", "hex", name)
        assert any(choice["value"] == name for choice in choices)


async def test_one_button_offers_exactly_what_can_be_built_and_where(open_hall: Opened) -> None:
    kinds = (BuildRoad, BuildSettlement, BuildCity)
    async with open_hall(3) as hall:
        await hall.begin(target=20)

        def rich(game: Game) -> bool:
            options = game.options(game.to_act[0])
            several = sum(kind in options for kind in kinds) > 1
            return game.view(None).step.kind == "main" and several and BuyCard in options

        game = await hall.advance(rich)
        [seat] = game.to_act
        opened = reply(await (await hall.person(seat)).click(await hall.panel(), label="Build"))
        options = game.options(seat)
        lists = [[o["value"] for o in c["options"]] for c in parts(opened, SELECT)]
        possible = [kind for kind in kinds if kind in options]
        for kind, values in zip(possible, lists, strict=True):
            assert {*values} == {f"{kind.name}.{at}" for at in places_of(options, kind)}
        assert labels(opened) == ["Buy card"]
        assert opened.attachments, "the places are named on a board"

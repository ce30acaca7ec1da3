"""Choosing what to play: scenarios with their own options, alternate rules, time for answers, and what is refused."""

from __future__ import annotations

from typing import Any

from bot.words import rules as rulebook
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import SELECT, answer, fill, labels, parts, reply, text


async def offered(person: Any, menu: Any, *forms: str) -> dict[str, list[str]]:
    """The values that can be chosen in some forms, by field."""
    values: dict[str, list[str]] = {}
    for label in forms:
        form = await person.click(menu, label=label)
        fields = [top["component"] for top in form.modal["components"]]
        values |= {field["custom_id"]: [option["value"] for option in field["options"]] for field in fields}
    return values


async def test_all_scenarios_and_rules_can_be_chosen_in_forms(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _ = hall.people
        await ann.slash(hall.channel, "game new")
        menu = reply(await ann.click(await hall.panel(), label="Options"))
        for scenario in SCENARIOS.values():
            menu = reply(await ann.select(menu, [scenario.id]))
            assert set(choices(menu)) == set(SCENARIOS)
            assert scenario.summary in text(menu)
            values = await offered(ann, menu, *(["Board"] if "Board" in labels(menu) else []))
            assert ("layout" in values) == bool(scenario.layouts)
            own = {name.removeprefix("option."): v for name, v in values.items() if name.startswith("option.")}
            assert own == {o.name: [value for value, _ in o.choices] for o in scenario.options if o.only_with is None}
        assert set((await offered(ann, menu, "Rules and points"))["variants"]) == set(VARIANTS)
        for rule in VARIANTS.values():
            menu = reply(await fill(ann, menu, "Rules and points", variants=[rule.id]))
            assert rule.summary in text(menu)
            asked = "answer_time" in await offered(ann, menu, "Rules and points")
            assert asked == (rule.id == "knight-interrupt")


def choices(menu: Any) -> list[str]:
    """The values that can be chosen in a message's one list."""
    [select] = parts(menu, SELECT)
    return [option["value"] for option in select["options"]]


async def test_a_button_for_options_that_the_scenario_lacks_says_so(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _ = hall.people
        await ann.slash(hall.channel, "game new")
        menu = reply(await ann.click(await hall.panel(), label="Options"))
        await hall.options(scenario="beginner")
        assert "nothing to choose there" in answer(await ann.click(menu, label="Board"))


async def test_a_scenario_with_its_own_numbers_resets_the_layout(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _ = hall.people
        await ann.slash(hall.channel, "game new")
        await hall.options(layout="balanced")
        menu = reply(await ann.click(await hall.panel(), label="Options"))
        menu = reply(await fill(ann, reply(await ann.select(menu, ["islands"])), "Board", **{"option.cards": "two"}))
        config = (await hall.table()).config
        assert (config.layout, config.options) == ("spiral", (("cards", "two"),))
        await ann.select(menu, ["base"])
        assert (await hall.table()).config.options == ()


async def test_the_answer_time_is_shown_with_the_rule_that_needs_it(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _ = hall.people
        await ann.slash(hall.channel, "game new")
        await hall.options(variants=["knight-interrupt"], answer_time=86_400)
        response = await ann.click(await hall.panel(), label="Options")
        assert "**1 day** to answer" in answer(response)
        assert "Knights interrupt" in text(await hall.panel())
        rules = await ann.slash(hall.channel, "game rules", topic="robber")
        assert "1 day" in answer(rules)
        assert "special" not in dict(rulebook.topics((await hall.table()).config))


async def test_eight_players_have_eight_colors_and_a_scenario_can_limit_them(open_hall: Opened) -> None:
    async with open_hall(8) as hall:
        ann, *others = hall.people
        await ann.slash(hall.channel, "game new", color="teal")
        await hall.options(scenario="peanut")
        for person in others:
            await person.click(await hall.panel(), label="Join")
        table = await hall.table()
        assert len(set(table.config.colors)) == 8
        await hall.options(scenario="base")
        assert "Needs 2 to 4 players (now 8)" in text(await hall.panel())
        for person in others[3:]:
            await person.click(await hall.panel(), label="Leave")
        await hall.options(scenario="beginner")
        assert "No one can be teal here" in text(await hall.panel())
        started = await ann.click(await hall.panel(), label="Start")
        assert "No one can be teal here" in answer(started)
        menu = await ann.click(await hall.panel(), label="Color")
        colors = choices(reply(menu))
        assert set(colors) <= {"red", "white", "blue", "orange"}
        await ann.select(reply(menu), ["orange"])
        assert "Ready" in text(await hall.panel())


async def test_the_host_chooses_how_many_hexes_of_each_terrain_own_islands_have(open_hall: Opened) -> None:
    """K6: the numbers are offered only with the variation, and must be in balance."""
    async with open_hall(5) as hall:
        ann, *others = hall.people
        await ann.slash(hall.channel, "game new")
        menu = reply(await ann.click(await hall.panel(), label="Options"))
        menu = reply(await ann.select(menu, ["big-islands"]))
        assert "Land" not in labels(menu)
        menu = reply(await fill(ann, menu, "Board", **{"option.variation": "own"}))
        assert "Hexes of hills**: 5." in text(menu)
        menu = reply(await fill(ann, menu, "Land", **{"option.hills": ["9"]}))
        assert "Hexes of hills**: 9." in text(menu)
        menu = reply(await fill(ann, menu, "Land", **{"option.hills": ["12"], "option.forest": ["6"]}))
        assert "more than twice as many" in text(menu)
        again = await ann.click(menu, label="Try again")
        assert again.modal is not None
        hills = next(c for top in again.modal["components"] if (c := top["component"])["custom_id"] == "option.hills")
        assert [option["value"] for option in hills["options"] if option.get("default")] == ["12"]
        balanced = {"option.hills": ["8"], "option.forest": ["8"], "option.pasture": ["7"]}
        assert "Hexes of pasture**: 7." in text(reply(await fill(ann, menu, "Land", **balanced)))
        for person in others:
            await person.click(await hall.panel(), label="Join")
        await ann.click(await hall.panel(), label="Start")
        board = (await hall.game()).board
        assert [board.terrain.count(kind) for kind in range(5)] == [8, 8, 7, 6, 5]


async def test_chosen_numbers_of_hexes_are_dropped_with_their_variation(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _ = hall.people
        await ann.slash(hall.channel, "game new")
        await hall.options(scenario="big-islands")
        await hall.options(**{"option.variation": "own", "option.hills": "8"})
        assert dict((await hall.table()).config.options) == {"variation": "own", "hills": "8"}
        await hall.options(**{"option.variation": "plain"})
        assert dict((await hall.table()).config.options) == {"variation": "plain"}

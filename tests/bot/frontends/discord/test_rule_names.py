"""Alternate rules as they are typed: a slip is named with what was meant, and suggestions make it hard to mistype."""

from __future__ import annotations

from typing import Any

import pytest

from engine.variants import VARIANTS
from tests.bot.frontends.discord.conftest import Opened
from tests.bot.frontends.discord.hall import Hall, answer, fill, reply


async def opened(hall: Hall) -> Any:
    await hall.people[0].slash(hall.channel, "game new")
    return hall.people[0]


@pytest.mark.parametrize(
    ("typed", "known", "said"),
    [
        (
            "open hands, freindly robber, pirate",
            ("open-hands", "pirate"),
            "no alternate rule “freindly robber”: did you mean Friendly robber?",
        ),
        ("pirat0", (), "did you mean Pirate?"),
        ("robber", (), "did you mean Optional robber or Friendly robber?"),
        ("open hands, zzz", ("open-hands",), "no alternate rule “zzz”"),
        ("zzz, pirate, opne hands", ("pirate",), "no alternate rules “zzz” and “opne hands” (Open hands?)"),
        ("open hands, L12", ("open-hands",), "no alternate rule “L12”"),
    ],
)
async def test_a_word_that_is_not_known_is_named_with_what_it_may_mean(
    open_hall: Opened, typed: str, known: tuple[str, ...], said: str
) -> None:
    async with open_hall(2) as hall:
        ann = await opened(hall)
        told = await ann.slash(hall.channel, "game options", rules=typed, target=12, scenario="islands")
        assert said in answer(told)
        assert "The rest of your command is set" in answer(told)
        table = await hall.table()
        assert (table.config.variants, table.config.target, table.config.scenario) == (known, 12, "islands")
        menu = await fill(ann, reply(told), "Rules and points", variants=["open-hands", "pirate"])
        assert (await hall.table()).config.variants == ("open-hands", "pirate"), "the list is there to mend it"
        assert "⚠️" not in answer(menu)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Open Hands; PIRATE", ("open-hands", "pirate")),
        ("friendly, knight interrupt", ("friendly-robber", "knight-interrupt")),
        ("L2, l9, Building ends trade", ("open-hands", "pirate", "build-ends-trade")),
        ("open_hands, none,, open hands", ("open-hands",)),
        ("none", ()),
    ],
)
async def test_a_rule_is_known_by_all_its_names(open_hall: Opened, typed: str, meant: tuple[str, ...]) -> None:
    async with open_hall(2) as hall:
        ann = await opened(hall)
        told = await ann.slash(hall.channel, "game options", rules=typed)
        assert "⚠️" not in answer(told)
        assert set((await hall.table()).config.variants) == set(meant)


async def test_all_rules_can_be_taken_from_the_suggestions_one_by_one(open_hall: Opened) -> None:
    """Whoever types on after a suggestion types behind what was shown; neither may grow too long for Discord."""
    async with open_hall(2) as hall:
        ann = await opened(hall)
        shown = ""
        for rule in VARIANTS.values():
            typed = f"{shown}, {rule.title[:6].upper()}" if shown else rule.title[:6]
            found = await ann.autocomplete(hall.channel, "game options", "rules", typed)
            best = next(choice for choice in found if choice["name"].endswith(rule.title))
            shown = best["name"]
            assert max(len(best["name"]), len(best["value"])) <= 100
        for typed in (best["value"], best["name"]):
            await ann.slash(hall.channel, "game options", rules="none")
            await ann.slash(hall.channel, "game options", rules=typed)
            assert set((await hall.table()).config.variants) == set(VARIANTS)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("freindly", "friendly-robber"),
        ("opne hands, pir", "open-hands, pirate"),
        ("zzz, pir", "pirate"),
        ("pirate, open hands", "pirate, open-hands"),
        ("open hands, pirate,", "open-hands, pirate, friendly-robber"),
    ],
)
async def test_suggestions_mend_what_was_mistyped(open_hall: Opened, typed: str, value: str) -> None:
    async with open_hall(2) as hall:
        ann = await opened(hall)
        found = await ann.autocomplete(hall.channel, "game options", "rules", typed)
        assert value in [choice["value"] for choice in found]


async def test_a_word_that_is_not_known_leaves_the_rules_that_are_set(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann = await opened(hall)
        await ann.slash(hall.channel, "game options", rules="pirate")
        assert "Nothing has changed" in answer(await ann.slash(hall.channel, "game options", rules="zzz"))
        assert (await hall.table()).config.variants == ("pirate",)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("limit 10", "“limit 10”"),
        ("limt=10", "no option 'limt'; its options are"),
        ("limit=11", "can't be '11'"),
    ],
)
async def test_a_setting_that_cannot_be_read_is_named_and_the_rest_is_set(
    open_hall: Opened, typed: str, said: str
) -> None:
    async with open_hall(2) as hall:
        ann = await opened(hall)
        values = {"scenario": "big-island", "target": 8}
        told = await ann.slash(hall.channel, "game options", **values, setting=f"harbors=wool, {typed}")
        assert said in answer(told)
        assert "The rest of your command is set" in answer(told)
        config = (await hall.table()).config
        assert (config.scenario, config.target, config.option("harbors", "")) == ("big-island", 8, "wool")

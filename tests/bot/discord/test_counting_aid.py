"""The card counting aid: at a table that has it, each player can see what can be counted of the others' hands."""

from __future__ import annotations

from dataclasses import replace

from bot.words.hands import counting_aid
from engine.bounds import Bounds
from engine.counting import Counts
from engine.resources import NOTHING, hand_of
from engine.terms import StepKind
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, labels, reply
from tests.bot.screens.tables import NAMES, view, with_player


async def test_a_player_who_asks_sees_what_can_be_counted(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(counting=True)
        await hall.advance(lambda game: game.turn > 6)
        ann, game = hall.people[0], await hall.game()
        mine = await ann.click(await hall.panel(), label="My hand")
        content = answer(await ann.click(reply(mine), label="Count cards"))
        viewer = await hall.viewer(ann)
        assert content == counting_aid(game.view(viewer.seat, counted=True), viewer.marked)
        others = [name for seat, name in enumerate(viewer.names) if seat != viewer.seat]
        assert all(f"**{name}** (" in content for name in others)


async def test_a_table_has_no_counting_aid_unless_it_was_chosen(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        ann = hall.people[0]
        mine = await ann.click(await hall.panel(), label="My hand")
        assert "Count cards" not in labels(reply(mine))


def test_the_counting_aid_says_what_is_certain_and_what_is_not() -> None:
    others = (NOTHING,) * (len(view().players) - 3)
    deals = tuple(((NOTHING, hand_of(**{kind: 1}), hand_of(wool=1), *others), 1.0) for kind in ("ore", "wool"))
    seen = with_player(with_player(view(seat=0, counts=Counts(deals)), 1, hand_size=1), 2, hand_size=1)
    lines = counting_aid(seen, NAMES).splitlines()
    assert lines[1:3] == [f"**{NAMES[1]}** (1 card): 🐑 0–1, 🪨 0–1", f"**{NAMES[2]}** (1 card): 🐑 1"]


def test_the_counting_aid_says_why_something_is_unknown() -> None:
    """It blames the robber's cards, or discards that are still secret, and says so when ranges are wide."""
    ways = ((NOTHING,) * len(view().players),)
    certain = view(seat=0, counts=Counts(((ways[0], 1.0),)))
    assert "Only the cards that the robber took are unknown." in counting_aid(certain, NAMES)
    wide = replace(certain, counts=Counts((), Bounds.of(ways)))
    assert "Only" not in counting_aid(wide, NAMES)
    assert "some ranges are wide" in counting_aid(wide, NAMES)
    discarding = replace(certain, agenda=((StepKind.DISCARD, ()),))
    assert "Discards count once all are in." in counting_aid(discarding, NAMES)

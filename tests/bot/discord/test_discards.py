"""Undoing a discard while others still owe theirs (D4): by button and by command, and answered only in private."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import Discard, Roll, TakeBackDiscard
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, answer, labels, reply, text
from tests.bot.discord.moments import before_discards

BACK = "Undo my discard"


async def owing(hall: Hall) -> Game:
    """Start a game and roll a seven, so that several players owe a discard."""
    await hall.begin()
    game = await hall.advance(before_discards)
    await by_components(hall, await hall.person(game.to_act[0]), Roll())
    return await hall.game()


async def test_D4_the_answer_to_a_discard_has_an_undo_button(open_hall: Opened) -> None:
    """The answer names the discard. After the undo, all see that the seat owes again, and a choice is suggested."""
    async with open_hall() as hall:
        game = await owing(hall)
        seat = game.to_act[0]
        person = await hall.person(seat)
        before = text(await hall.panel())
        opened = await person.click(await hall.panel(), label="Discard")
        done = await person.click(reply(opened), label="Discard these")
        assert answer(done).startswith("You discard ")
        assert f"**{person.name.title()}** " not in text(await hall.panel()).splitlines()[1]
        hand = await person.slash(hall.channel, "hand")  # it has the button, too, and stays
        back = await person.click(reply(done), label=BACK)
        assert "Suggested" in answer(back)
        assert (await hall.game()).records[-1].action == TakeBackDiscard()
        assert (await hall.game()).view(seat).players[seat].hand == game.view(seat).players[seat].hand
        assert text(await hall.panel()) == before
        twice = await person.click(reply(hand), label=BACK)
        assert "You have no discard to undo." in answer(twice)
        again = await person.click(await hall.panel(), label="Discard")
        await person.click(reply(again), label="Discard these")
        assert seat not in (await hall.game()).to_act


@pytest.mark.parametrize("way", [by_components, by_commands])
async def test_D4_a_discard_can_be_undone_by_button_and_by_command_even_after_a_restart(
    open_hall: Opened, way: Any
) -> None:
    async with open_hall() as hall:
        game = await owing(hall)
        first, *others = game.to_act
        person = await hall.person(first)
        await way(hall, person, next(iter(game.options(first)[Discard])))
        await hall.restart()
        hand = await person.click(await hall.panel(), label="My hand")
        assert BACK in labels(reply(hand))
        assert "Discard" not in labels(reply(hand))
        done = await way(hall, person, TakeBackDiscard())
        assert "Discard these" in labels(reply(done))
        assert (await hall.game()).to_act == game.to_act
        for seat in (first, *others):
            await way(hall, await hall.person(seat), next(iter((await hall.game()).options(seat)[Discard])))
        assert (await hall.game()).view(None).step.kind == "move_robber"


async def test_D4_a_discard_cant_be_undone_after_all_have_discarded(open_hall: Opened) -> None:
    """The old button says so. Players who never discarded, and onlookers, learn why they can't use it."""
    async with open_hall(5) as hall:
        *playing, onlooker = hall.people
        await hall.begin(playing)
        game = await hall.advance(before_discards)
        await by_components(hall, await hall.person(game.to_act[0]), Roll())
        game = await hall.game()
        first, *others = game.to_act
        person = await hall.person(first)
        done = await by_components(hall, person, next(iter(game.options(first)[Discard])))
        idle = next((s for s in range(4) if s not in game.to_act), None)
        if idle is not None:
            refused = await (await hall.person(idle)).click(await hall.panel(), label="Discard")
            assert "nothing to discard" in answer(refused)
        assert "not playing" in answer(await onlooker.click(await hall.panel(), label="Discard"))
        revision = (await hall.game()).revision
        for seat in others:
            last = await by_components(hall, await hall.person(seat), next(iter(game.options(seat)[Discard])))
        assert not last.followups, "what the last one chose is told to all"
        assert "you can't undo it anymore" in answer(await person.click(reply(done), label=BACK))
        assert "Nothing to undo" in answer(await person.slash(hall.channel, "undo"))
        assert (await hall.game()).revision == revision + len(others)

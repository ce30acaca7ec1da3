"""A first game: opened by one command, each tip once and in private, off by a button."""

from __future__ import annotations

from typing import Any

import pytest

from bot.models import RUNNING
from bot.presentation.coaching import TIPS
from tests.bot.frontends.discord.company import play
from tests.bot.frontends.discord.conftest import Opened
from tests.bot.frontends.discord.hall import TIP, Hall, answer, labels, reply, text

pytestmark = pytest.mark.usefixtures("few_pictures")


async def given(hall: Hall) -> tuple[str, ...]:
    coached = (await hall.table()).choices.coached
    assert coached is not None
    return coached


async def begin(hall: Hall) -> Any:
    """A first game of the first person, among computers that don't dawdle."""
    ann = hall.people[0]
    await ann.slash(hall.channel, "game learn")
    await ann.slash(hall.channel, "game options", pause=0)
    return ann


def tips(hall: Hall, person: Any) -> list[Any]:
    """The tips that somebody sees."""
    return [m for m in hall.channel.history(viewer=person) if TIP in text(m)]


async def test_one_command_and_the_game_is_on(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        ann = hall.people[0]
        told = await ann.slash(hall.channel, "game learn")
        assert "you against three computers" in answer(told)
        table = await hall.table()
        assert table.status == RUNNING
        assert table.config.scenario == "beginner"
        assert [member.level for member in table.members] == ["", "easy", "easy", "easy"]
        assert "another channel" in answer(await ann.slash(hall.channel, "game learn"))


async def test_little_stands_before_the_first_board(open_hall: Opened) -> None:
    """The fingerprint of the dice is there, before anything was drawn, and is never edited; it takes one line."""
    async with open_hall(1) as hall:
        await hall.people[0].slash(hall.channel, "game learn")
        table = await hall.table()
        shown = [m for m in hall.channel.history() if not m.flags.ephemeral]
        [promise] = [m for m in shown if table.commitment in text(m)]
        [closing] = [m for m in shown if str(m.id) in table.entropy]
        assert promise.id < closing.id
        assert promise.edited_at is None
        first = next(m for m in shown if "turn 1" in text(m))
        before = "\n".join(text(m) for m in shown if m.id < first.id)
        assert len(before.replace(table.commitment, "").splitlines()) <= 9
        assert len(before.replace(table.commitment, "")) < 500
        for alone in (promise, closing):
            assert len(text(alone).splitlines()) == 1
            assert text(alone).startswith("-# ")
        begun = text(first).partition("rolled **")[0]
        assert "placed" not in begun
        assert "second settlement" not in begun
        assert len(begun.splitlines()) <= 5


async def test_each_tip_comes_once_and_for_one_persons_eyes(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await begin(hall)
        seen = list[str]()
        for turn in range(1, 16):
            await play(hall, ann, turn)
            assert len(tips(hall, ann)) <= 1  # a new one takes the place of the one before
            seen += [text(m) for m in tips(hall, ann) if text(m) not in seen]
            assert not tips(hall, bob)
        names = await given(hall)
        assert len(set(names)) == len(names)
        assert {"roll", "trade"} <= set(names) <= {tip.name for tip in TIPS}
        assert len(seen) >= 3
        assert any("Your turn: press Roll" in said for said in seen)


async def test_no_more_tips(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        ann = await begin(hall)
        while not tips(hall, ann):
            await hall.env.advance_time(5)
            await play(hall, ann, (await hall.game()).turn)
        [tip] = tips(hall, ann)
        assert labels(tip) == ["Hint", "No more tips"]
        assert "No more tips" in text(reply(await ann.click(tip, label="No more tips")))
        await play(hall, ann, 12)
        assert not tips(hall, ann)
        assert (await hall.table()).choices.coached is None


async def test_after_a_restart_the_next_tip_waits_for_a_click(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        ann = await begin(hall)
        await hall.restart()
        await play(hall, ann, 8)
        assert await given(hall)

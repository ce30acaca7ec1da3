"""A first game: opened by one command, with tips that come once each and in private, and a button to turn them off."""

from __future__ import annotations

import re
from typing import Any

from bot.screens.coach import TIPS
from bot.service.computers import choose
from bot.table.table import RUNNING
from bot.words.proof import shortened
from engine.actions import EndTurn, Roll
from engine.views import View
from players.table import unanswered
from tests.bot.discord.company import play
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import TIP, Hall, allow, answer, labels, reply, text


async def given(hall: Hall) -> tuple[str, ...]:
    coached = (await hall.table()).coached
    assert coached is not None
    return coached


async def begin(hall: Hall) -> Any:
    """Start a first game of the first person, among bots that don't pause. Returns the person."""
    ann = hall.people[0]
    await ann.slash(hall.channel, "game learn")
    await hall.options(pause=0)
    return ann


def tips(hall: Hall, person: Any) -> list[Any]:
    """The tips that a person sees."""
    return [m for m in hall.channel.history(viewer=person) if TIP in text(m)]


async def test_one_command_starts_a_first_game(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        ann = hall.people[0]
        response = await ann.slash(hall.channel, "game learn")
        assert "Your first game, against three bots" in answer(response)
        table = await hall.table()
        assert table.status == RUNNING
        assert table.config.scenario == "beginner"
        assert [member.level for member in table.members] == ["", "easy", "easy", "easy"]
        assert "`/game learn thread:True`" in answer(await ann.slash(hall.channel, "game learn"))


async def test_a_first_game_gets_a_thread_of_its_own(open_hall: Opened) -> None:
    """In the channel around it no one needs to write."""
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await bob.slash(hall.channel, "game new")
        await allow(hall, send_messages=False, send_messages_in_threads=True, manage_roles=True)
        told = answer(await ann.slash(hall.channel, "game learn", thread=True))
        [thread] = hall.channel.threads
        assert f"Table 2 is open in {thread.mention}." in told
        assert "Your first game, against three bots" in told
        table = await hall.services.repository.table(2)
        assert (table.status, table.channel, table.lesson) == (RUNNING, thread.id, True)


async def test_only_a_few_lines_come_before_the_first_board(open_hall: Opened) -> None:
    """The fingerprint of the dice comes before anything is drawn, takes one line, and is never edited."""
    async with open_hall(1, mixed=True) as hall:
        await hall.people[0].slash(hall.channel, "game learn")
        await hall.env.advance_time(10.0)  # the first bot rolls
        table = await hall.table()
        posts = [m for m in hall.channel.history() if not m.flags.ephemeral]
        [promise] = [m for m in posts if shortened(table.commitment) in text(m)]
        [closing] = [m for m in posts if str(m.id) in table.entropy]
        assert promise.id < closing.id
        assert promise.edited_at is None
        first = next(m for m in posts if "turn 1" in text(m))
        before = "\n".join(text(m) for m in posts if m.id < first.id)
        assert len(before.splitlines()) <= 9
        assert len(before) < 500
        for alone in (promise, closing):
            assert len(text(alone).splitlines()) == 1
            assert text(alone).startswith("-# ")
        begun = text(first).partition("rolled **")[0]
        assert "placed a" not in begun
        assert "second settlement" not in begun
        assert len(begun.splitlines()) <= 5


async def test_each_tip_comes_once_and_only_its_player_sees_it(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await begin(hall)
        texts = list[str]()
        for turn in range(1, 16):
            await play(hall, ann, turn)
            assert len(tips(hall, ann)) <= 1  # a new one takes the place of the one before
            texts += [text(m) for m in tips(hall, ann) if text(m) not in texts]
            assert not tips(hall, bob)
        names = [name for name in await given(hall) if not name.startswith(("plan.", "goodbye."))]
        assert len(set(names)) == len(names)
        assert {"roll"} < set(names) <= {tip.name for tip in TIPS}
        assert len(texts) >= 3
        assert sum("Your turn: press Roll" in said for said in texts) == 1


async def test_tips_can_be_turned_off(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        ann = await begin(hall)
        while not tips(hall, ann):
            await hall.env.advance_time(5)
            await play(hall, ann, (await hall.game()).turn)
        [tip] = tips(hall, ann)
        assert labels(tip)[-1] == "Turn off tips"
        assert "Tips are off" in text(reply(await ann.click(tip, label="Turn off tips")))
        await play(hall, ann, 12)
        assert not tips(hall, ann)
        assert (await hall.table()).coached is None


async def seen_by(hall: Hall, person: Any) -> View:
    """The game as a person sees it."""
    return (await hall.viewer(person)).view


async def test_the_coach_stays_until_its_player_has_built_and_traded_and_says_goodbye_once(open_hall: Opened) -> None:
    """*Do it* alone is enough to play the turns. A goal is named by what is seen there, with a picture in which it is
    marked, and isn't told twice in a row."""
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await begin(hall)
        goals, turns, farewell = list[str](), set[int](), 0
        for _ in range(2000):
            view = await seen_by(hall, ann)
            seat = view.seat or 0
            me = view.players[seat]
            if farewell and view.turn > farewell + 12:
                break
            if view.awaited >> seat & 1:
                assert "Hint" in labels(await hall.panel())
            if unanswered(view):
                await by_components(hall, ann, choose("easy", view))
                continue
            if not view.awaited >> seat & 1:
                await hall.env.advance_time(2)
                continue
            if farewell:
                assert all("you know the game now" in text(m) for m in tips(hall, ann))
                await by_components(hall, ann, choose("easy", view))
                continue
            if not tips(hall, ann):
                await hall.env.advance_time(1)
            [plan] = tips(hall, ann)
            advice, before = text(plan), (await hall.game()).revision
            assert not tips(hall, bob)
            if "you know the game now" in advice:
                assert me.cities or me.settlements.bit_count() > 2
                assert labels(plan) == ["Hint"]
                farewell = view.turn
                await by_components(hall, ann, choose("easy", view))
                continue
            assert labels(plan)[-1] == "Turn off tips"
            for goal in re.findall(r"Your goal[^.]*", advice):
                assert goal not in goals[-1:]
                goals.append(goal)
                assert re.search(r"[\U0001F000-\U0001FFFF]\u2060?\d|development card|harbor", goal)
                assert not re.search(r"\b[A-Z]\d", goal)
                assert ("development card" in goal) != bool(plan.attachments), "the goal is marked on a board"
            if view.on_turn == seat:
                turns.add(view.turns[seat])
            if "Wait" in advice:
                await hall.env.advance_time(2)
                continue
            assert labels(plan)[0] == "Do it"
            await ann.click(plan, label="Do it")
            assert (await hall.game()).revision > before, advice
        assert farewell
        assert sorted(turns) == [*range(1, max(turns) + 1)]
        assert f"goodbye.{seat}" in await given(hall)


async def test_the_coach_speaks_in_each_turn_as_long_as_nothing_is_built(open_hall: Opened, long_time: None) -> None:
    async with open_hall(1) as hall:
        ann = await begin(hall)
        spoke = set[int]()
        for _ in range(2000):
            view = await seen_by(hall, ann)
            seat = view.seat or 0
            if view.turns[seat] > 8:
                break
            if unanswered(view) or not view.awaited >> seat & 1:
                await hall.env.advance_time(70)
                continue
            spoke |= {view.turns[seat]} if tips(hall, ann) else set()
            options = (await hall.viewer(ann)).options
            plain = next((action for action in (Roll(), EndTurn()) if options.allows(action)), None)
            await by_components(hall, ann, plain or choose("easy", view))
        assert spoke == {*range(1, 9)}


async def test_tips_continue_after_a_restart(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        ann = await begin(hall)
        await hall.restart()
        await play(hall, ann, 8)
        assert await given(hall)

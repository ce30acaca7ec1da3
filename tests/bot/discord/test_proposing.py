"""Motions while a game runs: how people propose them, and how the others are asked."""

from __future__ import annotations

import pytest

from bot.table.options import DAY, VOTE
from engine.actions import AgreeToCallOff
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import answer, fill, reply, text
from tests.bot.discord.mailbox import Mailbox
from tests.bot.discord.moments import at
from tests.bot.discord.seen import messages


async def test_a_turn_timer_is_chosen_in_a_form_and_agreed_on_by_the_players(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        one, two, three, _ = hall.people
        page = reply(await one.slash(hall.channel, "game timer"))
        response = await fill(one, page, "Turn timer", pace="172800", expiry=VOTE)
        assert "1 of 3 needed." in answer(response)
        [question] = messages(hall, "a turn timer: 2 days, then a vote")
        await two.click(question, label="Agree")
        response = await three.click(question, label="Agree")
        assert "turn timer 2 days, then a vote" in answer(response)
        assert (await hall.table()).options.pace == 2 * DAY
        assert "Agreed: turn timer 2 days, then a vote for a bot" in text(await hall.panel())
        assert "Agreed: turn timer 2 days" in answer(await hall.people[3].slash(hall.channel, "catchup")), (
            "who wasn't asked in time"
        )
        assert "already this game's timer" in answer(await one.slash(hall.channel, "game timer", time="2 days"))


async def test_repeated_proposals_by_one_player_notify_the_others_once_in_ten_minutes(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        mailbox = Mailbox(hall, monkeypatch)
        one, *others = hall.people

        def heard() -> set[int]:
            return {len(mailbox.of(person.id)) for person in others}

        before = heard()
        for n in range(6):
            await one.slash(hall.channel, "game timer", time=f"{n + 2} days")
            await one.slash(hall.channel, "game pause")
            await others[0].click(messages(hall, "wants to pause")[-1], label="Decline")
            await others[1].click(messages(hall, "wants to pause")[-1], label="Decline")
            await by_commands(hall, one, AgreeToCallOff())
            await by_commands(hall, one, AgreeToCallOff(False))
            await hall.env.advance_time(5)
        assert heard() == {max(before) + 3}, "a pace, a pause, an end: once each"
        await hall.env.advance_time(600)
        await one.slash(hall.channel, "game timer", time="9 days")
        assert heard() == {max(before) + 4}

"""What the process keeps of messages that were sent."""

from __future__ import annotations

import asyncio

from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import reply


async def test_no_task_waits_for_clicks_on_an_answer(open_hall: Opened) -> None:
    """A click is read when it comes. Otherwise each private answer would take memory for a quarter of an hour, so that
    anyone could fill it by clicking."""
    async with open_hall() as hall:
        await hall.begin()
        before, ann = len(asyncio.all_tasks()), hall.people[0]
        for label in ("My hand", "More"):
            await ann.click(await hall.panel(), label=label)
        settings = reply(await ann.slash(hall.channel, "settings"))
        await ann.click(settings, label="Reminders")
        assert len(asyncio.all_tasks()) == before

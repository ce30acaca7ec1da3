"""Vacation, as the player sets it and as the others see it."""

from __future__ import annotations

import pytest

from bot.table.options import DAY
from bot.table.waiting import decisions
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, fill, labels, reply, text
from tests.bot.discord.seen import messages
from tests.bot.discord.tables import paced


async def test_a_vacation_set_in_the_form_extends_the_deadline_and_can_be_ended(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400)
        [before] = decisions(await hall.table())
        today = hall.env.now().date().isoformat()
        response = await hall.change_own(person, "Vacation", begin=today, end="2026-01-05", zone="berlin")
        page = reply(response)
        assert "Vacation: **<t" in text(page)
        assert "pauses your timer" not in text(page)
        response = await fill(person, page, "Vacation", begin=today, end="2026-02-05")
        [limit] = [entry for entry in await hall.services.absence.limits(person.id) if entry.left]
        allowed = f"Game 1 pauses your timer for 14 days only: until <t:{limit.until:.0f}:f>."
        assert allowed in text(reply(response))
        page = reply(await hall.change_own(person, "Vacation", begin=today, end="2026-01-05"))
        [away] = decisions(await hall.table())
        assert before.until is not None
        assert away.until is not None
        assert away.until - before.until > 3 * DAY
        assert f"<t:{away.until:.0f}" in text(await hall.panel()) or "Deadline" in text(await hall.panel())
        assert f":R>, incl. 5 days of {person.name.title()}'s vacation)." in text(await hall.panel())
        revision = (await hall.game()).revision
        await hall.env.advance_time(3 * DAY)
        assert (await hall.game()).revision == revision
        assert not messages(hall, "⏰")
        await person.click(page, label="I'm back")
        assert "Vacation: **none**" in answer(await person.slash(hall.channel, "settings"))
        [back] = decisions(await hall.table())
        assert back.until is not None
        assert back.until == pytest.approx(before.until + 3 * DAY, abs=120)


async def test_a_refused_vacation_says_so_last_and_opens_again_as_it_was_typed(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann = hall.people[0]
        opened = reply(await ann.slash(hall.channel, "settings"))
        refused = reply(await fill(ann, opened, "Vacation", begin="2026-01-05", end="soon", zone="berlin"))
        assert text(refused).splitlines()[-1].startswith("⚠️")
        assert labels(refused)[0] == "Try again"
        form = await ann.click(refused, label="Try again")
        assert form.modal is not None
        fields = [top["component"] for top in form.modal["components"]]
        assert [field["value"] for field in fields] == ["2026-01-05", "soon", "berlin"]
        sent = await ann.submit_modal(form, {"begin": "2026-01-05", "end": "2026-01-07", "zone": "berlin"})
        assert "Vacation: **<t" in text(reply(sent))

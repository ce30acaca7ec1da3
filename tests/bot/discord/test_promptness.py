"""How fast people decide, where it helps others to know: at a table, for a seat, and in their profile."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from bot.store import Store
from bot.table.options import DAY, HOUR
from bot.table.promptness import Promptness, Tally
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, reply, text
from tests.bot.discord.seen import messages
from tests.bot.discord.tables import stranger

FAST, SLOW = "usually within an hour", "usually takes more than a day"


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> dict[int, Promptness]:
    """How fast people have decided in many games of any server, by user."""
    known = dict[int, Promptness]()

    async def of(store: Store, guild: int, users: Collection[int]) -> dict[int, Tally]:
        return {user: Tally({known[user]: 90}, 9) for user in users if user in known}

    monkeypatch.setattr(Store, "promptness", of)
    return known


async def roster(hall: Hall) -> list[str]:
    """The lobby's lines about players, as they are after a change."""
    table = await hall.table()
    await hall.options(round_limit=99 - table.version % 40)
    return text(await hall.panel()).splitlines()[2 : 2 + len(table.members)]


async def hide(hall: Hall, person: Any) -> None:
    await hall.services.people.change_settings(person.id, choices={"promptness": False})


async def test_a_table_with_a_timer_of_days_says_how_fast_its_players_decide(
    open_hall: Opened, decided: dict[int, Promptness]
) -> None:
    async with open_hall(3) as hall:
        ann, bob, _cem = hall.people
        decided |= {ann.id: Promptness.HOUR, bob.id: Promptness.LONGER}
        await hall.lobby()
        assert not [line for line in await roster(hall) if "⏳" in line], "there is no timer"
        await hall.options(pace=DAY)
        assert [line.partition(" · ⏳ ")[2] for line in await roster(hall)] == [FAST, SLOW, ""]
        await hide(hall, bob)
        assert [line.partition(" · ⏳ ")[2] for line in await roster(hall)] == [FAST, "", ""]
        await hall.change_own(ann, "Your settings", shared={"promptness": False})
        assert FAST not in text(await hall.panel())
        await hall.change_own(ann, "Your settings", shared={"promptness": True})
        assert FAST in text(await hall.panel())
        await hall.options(pace=HOUR)
        assert not [line for line in await roster(hall) if "⏳" in line]
        await hall.options(pace=DAY)
        lobby = await hall.panel()
        await ann.click(lobby, label="Start")
        [closed] = messages(hall, "The game has started.")
        assert FAST not in text(closed)


async def test_whoever_gives_a_seat_learns_how_fast_the_new_player_decides(
    open_hall: Opened, decided: dict[int, Promptness]
) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await hall.lobby()
        await ann.slash(hall.channel, "game bot add", level="easy")
        await hall.options(pause=60, pace=2 * DAY)
        await ann.click(await hall.panel(), label="Start")
        zoe, yan = stranger(hall), stranger(hall, "yan")
        decided |= {zoe.id: Promptness.LONGER}
        given = answer(await bob.slash(hall.channel, "seat give", to=zoe.user))
        assert given == f"Zoe has been asked to take the seat. Zoe in games over days: {SLOW}."
        given = answer(await bob.slash(hall.channel, "seat give", to=yan.user))
        assert given == "Yan has been asked to take the seat. Zoe can't take it anymore."
        await zoe.select(reply(await zoe.slash(hall.channel, "seat take")), ["2"])
        [question] = messages(hall, "wants to take over")
        assert text(question).splitlines()[1] == f"-# Zoe in games over days: {SLOW}."
        await ann.click(question, label="Decline")
        decided |= {yan.id: Promptness.LATE}
        await hide(hall, yan)
        await yan.select(reply(await yan.slash(hall.channel, "seat take")), ["2"])
        [question] = messages(hall, "wants to take over")
        assert "in games over days" not in text(question)


async def test_a_profile_says_how_fast_someone_decides_unless_they_hide_it(
    open_hall: Opened, decided: dict[int, Promptness]
) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        decided |= {ann.id: Promptness.HOUR}
        line = f"In games over days: **{FAST}**"
        for asker in (ann, bob):
            assert line in answer(await asker.slash(hall.channel, "profile", user=ann.user))
        assert "In games over days" not in answer(await ann.slash(hall.channel, "profile", user=bob.user))
        await hall.change_own(ann, "Your settings", shared={"promptness": False})
        for asker in (ann, bob):
            assert "In games over days" not in answer(await asker.slash(hall.channel, "profile", user=ann.user))

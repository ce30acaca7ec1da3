"""Forged, stale, repeated, foreign and malformed interactions, by members and strangers, at tables in each state.
Nothing is stored or shown because of them, no one is called, no error is logged, and the person gets an answer that no
one else sees."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.bot.discord.attack.campaign import Campaign
from tests.bot.discord.conftest import Opened

Record = Callable[[str, object], None]


@pytest.mark.parametrize(
    ("seed", "times"), [(0, 150), *(pytest.param(seed, 2000, marks=pytest.mark.soak) for seed in range(1, 27))]
)
async def test_what_no_client_sends_is_answered_and_changes_nothing(
    open_hall: Opened, record_property: Record, seed: int, times: int
) -> None:
    async with open_hall(6) as hall:
        tried = await Campaign(hall, seed).run(times)
    for name, count in sorted(tried.kinds.items()):
        print(f"{count:5} {name}: offered by chance {tried.offered[name]}, lawful changes {tried.changed[name]}")
    honest = tried.kinds.pop("honest interaction")
    record_property("forged interactions", tried.kinds.total())
    record_property("honest interactions among forged ones", honest)
    assert not tried.faults, f"seed {seed}:\n" + "\n".join(tried.faults[:20])

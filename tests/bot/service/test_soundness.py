"""What doesn't fit together in a store is found, without replaying more than open games."""

from __future__ import annotations

import random

import pytest

from bot.service.repository import DAMAGED, unsound_tables
from tests.bot.oracle import begin_again
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.store.behind import ask

OTHERS = "it waits for others than the game does"
WRONG = {
    "UPDATE games SET waits = replace(waits, 'seat\":', 'seat\":1'), checksum = NULL": OTHERS,
    "UPDATE games SET host = 99, checksum = NULL": "the host isn't at the table",
    "UPDATE games SET host = 99": DAMAGED,
    "UPDATE records SET body = replace(body, '[', '[9,') WHERE number = 2": DAMAGED,
    "UPDATE records SET body = (SELECT body FROM records AS first WHERE first.number = 1), checksum = NULL"
    " WHERE number = 2": "it can't be replayed",
}


@pytest.mark.on_databases
@pytest.mark.parametrize("change", WRONG)
async def test_a_table_that_doesnt_fit_together_is_found(ground: Playground, change: str) -> None:
    number, rng = (await ground.begun(ANN, BOB, channel=1)).number, random.Random(1)
    for _ in range(4):
        await ground.step(number, rng)
    assert await unsound_tables(ground.store) == {}
    await ask(ground.store, change)
    await ground.lobby(CEM, channel=2)
    assert await unsound_tables(ground.store) == {number: WRONG[change]}
    assert await unsound_tables(ground.store, known=[number]) == {}
    await ask(
        ground.store, "UPDATE games SET status = 'cancelled', host = 11, checksum = NULL WHERE number = ?", number
    )
    begin_again(ground.store, number)
    assert await unsound_tables(ground.store) == {}

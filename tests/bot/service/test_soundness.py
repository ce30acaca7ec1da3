"""What isn't what was written in a store is found, and what doesn't fit together of open tables."""

from __future__ import annotations

import random

import pytest

from bot.service.repository import DAMAGED, unsound_tables
from engine.actions import Resign
from tests.bot.oracle import begin_again
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.store.behind import ask, tidy, tidy_only_when_asked

OTHERS = "it waits for others than the game does"
WRONG = {
    "UPDATE games SET waits = replace(waits, 'seat\":', 'seat\":1'), checksum = NULL": OTHERS,
    "UPDATE games SET host = 99, checksum = NULL": "the host isn't at the table",
    "UPDATE games SET host = 99": DAMAGED,
    "UPDATE games SET seed = substr(seed, 2)": DAMAGED,
    "UPDATE records SET body = replace(body, '[', '[9,') WHERE number = 2": DAMAGED,
    "UPDATE records SET body = (SELECT body FROM records AS first WHERE first.number = 1), checksum = NULL"
    " WHERE number = 2": "it can't be replayed",
}


async def found(ground: Playground, *known: int) -> tuple[int, dict[int, str]]:
    """How many tables could be checked, and what is wrong with some. Each is told of."""
    told = list[tuple[str, int, int]]()
    checked = await unsound_tables(ground.store, lambda *progress: told.append(progress), known)
    count = len(await ground.store.numbers())
    assert told == [("games checked", done, count) for done in range(1, count + 1)]
    return checked


async def give_up(ground: Playground, number: int) -> None:
    """Keep a table from the check at the end of each test."""
    await ask(ground.store, "UPDATE games SET checksum = NULL WHERE number = ?", number)
    begin_again(ground.store, number)


@pytest.mark.on_databases
@pytest.mark.parametrize("change", WRONG)
async def test_a_table_that_doesnt_fit_together_is_found(ground: Playground, change: str) -> None:
    number, rng = (await ground.begun(ANN, BOB, channel=1)).number, random.Random(1)
    for _ in range(4):
        await ground.step(number, rng)
    assert await found(ground) == (1, {})
    await ask(ground.store, change)
    await ground.lobby(CEM, channel=2)
    assert await found(ground) == (2, {number: WRONG[change]})
    assert await found(ground, number) == (1, {})
    await give_up(ground, number)


@pytest.mark.on_databases
async def test_so_is_one_behind_many_others(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, channel=1)).number
    for channel in range(2, 123):
        await ground.lobby(CEM, channel=channel)
    await ask(ground.store, "UPDATE games SET host = 99 WHERE number = ?", number)
    assert await found(ground) == (122, {number: DAMAGED})
    await give_up(ground, number)


@pytest.mark.on_databases
async def test_only_open_tables_must_fit_together(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, channel=1)).number
    await ask(ground.store, "UPDATE games SET status = 'cancelled', host = 11, checksum = NULL")
    begin_again(ground.store, number)
    assert await found(ground) == (1, {})


@pytest.mark.on_databases
@pytest.mark.parametrize("packed", [False, True], ids=["as it ended", "packed"])
async def test_a_finished_game_must_be_what_was_written(ground: Playground, packed: bool) -> None:
    tidy_only_when_asked(ground.store)
    number, rng = (await ground.begun(ANN, BOB, channel=1)).number, random.Random(1)
    for _ in range(4):
        await ground.step(number, rng)
    await ground.play(number, ANN, Resign())
    if packed:
        await tidy(ground.store)
    assert await found(ground) == (1, {})
    await ask(ground.store, f"UPDATE {'histories' if packed else 'records'} SET checksum = checksum + 1")
    assert await found(ground) == (1, {number: DAMAGED})
    await give_up(ground, number)

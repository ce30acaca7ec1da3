"""The bytes that tables and games take in memory are bounded, and those used last stay, unless they have changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.projections import SEARCH, Move, moved
from bot.service import Services
from bot.service.repository import GAME_BYTES, RECORD_BYTES, TABLE_BYTES, Cache
from bot.store import Conflict, open_store
from bot.store.sql.upkeep import Upkeep
from bot.table.options import DAY
from bot.table.table import CANCELLED, RUNNING
from engine.chance import SeededChance
from engine.config import Config
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.playground import ANN, BOB, Playground, is_over
from tests.bot.store.sample import NEW

GAMES = [Game.new(Config(("red", "blue")), SeededChance(bytes(32), str(n), ())) for n in range(3)]
TABLES = [replace(NEW, number=n, channel=100 + n, status=RUNNING) for n in range(3)]


def test_the_least_recently_used_game_is_dropped_first() -> None:
    cache = Cache(2 * (TABLE_BYTES + GAME_BYTES + RECORD_BYTES))
    for table, game in zip(TABLES[:2], GAMES, strict=False):
        cache.keep(table, game)
    assert cache.game(0) is GAMES[0]
    cache.keep(TABLES[2], GAMES[2])
    assert [cache.game(n) for n in range(3)] == [GAMES[0], None, GAMES[2]]
    assert cache.in_channel(101) is None
    assert cache.in_channel(102) == TABLES[2]


def test_a_table_alone_takes_less_memory_and_updating_it_keeps_its_game() -> None:
    cache = Cache(10 * TABLE_BYTES)
    for table in TABLES:
        cache.keep(table)
    assert [cache.table(n) for n in range(3)] == TABLES
    cache.keep(TABLES[0], GAMES[0])  # too big for the cache, but the only one that is needed now
    assert (cache.game(0), cache.table(1)) == (GAMES[0], None)
    cache.keep(replace(TABLES[0], version=2))
    assert cache.game(0) is GAMES[0]


def test_a_channel_is_free_when_its_table_is_closed() -> None:
    cache = Cache(1 << 20)
    cache.keep(TABLES[0])
    cache.keep(replace(TABLES[0], status=CANCELLED))
    assert cache.in_channel(100) is None
    cache.keep(replace(TABLES[1], channel=100))
    assert cache.in_channel(100) == replace(TABLES[1], channel=100)
    cache.forget(1)
    assert cache.in_channel(100) is None


async def test_what_a_command_changes_is_seen_soon(ground: Playground) -> None:
    await ground.advance((await ground.begun(ANN, BOB, target=3)).number, is_over)
    other = await open_store(ground.database, make=False)  # as `harbormaster forget` does
    name = await Services.of(other).privacy.forget(BOB)
    await other.close()
    await ground.services.repository.look_again()
    assert [member.name for member in (await ground.table(1)).members] == ["Ann", name]


@pytest.mark.on_databases
async def test_a_game_that_is_deleted_is_not_kept_in_memory(ground: Playground) -> None:
    await ground.advance((await ground.begun(ANN, BOB, target=3)).number, is_over)
    await ground.store.alive(ground.clock + 2 * DAY)
    ground.store._database.tidy = Upkeep(ground.store._database, 1, lambda number: ground.store.deleted(number)).some
    while await ground.store._database.tidy():
        pass
    assert await ground.store.numbers() == []
    for read in (ground.table, ground.game, ground.services.games.export, ground.store.seed):
        with pytest.raises(RefereeError, match="no-table"):
            await read(1)
    with pytest.raises(Conflict):  # as a process does that hasn't heard of it
        await ground.services.projections.note(1, [moved(None, SEARCH, Move.DUE, 1)])

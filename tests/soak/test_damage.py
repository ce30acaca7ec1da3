"""Damage at random places of a file: whatever can still be read is what was written, and the rest is reported."""

from __future__ import annotations

import collections
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.service import Services
from bot.settings import SettingsError
from bot.store import Damaged, Store, open_store
from tests.bot.playground import ANN, BOB, CEM, DOT, Playground

FILES = 1500
GAMES = 5


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
async def test_damage_is_reported_and_no_game_is_silently_changed(
    tmp_path: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Records how many files refused to start, and what happened to the games of the others."""
    rng = random.Random(seed)
    good = tmp_path / "good.db"
    ground = Playground(good, seed)
    await ground.open()
    for number in range(1, GAMES + 1):
        await ground.begun(*rng.sample((ANN, BOB, CEM, DOT), rng.randint(2, 4)), channel=50 + number)
        for _ in range(rng.choice((0, 10, 60, 150))):
            await ground.step(number, rng)
    expected = {number: await told(ground.services, ground.store, number) for number in range(1, GAMES + 1)}
    await ground.close()
    counts: collections.Counter[str] = collections.Counter()
    for _ in range(FILES):
        bad = Path(shutil.copy(good, tmp_path / "bad.db"))
        damage(bad, rng)
        games = await read(bad)
        counts["files that refuse to start"] += not games
        for number, game in games.items():
            counts["games told as damaged" if game is None else "games as they were"] += 1
            assert game in (None, expected[number]), number
        for end in ("", "-wal", "-shm"):
            bad.with_name(bad.name + end).unlink(missing_ok=True)
        counts["files"] += 1
    for what, count in counts.items():
        record_property(what, count)


async def read(path: Path) -> dict[int, object]:
    """The content of each game in a file, None if the game is damaged. Empty if the whole file is refused."""
    try:
        store = await open_store(path, exclusive=True)
    except SettingsError:
        return {}
    services, games = Services.of(store), {}
    try:
        for number in range(1, GAMES + 1):
            try:
                games[number] = await told(services, store, number)
            except Damaged:
                games[number] = None
    finally:
        await store.close()
    return games


async def told(services: Services, store: Store, number: int) -> object:
    """All that makes up a game: position, people, and the source of its chance."""
    table, game = await services.repository.table(number), await services.repository.game(number)
    return game.hash(), table.config, table.users, table.channel, table.entropy, await store.seed(number)


def damage(path: Path, rng: random.Random) -> None:
    """Flip bits, or zero stretches, at one to four places."""
    data = bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        if rng.random() < 0.7:
            data[at] ^= 1 << rng.randrange(8)
        else:
            length = rng.choice((1, 8, 64, 512, 4096))
            data[at : at + length] = bytes(len(data[at : at + length]))
    path.write_bytes(data)

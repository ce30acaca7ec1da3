"""A bit of a file or of its log flips while no process runs. What the next one would find in them is looked for in a
copy, so that the world goes on: damage is reported, and no game is silently changed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.settings import SettingsError
from bot.store import Damaged, Store, open_store
from tests.sim.disk import HEADER
from tests.sim.town import Town

DAMAGE = "damage is reported, and no game is silently changed"
TIMES = 40
"""How many bits flip after a death, each in a copy of its own."""
FRAME = 24
"""Bytes before each page in SQLite's log."""


class Flips:
    """Flips bits in copies of a disk."""

    def __init__(self, town: Town) -> None:
        self.town, self._rng = town, town.universe.chance("flips")
        self._tasks, self._copies = set[Any](), 0

    def begin(self) -> None:
        """Flip bits of what is on the disk now. No process runs."""
        disk = self.town.disk
        if disk is None:
            return
        files = {file.name: file.read_bytes() for file in disk.files() if file.exists()}
        files = {name: data for name, data in files.items() if data}
        task = self.town.universe.loop.create_task(self._look(files))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, files: dict[str, bytes]) -> None:
        good = await self._games(files)
        for _ in range(TIMES):
            name = self._rng.choice([*files])
            data, at = bytearray(files[name]), self._rng.randrange(len(files[name]))
            data[at] ^= 1 << self._rng.randrange(8)
            found = await self._games({**files, name: bytes(data)})
            if name.endswith("-wal") and any(game not in (None, good.get(number)) for number, game in found.items()):
                expected = await self._games({**files, name: _ended(files[name], at)})
            else:
                expected = good
            for number, game in found.items():
                if game not in (None, expected.get(number)):
                    self.town.universe.wrong(DAMAGE, f"game {number} is changed by byte {at} of {name}")

    async def _games(self, files: dict[str, bytes]) -> dict[int, object]:
        """What makes up each game of a file; None: it is damaged. Empty if the whole file is refused."""
        self._copies += 1
        folder = self.town.folder / f"flipped {self._copies}"
        folder.mkdir()
        try:
            for name, data in files.items():
                (folder / name).write_bytes(data)
            return await _read(folder / "harbor.db")
        finally:
            shutil.rmtree(folder)


def _ended(log: bytes, at: int) -> bytes:
    """SQLite's log as it must be taken with a bad byte there: each frame has a checksum, and the log is over before the
    first one whose checksum is wrong, as it is after a power cut."""
    size = FRAME + int.from_bytes(log[8:12], "big")
    return b"" if at < HEADER else log[: HEADER + (at - HEADER) // size * size]


async def _read(path: Path) -> dict[int, object]:
    try:
        store = await open_store(path, exclusive=True)
    except SettingsError:
        return {}
    try:
        return {number: await _game(store, number) for number in range(1, 5)}
    finally:
        await store.close()


async def _game(store: Store, number: int) -> object:
    """All that makes up a game, except what no checksum covers: counters, when a table was opened, and names, which
    everyone brings along again with each interaction."""
    try:
        table = await store.table(number)
        if table is None:
            return None
        seed, records = await store.seed(number), await store.records(number)
    except Damaged:
        return None
    members = tuple(replace(member, name="") for member in table.members)
    return replace(table, members=members, created=0.0, version=0), seed, records

"""A bit of a file flips while no process runs. What the next one would find in it is looked for in a copy, so that the
world goes on: damage is reported, and no game is silently changed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from bot.settings import SettingsError
from bot.store import Damaged, Store, open_store
from tests.sim.disk import Disk
from tests.sim.town import Town

DAMAGE = "damage is reported, and no game is silently changed"
TIMES = 20
"""How many bits flip after a death, each in a copy of its own."""


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
        task = self.town.universe.loop.create_task(self._look(files))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, files: dict[str, bytes]) -> None:
        good = await self._games(files, flipped=False)
        for _ in range(TIMES):
            for number, game in (await self._games(files, flipped=True)).items():
                if game not in (None, good.get(number)):
                    self.town.universe.wrong(DAMAGE, f"game {number} is changed")

    async def _games(self, files: dict[str, bytes], flipped: bool) -> dict[int, object]:
        """What makes up each game of a file; None: it is damaged. Empty if the whole file is refused."""
        self._copies += 1
        folder = self.town.folder / f"flipped {self._copies}"
        folder.mkdir()
        try:
            for name, data in files.items():
                (folder / name).write_bytes(data)
            if flipped:
                Disk(folder / "harbor.db", self._rng).flip()
            return await _read(folder / "harbor.db")
        finally:
            shutil.rmtree(folder)


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
    try:
        table = await store.table(number)
        if table is None:
            return None
        seed, records = await store.seed(number), await store.records(number)
    except Damaged:
        return None
    return table.config, table.users, table.channel, table.status, table.entropy, seed, records

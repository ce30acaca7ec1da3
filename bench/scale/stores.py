"""The stores of the bench: templates in a folder that is kept, and a copy for each run."""

from __future__ import annotations

import asyncio
import hashlib
import json
import pickle
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import asyncpg

from bench.scale.bulk import bulk_store
from bench.scale.template import Builder
from bench.scale.town import Town
from bench.size import pack
from bot.settings import StoreAddress
from bot.store import open_store
from tests.wire.postmaster import Postmaster

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("bench/scale/people.py", "bench/scale/template.py", "bench/scale/town.py", "bot/store", "bot/table")
"""Sources that a template depends on. When one of them changes, a new template is made."""
WITHOUT_SYNC = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")
LIKE_A_HOST = ("fsync = on", "synchronous_commit = on", "full_page_writes = on")


@dataclass(frozen=True, slots=True)
class Size:
    """How many games there are."""

    running: int
    finished: int

    def __str__(self) -> str:
        return f"{self.running}_{self.finished}"


@dataclass(frozen=True, slots=True)
class Cost:
    """Bytes in the database."""

    whole: int
    running: float
    """Bytes of a running game."""
    finished: float
    """Bytes of a finished game."""


class Stores:
    """Templates and their copies: SQLite files, and databases of one PostgreSQL server. Both need room on the disk."""

    def __init__(self, folder: Path | None = None) -> None:
        """The templates stay in `folder`, by default in the system's temporary folder, named by a hash of `SOURCES`."""
        self._folder = folder or Path(tempfile.gettempdir()) / f"harbormaster-scale-{_digest()}"
        self._folder.mkdir(exist_ok=True)
        self._server: Postmaster | None = None

    @property
    def server(self) -> Postmaster:
        """The PostgreSQL server, started when it is first asked for."""
        if self._server is None:
            self._server = Postmaster(self._folder / "postgresql")
            self._server.set(*LIKE_A_HOST)
        return self._server

    def close(self) -> None:
        """Stop the server; the templates stay."""
        if self._server is not None:
            self._server.stop()

    async def prepare(self, kind: str, sizes: Sequence[Size]) -> None:
        """Make the templates of some sizes that are missing. Each adds games to the one before it."""
        before: Size | None = None
        for size in sorted(sizes, key=lambda size: (size.running, size.finished)):
            if not self._town_file(kind, size).exists():
                print(f"preparing {size.running:,} running and {size.finished:,} finished games ({kind}) …", flush=True)
                await self._make(kind, size, before)
            before = size

    def town(self, kind: str, size: Size) -> Town:
        """The town that belongs to a template."""
        town: Town = pickle.loads(self._town_file(kind, size).read_bytes())
        return town

    def cost(self, kind: str, size: Size) -> Cost:
        """What a template's games cost in the database."""
        return Cost(**json.loads(self._town_file(kind, size).with_suffix(".json").read_text()))

    def copy(self, kind: str, size: Size, folder: Path) -> StoreAddress:
        """Copy a template to a new store."""
        if kind == "postgresql":
            return self.server.new("run", f"t{size}")
        path = folder / "games.db"
        shutil.copy(self._file(size), path)
        return path

    async def packed(self, kind: str, size: Size) -> float:
        """Bytes of a finished game once it is packed, which happens an hour after its end: what all of them take less
        when they are deleted."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            address = self.copy(kind, size, Path(name))
            await _age(address)
            await pack(address)
            whole = await self._compact(address)
            await pack(address, days=1)
            return (whole - await self._compact(address)) / size.finished

    async def _compact(self, address: StoreAddress) -> int:
        """Bytes of a store without free space."""
        if isinstance(address, Path):
            with closing(sqlite3.connect(address)) as sql:
                sql.execute("VACUUM")
                sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return address.stat().st_size
        connection = await asyncpg.connect(address)
        try:
            await connection.execute("VACUUM FULL")
            return int(await connection.fetchval("SELECT pg_database_size(current_database())"))
        finally:
            await connection.close()

    def _file(self, size: Size) -> Path:
        return self._folder / f"sqlite-{size}.db"

    def _town_file(self, kind: str, size: Size) -> Path:
        return self._folder / f"{kind}-{size}.town"

    async def _make(self, kind: str, size: Size, before: Size | None) -> None:
        town = self.town(kind, before) if before else Town()
        if kind == "postgresql":
            address: StoreAddress = self.server.new(f"t{size}", f"t{before}" if before else "template1")
            self.server.set(*WITHOUT_SYNC)
        else:
            address = self._folder / f"making-{size}.db"
            address.unlink(missing_ok=True)
            if before:
                shutil.copy(self._file(before), address)
        running, finished = size.running - len(town.games), size.finished - town.finished
        bare = await self._weight(address)
        await self._grow(address, town, 0, finished)
        with_finished = await self._weight(address)
        await self._grow(address, town, running, 0)
        whole = await self._weight(address)
        if isinstance(address, Path):
            shutil.move(address, self._file(size))
            address.with_name(address.name + ".lock").unlink(missing_ok=True)
        else:
            self.server.set(*LIKE_A_HOST)
        cost = Cost(whole, (whole - with_finished) / max(running, 1), (with_finished - bare) / max(finished, 1))
        self._town_file(kind, size).with_suffix(".json").write_text(json.dumps(asdict(cost)))
        self._town_file(kind, size).write_bytes(pickle.dumps(town))

    async def _grow(self, address: StoreAddress, town: Town, running: int, finished: int) -> None:
        async with bulk_store(address) as store:
            await Builder(store, town, seed=1).add(running, finished)

    async def _weight(self, address: StoreAddress) -> int:
        """Bytes of a store, tidied up as the database does by itself in time."""
        await self._grow(address, Town(), 0, 0)  # makes the schema, folds a file's log
        if isinstance(address, Path):
            return address.stat().st_size
        name = address.partition("?")[0].rpartition("/")[2]
        return int(await asyncio.to_thread(self.server.value, f"SELECT pg_database_size('{name}')"))


async def _age(address: StoreAddress) -> None:
    """Let two days pass since the end of all finished games."""
    store = await open_store(address)
    query = "UPDATE games SET updated = updated - 172800, checksum = NULL WHERE status = 'over'"
    await store.transaction(lambda run: run((query, ())))
    await store.close()


def _digest() -> str:
    digest = hashlib.sha256()
    for name in SOURCES:
        place = ROOT / name
        for path in sorted(place.rglob("*.*")) if place.is_dir() else [place]:
            if path.suffix in (".py", ".sql"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]

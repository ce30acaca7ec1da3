"""All games in one PostgreSQL database."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.settings import SettingsError
from bot.store.errors import MustEnd
from bot.store.postgresql.clock import NOW, ahead
from bot.store.postgresql.database import AGAIN, NEWEST, Database
from bot.store.postgresql.keeping import Keeping, keeping
from bot.store.postgresql.words import Words
from bot.store.sql.database import Execute
from bot.store.sql.restored import SKIPPED, repost_statements
from bot.store.sql.store import Store
from bot.store.sql.tables import KEYS


class PostgresStore(Store):
    """One PostgreSQL database, which many processes can share. `Store` says what each method promises."""

    shared = True
    freeze = (f"LOCK TABLE {', '.join(KEYS)} IN EXCLUSIVE MODE",)
    count_on = ("SELECT setval(pg_get_serial_sequence('games', 'number'), max(number)) FROM games",)
    _database: Database

    _words: Words

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        namespace: str = "discord",
        connections: int = 8,
        patient: bool = False,
        days: int = 0,
        make: bool = True,
    ) -> PostgresStore:
        """Connect, with several tries if `patient`, and bring the schema up to date; raises `SettingsError`. `days` and
        `make` are as for `open_store`."""
        tries = len(AGAIN) + 1 if patient else 1
        database = await Database.open(url, connections=connections, tries=tries, make=make)
        store = cls(database, namespace, days)
        store._words = Words(url, namespace, store._process)
        return store

    def on_must_end(self, end: Callable[[MustEnd], None]) -> None:
        self._database.end = end

    async def listen(self, heard: Callable[[str], None]) -> None:
        self._words.listen(heard)

    async def tell(self, words: str) -> None:
        await self._database.read("SELECT pg_notify(?, ?)", *self._words.said(words))

    async def ahead(self) -> float:
        before = time.time()
        [row] = await self._database.read(f"SELECT {NOW} AS now")
        return ahead(before, row["now"], time.time())

    def time(self) -> float:
        return self._database.clock()

    async def check(self) -> None:
        before = time.time()
        query = f"SELECT {NOW} AS now, (SELECT max(number) FROM schema_version) AS step"
        [row] = await self._database.read(query)
        with self._database.telling():
            if row["step"] > NEWEST:
                raise MustEnd("a newer version of Harbormaster has changed the database")
            self._database.clock.compare(before, row["now"])

    async def refuse_if_used(self, run: Execute, place: str) -> None:
        # By the clock that processes use to say that they are alive.
        query = f"SELECT count(*) FROM processes WHERE held_until >= {NOW}"
        [[row]] = await run((query, ()))
        if row[0]:
            raise SettingsError(
                f"{place} is in use by a running process; stop it first. (If it was killed, wait 15 seconds.)"
            )

    async def restored(self, now: float, place: str) -> None:
        """Have all open games shown in new messages, after a backup was restored. Raises `SettingsError` if a process
        runs on the database, which hosts know as `place`."""
        skip = "SELECT setval(pg_get_serial_sequence('games', 'number'), max(number) + ?) FROM games"

        async def body(run: Execute) -> None:
            await run(*((sql, ()) for sql in self.freeze))
            await self.refuse_if_used(run, place)
            await run(*repost_statements(now), (skip, (SKIPPED,)))

        await self.transaction(body)

    async def keeping(self) -> Keeping:
        """How safely the server keeps data."""
        return await self.transaction(keeping)

    async def close(self) -> None:
        await self._words.close()
        await super().close()

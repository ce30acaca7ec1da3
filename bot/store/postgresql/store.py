"""All games in one PostgreSQL database; how safely the server keeps them: what a power cut, a failing disk or the loss
of a disk would take; and what processes on one database tell each other, by LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import asyncpg

from bot.settings import SettingsError
from bot.store.base import MustEnd
from bot.store.postgresql.database import ALIVE, CONNECT_AGAIN, ERRORS, NEWEST_STEP, NOW, Database, ahead
from bot.store.sql.database import Execute
from bot.store.sql.store import Store
from bot.store.sql.tables import KEYS, SKIPPED_NUMBERS, repost_statements
from bot.tasks import in_own_context

log = logging.getLogger(__name__)

# --- how safely it keeps data

_SERVER_SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ({})"
_SETTING_NAMES = ("fsync", "full_page_writes", "synchronous_commit", "data_checksums", "archive_mode")
_ARCHIVER = (
    "SELECT extract(epoch FROM now() - last_archived_time)::float8 AS age,"
    " coalesce(last_failed_time > last_archived_time, last_failed_time IS NOT NULL) AS failing FROM pg_stat_archiver"
)


@dataclass(frozen=True, slots=True)
class Keeping:
    """What a server says about how safely it keeps data."""

    fsync: bool
    full_page_writes: bool
    synchronous_commit: str
    """Its value for what people do, whatever the server uses otherwise."""
    checksums: bool
    archives: bool
    """Whether the server is told to archive its write-ahead log."""
    failing: bool
    """Whether the last attempt to archive failed."""
    age: float | None
    """Seconds since something was last archived; None: never."""


async def keeping(run: Execute) -> Keeping:
    """Ask the server, in a transaction that is as durable as one that stores an action."""
    names = ", ".join("?" * len(_SETTING_NAMES))
    rows, [archiver] = await run((_SERVER_SETTINGS.format(names), _SETTING_NAMES), (_ARCHIVER, ()))
    settings = {row["name"]: row["setting"] for row in rows}
    return Keeping(
        fsync=settings["fsync"] == "on",
        full_page_writes=settings["full_page_writes"] == "on",
        synchronous_commit=settings["synchronous_commit"],
        checksums=settings["data_checksums"] == "on",
        archives=settings["archive_mode"] != "off",
        failing=archiver["failing"],
        age=archiver["age"],
    )


# --- what processes tell each other

CHANNEL = "harbormaster"
LISTEN_AGAIN = 5.0
"""Seconds until the next try to connect, and until a connection that doesn't answer is given up."""
LISTEN_CHECK = 30.0
"""Seconds between two checks whether the connection still works."""


class Words:
    """Hears what other processes of a namespace say. What they say while it isn't connected is lost."""

    def __init__(self, url: str, namespace: str, process: str) -> None:
        """`process` distinguishes this process's words from those of others."""
        self._url, self._namespace, self._process = url, namespace, process
        self._listeners: list[Callable[[str], None]] = []
        self._task: asyncio.Task[None] | None = None

    def said(self, words: str) -> tuple[str, str]:
        """The channel and the payload by which others hear words."""
        return CHANNEL, f"{self._process} {self._namespace} {words}"

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with others' words from now on, or as soon as there is a connection."""
        self._listeners.append(heard)
        if self._task is None:
            self._task = in_own_context(asyncio.create_task, self._listen())

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _listen(self) -> None:
        def hear(connection: object, pid: int, channel: str, payload: str) -> None:
            process, namespace, words = payload.split(" ", 2)
            if process != self._process and namespace == self._namespace:
                for heard in self._listeners:
                    heard(words)

        while True:
            connection: Any = None
            try:
                connection = await asyncpg.connect(self._url, timeout=LISTEN_AGAIN, command_timeout=LISTEN_AGAIN)
                await connection.add_listener(CHANNEL, hear)
                while True:
                    await asyncio.sleep(LISTEN_CHECK)
                    await connection.execute("SELECT 1")
            except ERRORS as error:
                log.info("Other processes can't be heard for a moment: %s", type(error).__name__)
                await asyncio.sleep(LISTEN_AGAIN)
            finally:
                if connection is not None:
                    connection.terminate()


# --- the store


_NUMBERS = "pg_get_serial_sequence('games', 'number')::regclass"
_LATEST = f"(SELECT greatest(pg_sequence_last_value({_NUMBERS}), max(number), 0) FROM games)"
"""What the sequence gave last, or the highest number of a row that came with its own, as in a move."""


class PostgresStore(Store):
    """One PostgreSQL database, which many processes can share. `Store` says what each method promises."""

    shared = True
    freeze = (f"LOCK TABLE {', '.join(KEYS)} IN EXCLUSIVE MODE",)
    latest_number = f"SELECT {_LATEST}"
    count_on = f"SELECT setval({_NUMBERS}, greatest({_LATEST}, ?))"
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
        update: bool = True,
    ) -> PostgresStore:
        """Connect, with several tries if `patient`, and bring the schema up to date; raises `SettingsError`. `days`,
        `make` and `update` are as for `open_store`."""
        tries = len(CONNECT_AGAIN) + 1 if patient else 1
        database = await Database.open(url, connections=connections, tries=tries, make=make, update=update)
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
            if row["step"] > NEWEST_STEP:
                raise MustEnd("a newer version of Harbormaster has changed the database")
            self._database.clock.compare(before, row["now"])

    async def refuse_if_used(self, run: Execute, place: str) -> None:
        [[row]] = await run((ALIVE, ()))
        if row[0]:
            raise SettingsError(
                f"{place} is in use by a running process; stop it first. (If it was killed, wait 15 seconds.)"
            )

    async def restored(self, now: float, place: str) -> None:
        """Have all open games shown in new messages, after a backup was restored. Raises `SettingsError` if a process
        runs on the database, which hosts know as `place`."""

        async def body(run: Execute) -> None:
            await run(*((sql, ()) for sql in self.freeze))
            await self.refuse_if_used(run, place)
            [[latest]] = await run((self.latest_number, ()))
            await run(*repost_statements(now), (self.count_on, (latest[0] + SKIPPED_NUMBERS,)))

        await self.transaction(body)

    async def is_older(self) -> bool:
        """Whether the tables are those of an earlier version, which the next start brings up to date."""
        [row] = await self._database.read("SELECT max(number) AS step FROM schema_version")
        return bool(row["step"] < NEWEST_STEP)

    async def keeping(self) -> Keeping:
        """How safely the server keeps data."""
        return await self.transaction(keeping)

    async def close(self) -> None:
        await self._words.close()
        await super().close()

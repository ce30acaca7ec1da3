"""How safe a server keeps what it is given: what a power cut, a failing disk and the loss of a disk would take."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.sql.database import Execute

_SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ({})"
_NAMES = ("fsync", "full_page_writes", "synchronous_commit", "data_checksums", "archive_mode")
_ARCHIVER = (
    "SELECT extract(epoch FROM now() - last_archived_time)::float8 AS age,"
    " coalesce(last_failed_time > last_archived_time, last_failed_time IS NOT NULL) AS failing FROM pg_stat_archiver"
)


@dataclass(frozen=True, slots=True)
class Keeping:
    """What a server says of itself."""

    fsync: bool
    full_page_writes: bool
    synchronous_commit: str
    """As it is for what people do, whatever the server has otherwise."""
    checksums: bool
    archives: bool
    """Whether it is told to archive its write-ahead log."""
    failing: bool
    """Whether that failed the last time."""
    age: float | None
    """Seconds since it was done last; None: never."""


async def keeping(run: Execute) -> Keeping:
    """Ask in a transaction that is as durable as one in which somebody acts."""
    names = ", ".join("?" * len(_NAMES))
    rows, [archiver] = await run((_SETTINGS.format(names), _NAMES), (_ARCHIVER, ()))
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

"""How safely a server keeps data: what a power cut, a failing disk or the loss of a disk would take."""

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

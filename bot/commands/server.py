"""What `harbormaster doctor` says about a database on a server."""

from __future__ import annotations

from bot.commands.shared import opened, span
from bot.settings import Settings
from bot.store.postgresql.store import PostgresStore

OK, NOTE, WRONG = "ok", "note", "wrong"
Found = tuple[str, str, str, str]
"""Check, state, what was found, what to do about it."""
SLOW = 3_600.0
"""Seconds within which something should have been archived."""
SET = "ALTER SYSTEM SET {} = on; SELECT pg_reload_conf();"
ARCHIVE = "See docs/backups.md#to-a-point-in-time."


async def keeping(settings: Settings) -> list[Found]:
    """Findings about how safely the server keeps data."""
    async with opened(settings) as store:
        assert isinstance(store, PostgresStore)
        server = await store.keeping()
    found = list[Found]()
    if not server.fsync:
        found.append(("durability", WRONG, "fsync is off: a power cut can take all games.", SET.format("fsync")))
    elif not server.full_page_writes:
        torn = "full_page_writes is off: a power cut can tear a page (except on a file system such as ZFS)."
        found.append(("durability", WRONG, torn, SET.format("full_page_writes")))
    elif server.synchronous_commit == "off":
        lost = "synchronous_commit is off for what people do: a power cut takes the last moments."
        found.append(("durability", WRONG, lost, "Report it: Harbormaster turns it on itself."))
    else:
        commits = f"fsync and full_page_writes are on, synchronous_commit is {server.synchronous_commit} for actions."
        found.append(("durability", OK, commits, ""))
    if server.checksums:
        found.append(("checksums", OK, "Pages have checksums.", ""))
    else:
        none = "Pages have no checksums, so a failing disk can go unnoticed."
        found.append(("checksums", NOTE, none, "Stop the server, run pg_checksums --enable -D FOLDER, and start it."))
    if not server.archives:
        none = "The server archives no write-ahead log. Whether you make dumps can't be seen from here."
        found.append(("backup", NOTE, none, f"If the disk fails, all since the last dump is lost. {ARCHIVE}"))
    elif server.failing:
        found.append(
            ("backup", WRONG, "The write-ahead log can't be archived.", f"The server's log says why. {ARCHIVE}")
        )
    elif server.age is None or server.age > SLOW:
        last = "never been archived" if server.age is None else f"not been archived for {span(server.age)}"
        advice = f"With archive_timeout set, it is archived whenever something changes. {ARCHIVE}"
        found.append(("backup", NOTE, f"The write-ahead log has {last}.", advice))
    else:
        found.append(("backup", OK, f"The write-ahead log was archived {span(server.age)} ago.", ""))
    return found

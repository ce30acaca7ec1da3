"""`harbormaster restored`: shows all games in new messages, after PostgreSQL's own tools restored a backup."""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from bot.commands.shared import add_database, opened, settings_of
from bot.settings import Settings, SettingsError, place_of
from bot.store.postgresql.store import PostgresStore

DETAILS = """\
Stop all processes, run pg_restore, then this, then start the processes. Each running game gets a new message. What was
posted after the backup loses its buttons. `harbormaster restore` does this by itself.

exit status:
  0  done
  2  nothing was changed: the database isn't PostgreSQL, can't be reached, or Harbormaster runs on it"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)


def run(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    if isinstance(settings.database, Path):
        raise SettingsError("This is for PostgreSQL; `harbormaster restore BACKUP` puts a file back.")
    asyncio.run(_restored(settings))
    print("All running games will get new messages.")
    return 0


async def _restored(settings: Settings) -> None:
    async with opened(settings) as store:
        assert isinstance(store, PostgresStore)
        await store.restored(time.time(), place_of(settings.database))

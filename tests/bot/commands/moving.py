"""Moving games to another database, for the tests of the commands."""

from __future__ import annotations

from typing import Any

from bot.cli import main
from bot.settings import StoreAddress
from bot.store import open_store
from tests.bot.store.behind import ask

FILE = "sqlite:old.db"


def migrate(source: object, target: object, *more: str) -> int:
    """Run `harbormaster migrate`. Returns its exit status."""
    return main(["migrate", "--from", str(source), "--to", str(target), *more])


async def rows(database: StoreAddress, sql: str) -> list[tuple[Any, ...]]:
    """The rows that a database answers; a change is committed."""
    store = await open_store(database)
    found = [tuple(row) for row in await ask(store, sql)]
    await store.close()
    return found

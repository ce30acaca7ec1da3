"""How to run an earlier version of the program next to this one, which reads what that stores."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import asyncpg

from bot.projections import Kind, Name, Place, Projection, State
from bot.store import ProjectionStore
from bot.store.postgresql import database
from bot.store.sql.tables import Row
from tests.bot.store.before import LAST
from tests.house import ROOT

STEPS = "bot/store/sql/migrations"
ELSEWHERE = "import os, sys; os.chdir(sys.argv[1]); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
"""Program that becomes Python in another folder."""
NOT_ONE = ("notified", "owed")
"""How names of the old table begin that are not read: no one waits for them."""


def older(commit: str, folder: Path, last: int = LAST) -> list[str]:
    """The beginning of the command line of a bot of that commit, unpacked in a folder. `last`: the latest migration for
    which it doesn't make way. Raises `subprocess.CalledProcessError` if the commit is unknown."""
    packed = subprocess.run(
        ["git", "archive", commit, "bot", "engine", "players", "render"], cwd=ROOT, capture_output=True, check=True
    )
    subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
    for step in (ROOT / STEPS).iterdir():
        if int(step.name[:4]) <= last:
            shutil.copy(step, folder / STEPS)
    return [sys.executable, "-c", ELSEWHERE, str(folder)]


@contextlib.contextmanager
def schema_as_it_is() -> Iterator[None]:
    """In this process, stores on a server leave the schema to the processes that they watch. They read what is shown
    from the old table while it is there."""
    visible = ProjectionStore.visible

    async def nothing(url: str, place: str) -> None:
        pass

    async def either(store: ProjectionStore, number: int) -> dict[Name, Projection]:
        with contextlib.suppress(asyncpg.UndefinedTableError):
            return await visible(store, number)
        with contextlib.suppress(asyncpg.UndefinedTableError):
            rows = await store._database.read("SELECT * FROM projections WHERE game = ?", number)
            found = [_projection_in(row) for row in rows if not row["what"].startswith(NOT_ONE)]
            return {projection.name: projection for projection in found}
        return await visible(store, number)  # it has changed in between

    with mock.patch.object(database, "_migrate", nothing), mock.patch.object(ProjectionStore, "visible", either):
        yield


def _projection_in(row: Row) -> Projection:
    kind, _, key = row["what"].partition(":")
    user = ""
    if kind in (Kind.HAND, Kind.REMINDER, Kind.ROOM, Kind.TOLD, Kind.UNREACHED):
        user, _, key = key.partition(":")
    place = None if row["message"] is None else Place(row["channel"], row["message"])
    state = State.WANTED if place is None else State.POSTED
    return Projection(Name(Kind(kind), key, int(user or 0)), state, row["due"], row["shown"], place)

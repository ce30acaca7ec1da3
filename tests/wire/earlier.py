"""How to run an earlier version of the program next to this one, which reads what that stores."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from bot.store.postgresql import database
from tests.house import ROOT

STEPS = "bot/store/sql/migrations"
ELSEWHERE = "import os, sys; os.chdir(sys.argv[1]); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
"""Program that becomes Python in another folder."""


def older(commit: str, folder: Path) -> list[str]:
    """The beginning of the command line of a bot of that commit, unpacked in a folder. Raises
    `subprocess.CalledProcessError` if the commit is unknown."""
    packed = subprocess.run(
        ["git", "archive", commit, "bot", "engine", "players", "render"], cwd=ROOT, capture_output=True, check=True
    )
    subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
    return [sys.executable, "-c", ELSEWHERE, str(folder)]


@contextlib.contextmanager
def schema_as_it_is() -> Iterator[None]:
    """In this process, stores on a server leave the schema to the processes that they watch."""
    with mock.patch.object(database, "_migrate", autospec=True):
        yield

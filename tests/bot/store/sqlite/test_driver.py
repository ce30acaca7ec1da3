"""The driver's private parts that the store uses: another release might not have them."""

from __future__ import annotations

import asyncio
import inspect
import re
import threading
import tomllib
from importlib import metadata
from pathlib import Path

import aiosqlite
import pytest

from bot.store.base import Unavailable
from bot.store.sqlite import file
from tests.house import ROOT

WHERE = "bot/store/sqlite/file.py runs whole transactions by it; see what has become of it before taking this one"


def test_only_driver_releases_that_were_tried_are_installed() -> None:
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    [requirement] = [text for text in dependencies if text.startswith("aiosqlite")]
    bounds = re.fullmatch(r"aiosqlite>=(\d+\.\d+\.\d+),<(\d+\.\d+)", requirement)
    assert bounds, f"{requirement} has no upper bound, and private parts can go with any release"
    low, version, high = (
        tuple(map(int, text.split("."))) for text in (bounds[1], metadata.version("aiosqlite"), bounds[2])
    )
    assert low <= version < high


def test_the_drivers_private_parts_exist() -> None:
    for name, parameters in {
        "_execute": ["self", "fn", "args"],
        "_execute_fetchall": ["self", "sql", "parameters"],
    }.items():
        part = getattr(aiosqlite.Connection, name, None)
        assert part is not None, f"aiosqlite {metadata.version('aiosqlite')} has no {name}: {WHERE}"
        assert [*inspect.signature(part).parameters][: len(parameters)] == parameters, f"{name} is another: {WHERE}"


async def test_a_function_given_to_the_drivers_thread_runs_there_as_a_whole() -> None:
    connection = await aiosqlite.connect(":memory:")

    def both() -> tuple[int, list[tuple[int]]]:
        connection._execute_fetchall("CREATE TABLE t (n INTEGER)", ())
        connection._execute_fetchall("INSERT INTO t VALUES (?)", (7,))
        rows = connection._execute_fetchall("SELECT n FROM t", ())
        return threading.get_ident(), [(row[0],) for row in rows]

    thread, rows = await connection._execute(both)  # type: ignore[no-untyped-call]
    await connection.close()
    assert thread != threading.get_ident(), WHERE
    assert rows == [(7,)]


async def test_what_is_asked_while_the_file_is_closed_is_unavailable(tmp_path: Path) -> None:
    connection = file.Connection(tmp_path / "games.db")
    await connection.open()
    closing = asyncio.create_task(connection.close())
    while not closing.done():  # also after the last step
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await connection.ask("SELECT 1")
    await closing

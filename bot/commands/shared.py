"""What several commands need."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from bot.settings import Settings, SettingsError, load_settings, place_of
from bot.store import Damaged, Store, Unavailable, open_store
from bot.store.base import Tell
from bot.table.table import Table
from engine.errors import ConfigError, MalformedInput, ReplayError
from engine.game import Game
from engine.record import Record

UNREADABLE = (Damaged, MalformedInput, ReplayError, ConfigError)
"""What reading a game raises if it can't be read."""


def at_least(least: int) -> Callable[[str], int]:
    """The type of an argument that is a number, and no smaller."""

    def number(text: str) -> int:
        if int(text) < least:
            raise ArgumentTypeError(f"must be {least} or more")
        return int(text)

    return number


def add_database(parser: ArgumentParser) -> None:
    """Add the option that says where all games are."""
    help_ = "a SQLite file, or postgresql://… (DATABASE_URL or HARBORMASTER_DATABASE; otherwise harbormaster.db)"
    parser.add_argument("--database", metavar="PLACE", help=help_)


def add_json(parser: ArgumentParser) -> None:
    """Add the option for scripts."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text, for scripts")


def print_json(**data: Any) -> None:
    """Print one JSON object, for scripts."""
    print(json.dumps(data, ensure_ascii=False))


def settings_of(arguments: Namespace) -> Settings:
    """The settings; options of the command line take precedence. Raises `SettingsError`."""
    names = ("database", "seats", "preview_port", "shards", "shard_count")
    return load_settings(**{name: value for name in names if (value := getattr(arguments, name, None)) is not None})


def file_of(settings: Settings) -> Path:
    """The file of all games, which may not exist yet; raises `SettingsError` if they are in PostgreSQL."""
    if isinstance(settings.database, Path):
        return settings.database
    raise SettingsError(
        f"{place_of(settings.database)} isn't a file: copy it with pg_dump, put it back with pg_restore."
    )


@asynccontextmanager
async def opened(settings: Settings, *, update: bool = True) -> AsyncIterator[Store]:
    """Yield the store of all games, even while Harbormaster runs. Raises `SettingsError`, also if there is none yet, or
    if it fails. `update` is as for `open_store`."""
    store = await open_store(settings.database, litestream=settings.litestream, make=False, update=update)
    try:
        yield store
    except Unavailable as error:
        raise SettingsError(f"{place_of(settings.database)} can't be used right now: {error}.") from None
    finally:
        await store.close()


async def replayed(store: Store, table: Table) -> Game:
    """A table's game. Raises `UNREADABLE`."""
    return Game.replay(table.config, [Record.from_json(data) for data in await store.records(table.number)])


@contextmanager
def noting(damaged: dict[int, str], number: int) -> Iterator[None]:
    """Note why a game can't be read, if it can't."""
    try:
        yield
    except UNREADABLE as error:
        damaged[number] = "its records can't be read" if isinstance(error, Damaged) else "it can't be replayed"


def games(count: int) -> str:
    """ "1 game", "2 games"."""
    return f"{count} game" if count == 1 else f"{count} games"


def print_damaged(damaged: Mapping[int, str]) -> None:
    """Print the numbers of games that can't be read, and why they can't."""
    for number, reason in damaged.items():
        print(f"Game {number} is damaged ({reason}); docs/hosting.md says what to do.")


def span(seconds: float) -> str:
    """ "3 days", "2 hours", "90 seconds"."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


TELL_EVERY = 10.0
"""Seconds between two lines about the progress, if there is no terminal."""


@contextmanager
def progress(silent: bool, patient: bool = False) -> Iterator[Tell]:
    """Yield a function that reports progress on standard error: as a bar on a terminal, otherwise as a line now and
    then. `patient`: no bar either, unless it takes as long."""
    with ExitStack() as bars:
        bar: Any = None  # tqdm has no types
        told = time.monotonic()

        def tell(what: str, done: int, total: int) -> None:
            nonlocal bar, told
            if silent:
                return
            if sys.stderr.isatty():
                from tqdm import tqdm

                if bar is None or bar.desc != what:
                    bars.close()
                    delay = TELL_EVERY if patient else 0.0
                    bar = bars.enter_context(tqdm(desc=what, total=total, dynamic_ncols=True, delay=delay))
                bar.update(done - bar.n)
            elif time.monotonic() - told >= TELL_EVERY:
                told = time.monotonic()
                print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

        yield tell

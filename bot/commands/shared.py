"""What several commands ask for."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.settings import Settings, SettingsError, load_settings
from bot.store import Store, Unavailable, open_store


def add_database(parser: ArgumentParser) -> None:
    """The option that names the file of all games."""
    help_ = "the SQLite file of all games (HARBORMASTER_DATABASE; otherwise harbormaster.db)"
    parser.add_argument("--database", type=Path, metavar="FILE", help=help_)


def add_json(parser: ArgumentParser) -> None:
    """The option for scripts."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text, for scripts")


def print_json(**data: Any) -> None:
    """What a script is told."""
    print(json.dumps(data, ensure_ascii=False))


def settings_of(arguments: Namespace) -> Settings:
    """The settings, with what was said on the command line on top; raises `SettingsError`."""
    named = {"database": "database", "seats": "seats", "port": "preview_port"}
    given = {field: getattr(arguments, name, None) for name, field in named.items()}
    return load_settings(**{field: value for field, value in given.items() if value is not None})


def file_of(settings: Settings) -> Path:
    """The file of all games, which may not be there yet."""
    return settings.database


def existing(settings: Settings) -> Path:
    """The file of all games; raises `SettingsError` when there is none."""
    file = file_of(settings)
    if not file.exists():
        raise SettingsError(f"There is no file {file} yet; play a game first, or name it with --database.")
    return file


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Store]:
    """The store of all games, which may be in use by a bot; raises `SettingsError`, also for a store that fails."""
    store = await open_store(existing(settings))
    try:
        yield store
    except Unavailable as error:
        raise SettingsError(f"The database {settings.database} can't be used just now: {error}.") from None
    finally:
        await store.close()


def print_damaged(games: Mapping[int, str]) -> None:
    """What a person is told of games that can't be read: their numbers, and why."""
    for number, reason in games.items():
        print(f"Game {number} is damaged ({reason}); docs/hosting.md says what to do.")

"""What several commands ask for."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from bot.settings import Settings, load_settings


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

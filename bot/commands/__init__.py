"""The subcommands of `harbormaster`. Each has a line here, and a file that is loaded when the command is given."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import Protocol, cast

COMMANDS = {
    "run": "Connect to Discord and run until stopped.",
    "play": "Connect to Discord, or without a token open an offline table in a browser.",
    "backup": "Copy the database to a new file, even while Harbormaster runs.",
    "restore": "Replace the database with a backup. The current file is moved aside.",
    "restored": "After pg_restore: show all games again.",
    "migrate": "Move all games to another database, from SQLite to PostgreSQL or back.",
    "doctor": "Check settings, token, database and clock, and say what to fix.",
    "rehearse": "Test on your own server, with your help, whether Discord does what is expected.",
    "export": "Write games to files, each with its seed and everything that happened.",
    "log": "Print a game, or list the games.",
    "ratings": "Print each server's ratings, or rebuild them from the games.",
    "forget": "Delete what is kept about a person who asked for it.",
    "verify": "Check an exported game: fingerprint, draws and moves.",
    "simulate": "Play random legal games and print the counts.",
    "arena": "Let bots play each other and print who wins how often.",
}


class Command(Protocol):
    """What a command's module holds. It can import anything it needs, as no other command loads it."""

    DETAILS: str
    """What `--help` says below the options: details, exit statuses, examples."""

    def options(self, parser: ArgumentParser) -> None:
        """Add the command's arguments."""

    def run(self, arguments: Namespace) -> int:
        """Run the command; return the exit status. Raises `SettingsError`: one sentence for the host, and status 2."""


def load(name: str) -> Command:
    """One of `COMMANDS`."""
    return cast(Command, import_module(f"{__name__}.{name}"))

"""The subcommands of `harbormaster`. Each has a line here, and a class in a file that is loaded when it is given."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import Protocol, cast

COMMANDS = {
    "run": ("run", "Connect to Discord and run until stopped."),
    "play": ("run", "Connect to Discord, or without a token open an offline table in a browser."),
    "backup": ("store", "Copy the database to a new file, even while Harbormaster runs."),
    "restore": ("store", "Replace the database with a backup. The current file is moved aside."),
    "restored": ("store", "After pg_restore: show all games again."),
    "migrate": ("store", "Move all games to another database, from SQLite to PostgreSQL or back."),
    "doctor": ("doctor", "Check settings, token, database and clock, and say what to fix."),
    "rehearse": ("rehearse", "Test on your own server, with your help, whether Discord does what is expected."),
    "export": ("games", "Write games to files, each with its seed and everything that happened."),
    "log": ("games", "Print a game, or list the games."),
    "ratings": ("people", "Print each server's ratings, or rebuild them from the games."),
    "forget": ("people", "Delete what is kept about a person who asked for it."),
    "verify": ("games", "Check an exported game: fingerprint, draws and moves."),
    "simulate": ("bots", "Play random legal games and print the counts."),
    "arena": ("bots", "Let bots play each other and print who wins how often."),
}
"""The module and the title of each. The class in the module has the command's name: `Backup` for `backup`."""


class Command(Protocol):
    """A subcommand. What is slow to import, and not needed by all commands of its file, is imported when it runs."""

    DETAILS: str
    """What `--help` says below the options: details, exit statuses, examples."""

    def options(self, parser: ArgumentParser) -> None:
        """Add the command's arguments."""

    def run(self, arguments: Namespace) -> int:
        """Run the command; return the exit status. Raises `SettingsError`: one sentence for the host, and status 2."""


def load(name: str) -> Command:
    """One of `COMMANDS`."""
    module, _ = COMMANDS[name]
    return cast(Command, getattr(import_module(f"{__name__}.{module}"), name.capitalize())())

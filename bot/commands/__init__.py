"""The subcommands of `harbormaster`: a file each, which is loaded when its command is given, and a line here."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import Protocol, cast

COMMANDS = {
    "run": "Connect to Discord and stay until stopped.",
    "play": "Connect to Discord, or without a token open an offline table in a browser.",
    "backup": "Copy the database to a new file, also while the bot runs.",
    "restore": "Put a backup in the database's place; the present file is moved aside.",
    "restored": "After pg_restore: have all games shown anew.",
    "migrate": "Move all games to another database, from SQLite to PostgreSQL or back.",
    "doctor": "Look for what is wrong with settings, token, database and clock, and say what to do.",
    "rehearse": "Try out on a server of your own what Discord does, with your help, and say what isn't as expected.",
    "export": "Write games as files, each with its seed and all that happened.",
    "log": "Tell a stored game as text, or list the games.",
    "ratings": "Tell the ratings of each server, or work their results out of the games anew.",
    "forget": "Forget a person who has asked for it.",
    "verify": "Check an exported game: commitment, draws and actions.",
    "simulate": "Play random legal games and print the counts.",
    "arena": "Let computer players play against each other and print who wins how often.",
}


class Command(Protocol):
    """What a command's module holds. It may import whatever it needs: no other command loads it."""

    DETAILS: str
    """What else `--help` says, below the options: exit statuses, examples."""

    def options(self, parser: ArgumentParser) -> None:
        """Add the command's arguments."""

    def run(self, arguments: Namespace) -> int:
        """Do it; the exit status. Raises `SettingsError`, which is one sentence for the host and status 2."""


def load(name: str) -> Command:
    """One of `COMMANDS`."""
    return cast(Command, import_module(f"{__name__}.{name}"))

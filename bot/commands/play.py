"""`harbormaster play`: Harbormaster on Discord, or without a token the offline table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from bot.commands.shared import add_database, settings_of
from bot.settings import SettingsError

DETAILS = """\
`make play` calls this. With DISCORD_TOKEN set, it is the same as `harbormaster run`. Without, it prints the address of
a table for one to eight people at this machine. Ctrl-C closes it, and its games are kept.

exit status: as for `harbormaster run`"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    parser.add_argument("--seats", type=int, metavar="N", help="people at the offline table, 1 to 8; bots can join")
    parser.add_argument("--port", type=int, metavar="N", help="port of the offline table")


def run(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    if settings.discord_token is not None:
        from bot.discord import app

        return app.run(settings)
    try:
        from bot import offline
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("bot"):
            raise
        raise SettingsError(  # hosts on Discord don't need it
            "The offline table is not installed: pip install 'harbormaster[play]'. To play on Discord, set"
            " DISCORD_TOKEN."
        ) from None
    return offline.run(settings, seats=settings.seats, port=settings.preview_port)

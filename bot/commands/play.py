"""`harbormaster play`: the bot on Discord, or without a token the offline table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from bot.commands.shared import add_database, settings_of

DETAILS = """\
This is what `make play` calls. With DISCORD_TOKEN set it is the same as `harbormaster run`. Without, it prints the
address of a table on this machine, for one screen and several people; Ctrl-C closes it, and its games are kept.

exit status: as of `harbormaster run`"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    parser.add_argument("--seats", type=int, metavar="N", help="people at the offline table, 2 to 8")
    parser.add_argument("--port", type=int, metavar="N", help="port of the offline table")


def run(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    if settings.discord_token is not None:
        from bot.frontends.discord import app

        return app.run(settings)
    from bot.frontends import offline  # which hosts of a bot on Discord need not have installed

    return offline.run(settings, seats=settings.seats, port=settings.preview_port)

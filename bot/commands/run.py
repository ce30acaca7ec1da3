"""Harbormaster on Discord, or offline in a browser."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from bot.commands import Command
from bot.commands.shared import add_database, settings_of
from bot.settings import Settings, SettingsError


class Run(Command):
    DETAILS = """\
Needs DISCORD_TOKEN in the environment or in .env. Logs to standard error. SIGTERM or Ctrl-C stops it within 15
seconds; killing it loses nothing.

exit status:
  0   stopped when asked to
  1   something that can pass: at the start, Discord or the database is out of reach, something else uses the file or
      the port, or a newer version has changed the PostgreSQL database
  2   something that you must fix: a setting, the token, or a file that is damaged or of a newer version
  70  it gave up, or something could not be closed properly, for example on a full disk"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        parser.add_argument("--shards", metavar="0-3", help="the shards that it connects; otherwise its fair share")
        parser.add_argument(
            "--of",
            dest="shard_count",
            type=int,
            metavar="N",
            help="how many shards there are; otherwise Discord is asked",
        )

    def run(self, arguments: Namespace) -> int:
        settings = settings_of(arguments)
        settings.require_token()
        return _on_discord(settings)


class Play(Command):
    DETAILS = """\
`make play` calls this. With DISCORD_TOKEN set, it is the same as `harbormaster run`. Without, it prints the address of
a table for one to eight people at this machine. Ctrl-C closes it, and its games are kept.

exit status: as for `harbormaster run`"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        parser.add_argument("--seats", type=int, metavar="N", help="people at the offline table, 1 to 8; bots can join")
        parser.add_argument("--port", dest="preview_port", type=int, metavar="N", help="port of the offline table")

    def run(self, arguments: Namespace) -> int:
        settings = settings_of(arguments)
        if settings.discord_token is not None:
            return _on_discord(settings)
        try:
            from bot import offline
        except ModuleNotFoundError as error:
            if error.name is None or error.name.startswith("bot"):
                raise
            raise SettingsError(  # hosts on Discord don't need it
                "The offline table is not installed: pip install '.[play]' in a clone of Harbormaster's repository. To"
                " play on Discord, set DISCORD_TOKEN."
            ) from None
        return offline.run(settings, seats=settings.seats, port=settings.preview_port)


def _on_discord(settings: Settings) -> int:
    from bot.discord import app

    return app.run(settings)

"""`harbormaster run`: Harbormaster on Discord."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from bot.commands.shared import add_database, settings_of
from bot.discord import app

DETAILS = """\
Needs DISCORD_TOKEN in the environment or in .env. Logs to standard error. SIGTERM or Ctrl-C stops it within 15
seconds; killing it loses nothing.

exit status:
  0   stopped when asked to
  1   something that can pass: at the start, Discord or the database is out of reach, something else uses the file or
      the port, or a newer version has changed the PostgreSQL database
  2   something that you must fix: a setting, the token, or a file that is damaged or of a newer version
  70  it gave up, or something could not be closed properly, for example on a full disk"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    parser.add_argument("--shards", metavar="0-3", help="the shards that it connects; otherwise its fair share")
    parser.add_argument("--of", type=int, metavar="N", help="how many shards there are; otherwise Discord is asked")


def run(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    settings.require_token()
    return app.run(settings)

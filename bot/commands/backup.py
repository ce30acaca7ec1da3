"""`harbormaster backup`: a whole copy of the file of all games, while the bot goes on."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from bot.commands.shared import add_database, add_json, file_of, games, print_damaged, print_json, require, settings_of
from bot.store.sqlite.copies import back_up

DETAILS = """\
Works beside a running bot and doesn't hold it up. The copy is one file, is checked from end to end, and can be read by
its owner only: it holds the hands and seeds of running games. Keep it on another machine. For PostgreSQL use pg_dump.

  harbormaster backup "backup-$(date +%F).db"

exit status:
  0  the copy is there and sound
  1  the copy is there, but some games in it are damaged, as they are in the database
  2  nothing was written: TARGET exists, or something can't be read or written; one sentence says what"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    add_json(parser)
    parser.add_argument(
        "target", metavar="TARGET", type=Path, help="the new file; an existing one is never overwritten"
    )


def run(arguments: Namespace) -> int:
    file, target = file_of(settings_of(arguments)), arguments.target
    require(file)
    found = back_up(file, target)
    if arguments.json:
        print_json(backup=str(target), bytes=target.stat().st_size, games=found.readable, damaged=found.games)
    else:
        print(f"{target}: {games(found.readable)}, {target.stat().st_size:,} bytes.")
        print_damaged(found.games)
    return 1 if found.games else 0

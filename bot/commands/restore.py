"""`harbormaster restore`: replaces the file of all games with a backup."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from bot.commands.shared import add_database, add_json, file_of, games, print_damaged, print_json, settings_of
from bot.store.sqlite.copies import restore

DETAILS = """\
Stop Harbormaster first. SOURCE is checked and copied, and stays as it is. The database that was there is kept under a
name like harbormaster.before-1.db. Only that file holds what was played since the backup: delete it when you are sure.
For PostgreSQL use pg_restore.

exit status:
  0  restored
  1  restored, but some games in it are damaged
  2  nothing was changed: Harbormaster runs on the database, SOURCE is damaged or isn't a backup, or something can't be
     written"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    add_json(parser)
    parser.add_argument("source", metavar="SOURCE", type=Path, help="a file that `harbormaster backup` has written")


def run(arguments: Namespace) -> int:
    database = file_of(settings_of(arguments))
    findings, aside = restore(arguments.source, database)
    if arguments.json:
        moved = None if aside is None else str(aside)
        print_json(restored=str(database), aside=moved, games=findings.readable, damaged=findings.games)
    else:
        print(f"{database}: {games(findings.readable)}.")
        if aside is not None:
            print(f"What was there is now {aside}.")
        print_damaged(findings.games)
    return 1 if findings.games else 0

"""`harbormaster backup`: copies the file of all games, even while Harbormaster runs."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from bot.commands.shared import add_database, add_json, file_of, games, print_damaged, print_json, settings_of
from bot.store.sqlite.copies import back_up, dated_target, note_backup, remove_old
from bot.store.sqlite.file import refuse_empty

DETAILS = """\
Harbormaster can run meanwhile, and isn't held up. The copy is one file, checked from end to end. Only its owner can
read it, because it holds the hands and seeds of running games. Keep it on another machine. For PostgreSQL use pg_dump.

With --keep, TARGET is a folder. The copy's name holds its time (UTC). Then the oldest of these copies are removed, so
that N are left. Nothing else is removed, and nothing at all while games are damaged. `harbormaster doctor` says how old
the last backup is.

  harbormaster backup "backup-$(date +%F).db"
  harbormaster backup --keep 14 /var/lib/harbormaster-backups

exit status:
  0  the copy is there and sound
  1  the copy is there, but some games in it are damaged, as they are in the database
  2  TARGET exists, or something can't be read, written or removed; one sentence says what"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    add_json(parser)
    parser.add_argument(
        "--keep", type=_count, metavar="N", help="keep the latest N in the folder TARGET, under dated names"
    )
    parser.add_argument(
        "target", metavar="TARGET", type=Path, help="the new file; an existing one is never overwritten"
    )


def run(arguments: Namespace) -> int:
    file, target = file_of(settings_of(arguments)), arguments.target
    refuse_empty(file)
    if arguments.keep is not None:
        target = dated_target(target, file)
    findings = back_up(file, target)
    note_backup(file, target)
    # Older backups can still have the damaged games whole.
    removed = remove_old(target, file, arguments.keep) if arguments.keep is not None and not findings.games else []
    if arguments.json:
        more = {} if arguments.keep is None else {"removed": [str(old) for old in removed]}
        print_json(
            backup=str(target), bytes=target.stat().st_size, games=findings.readable, damaged=findings.games, **more
        )
    else:
        print(f"{target}: {games(findings.readable)}, {target.stat().st_size:,} bytes.")
        for old in removed:
            print(f"Removed {old}.")
        print_damaged(findings.games)
    return 1 if findings.games else 0


def _count(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and 1 <= int(text) <= 10_000):
        raise ArgumentTypeError("must be a number from 1 to 10000")
    return int(text)

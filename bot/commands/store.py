"""All games as a whole: copied, put back, moved to another database."""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from bot.commands import Command
from bot.commands.shared import (
    add_database,
    add_json,
    file_of,
    games,
    opened,
    print_damaged,
    print_json,
    progress,
    settings_of,
)
from bot.settings import Settings, SettingsError, StoreAddress, address_in, place_of
from bot.store.moving import move
from bot.store.sqlite.copies import back_up, dated_target, note_backup, remove_old, restore
from bot.store.sqlite.file import refuse_empty


class Backup(Command):
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

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        add_json(parser)
        parser.add_argument(
            "--keep", type=_count, metavar="N", help="keep the latest N in the folder TARGET, under dated names"
        )
        parser.add_argument(
            "target", metavar="TARGET", type=Path, help="the new file; an existing one is never overwritten"
        )

    def run(self, arguments: Namespace) -> int:
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


class Restore(Command):
    DETAILS = """\
Stop Harbormaster first. SOURCE is checked and copied, and stays as it is. The database that was there is kept under a
name like harbormaster.before-1.db. Only that file holds what was played since the backup: delete it when you are sure.
For PostgreSQL use pg_restore.

exit status:
  0  restored
  1  restored, but some games in it are damaged
  2  nothing was changed: Harbormaster runs on the database, SOURCE is damaged or isn't a backup, or something can't be
     written"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        add_json(parser)
        parser.add_argument("source", metavar="SOURCE", type=Path, help="a file that `harbormaster backup` has written")

    def run(self, arguments: Namespace) -> int:
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


class Restored(Command):
    DETAILS = """\
Stop all processes, run pg_restore, then this, then start the processes. Each running game gets a new message. What was
posted after the backup loses its buttons. `harbormaster restore` does this by itself.

exit status:
  0  done
  2  nothing was changed: the database isn't PostgreSQL, can't be reached, or Harbormaster runs on it"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)

    def run(self, arguments: Namespace) -> int:
        settings = settings_of(arguments)
        if isinstance(settings.database, Path):
            raise SettingsError("This is for PostgreSQL; `harbormaster restore BACKUP` puts a file back.")
        asyncio.run(_restored(settings))
        print("All running games will get new messages.")
        return 0


async def _restored(settings: Settings) -> None:
    from bot.store.postgresql.store import PostgresStore

    async with opened(settings) as store:
        assert isinstance(store, PostgresStore)
        await store.restored(time.time(), place_of(settings.database))


class Migrate(Command):
    DETAILS = """\
Stop Harbormaster first. Each PLACE is a SQLite file (sqlite:FILE) or postgresql://…. Others on this machine can see a
password in a command, so you can put it into PGPASSWORD instead.

All games are copied with their numbers. Each one is replayed on both sides, and must come to the same position. The
target must hold no games. Whatever else is in it is replaced. All of this is one transaction: if anything goes wrong,
or the command is killed, the target holds no games and you can begin again.

The source is brought up to date, as a start does, and otherwise left as it was. Damaged games are moved as they are,
and named.

  harbormaster migrate --from sqlite:harbormaster.db --to postgresql://harbormaster@HOST/harbormaster

exit status:
  0  all was moved
  1  nothing was moved, because games came out differently: they are named
  2  nothing was moved: the target holds games, Harbormaster runs on one of the two, or something can't be read or
     written
  3  all was moved, but some games are damaged, as they were before"""

    def options(self, parser: ArgumentParser) -> None:
        add_json(parser)
        parser.add_argument("--from", dest="source", required=True, metavar="PLACE", help="where the games are")
        parser.add_argument("--to", dest="target", required=True, metavar="PLACE", help="where to move them")

    def run(self, arguments: Namespace) -> int:
        source, target = _address("--from", arguments.source), _address("--to", arguments.target)
        with progress(arguments.json) as tell:
            moved = asyncio.run(move(source, target, tell))
        if arguments.json:
            print_json(
                moved=not moved.different,
                games=moved.games,
                rows=moved.rows,
                damaged=moved.damaged,
                different=moved.different,
            )
        elif moved.different:
            names = ", ".join(map(str, moved.different))
            print(f"Nothing was moved, because games are not the same in the target: {names}.")
        else:
            print(f"{games(moved.games)} moved and compared. {place_of(target)} is what DATABASE_URL must name now.")
            print_damaged(moved.damaged)
        return 1 if moved.different else 3 if moved.damaged else 0


def _address(option: str, text: str) -> StoreAddress:
    try:
        return address_in(text)
    except ValueError as error:
        raise SettingsError(f"{option} {error}.") from None

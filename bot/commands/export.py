"""`harbormaster export`: writes games as the files that `/game verify` gives, even games that aren't over."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.commands.shared import (
    add_database,
    add_json,
    games,
    noting,
    opened,
    print_damaged,
    print_json,
    replayed,
    settings_of,
)
from bot.export import Player, dump, export
from bot.program import command
from bot.settings import Settings, SettingsError
from bot.store import Store
from bot.table.table import ARCHIVED, OVER, RUNNING, Table

DETAILS = """\
TARGET is a new or empty folder. Game 7 becomes game-7.json, the file that `/game verify` gives to players at the end.
Check one with `harbormaster verify`. Tables that never began are left out. Harbormaster can run meanwhile.

The file of a running game holds its seed, and so every hand and every card to come. Only its owner can read a file.
Give one away only when its game is over.

  harbormaster export --all games
  harbormaster export --game 7 --game 9 games

exit status:
  0  all were written
  1  all but those that are damaged were written
  2  there is no such game, TARGET isn't empty, or something can't be read or written; one sentence says what"""
SECRET = "The file of a game that isn't over holds every hand and the seed: keep it to yourself until it is."


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    add_json(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--all", action="store_true", help="all games that have begun")
    which.add_argument("--game", type=int, action="append", metavar="N", help="a game by its number; may be repeated")
    parser.add_argument("target", metavar="TARGET", type=Path, help="the folder to write to")


def run(arguments: Namespace) -> int:
    settings, target = settings_of(arguments), arguments.target
    try:
        written, damaged = asyncio.run(_export(settings, arguments.game, target))
    except OSError as error:
        raise SettingsError(f"{error.filename or target}: {error.strerror or error}.") from None
    going_on = sum(table.status != OVER for table in written)
    if arguments.json:
        files = [{"game": t.number, "status": t.status, "file": str(_file(target, t))} for t in written]
        print_json(games=files, damaged=damaged)
    else:
        print(f"{target}: {games(len(written))}, {going_on} not over." + (f" {SECRET}" if going_on else ""))
        print_damaged(damaged)
    return 1 if damaged else 0


async def _export(settings: Settings, wanted: list[int] | None, target: Path) -> tuple[list[Table], dict[int, str]]:
    """Write the games; return those that were written, and why others are damaged, by number."""
    written, damaged = list[Table](), dict[int, str]()
    async with opened(settings) as store:
        numbers = await store.numbers()
        if missing := sorted({*(wanted or ())} - {*numbers}):
            raise SettingsError(f"There is no game {missing[0]}; `{command('log')}` lists them.")
        with _filled(target):
            for number in sorted({*wanted}) if wanted else numbers:
                with noting(damaged, number):
                    table = await store.any_table(number)
                    if table is not None and table.status in (RUNNING, ARCHIVED, OVER):
                        _write(_file(target, table), await _contents(store, table))
                        written.append(table)
                    elif wanted:
                        raise SettingsError(f"Game {number} never began, so there is nothing to write.")
    return written, damaged


@contextmanager
def _filled(target: Path) -> Iterator[None]:
    """Make the folder, or take an empty one. If anything fails inside, the folder is put back as it was."""
    new = not target.exists()
    target.mkdir(mode=0o700, exist_ok=True)
    if any(target.iterdir()):
        raise SettingsError(f"The folder {target} isn't empty, and nothing is overwritten; name a new one.")
    try:
        yield
    except BaseException:
        for file in target.glob("game-*.json*"):
            file.unlink()
        if new:
            with suppress(OSError):  # something else was put there
                target.rmdir()
        raise


def _file(folder: Path, table: Table) -> Path:
    return folder / f"game-{table.number}.json"


async def _contents(store: Store, table: Table) -> str:
    game = await replayed(store, table)
    players = [Player(member.name, member.color) for member in table.members]
    return dump(export(game, str(table.number), await store.seed(table.number), table.entropy, players))


def _write(path: Path, text: str) -> None:
    """Write a file that gets its name only once it is complete, even if this process is killed."""
    partial = path.with_name(path.name + ".partial")
    with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    partial.rename(path)

"""Single games, of whichever namespace: written to files, printed, checked."""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

from bot.commands import Command
from bot.commands.shared import (
    UNREADABLE,
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
from bot.export import ExportError, Player, Wrong, dump, export, load, verified
from bot.program import command
from bot.settings import Settings, SettingsError, place_of
from bot.store import Damaged, Store
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table
from bot.words.proof import verification_lines
from bot.words.refusals import refusal_sentence
from engine.game import Game, events_of
from engine.record import Record

SECRET = "The file of a game that isn't over holds every hand and the seed: keep it to yourself until it is."


class Export(Command):
    DETAILS = """\
Game 7 becomes game-7.json, the file that `/game verify` gives to players at the end. With --html it becomes
game-7.html: a page for any browser, without a network, to watch the game again and to check its dice. Only a finished
game has a page.

Numbers are games. Behind them can stand the folder to write to, which is made if it isn't there; without it, files go
to the present folder. Check a file with `harbormaster verify`. Tables that never began are left out. Harbormaster can
run meanwhile.

The file of a running game holds its seed, and so every hand and every card to come. Only its owner can read a file.
Give one away only when its game is over.

  harbormaster export 7 --html
  harbormaster export 7 9 games
  harbormaster export --all games

exit status:
  0  all were written
  1  all but those that are damaged were written
  2  there is no such game, it isn't over and has no page, a file is there already, or something can't be read or
     written; one sentence says what, and no file was written"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        add_json(parser)
        parser.add_argument("--all", action="store_true", help="all games that have begun; with --html, that are over")
        parser.add_argument("--html", action="store_true", help="write pages to look at instead")
        parser.add_argument("--force", action="store_true", help="overwrite files that are there already")
        parser.add_argument("--game", type=int, action="append", default=[], metavar="N", help=SUPPRESS)  # as in 0.2.0
        parser.add_argument("what", nargs="*", metavar="GAME|FOLDER", help="the games by number, then the folder")

    def run(self, arguments: Namespace) -> int:
        wanted, folder = _games_and_folder(arguments.what)
        wanted += arguments.game
        if bool(wanted) == arguments.all:
            raise SettingsError(f"Name games by number, as in `{command('export 7')}`, or say --all.")
        settings, files = settings_of(arguments), _Files(folder, arguments.html, arguments.force)
        try:
            written, damaged = asyncio.run(_export(settings, wanted, files))
        except OSError as error:
            raise SettingsError(f"{error.filename or files.folder}: {error.strerror or error}.") from None
        going_on = sum(table.status != OVER for table in written)
        if arguments.json:
            listed = [{"game": t.number, "status": t.status, "file": str(files.of(t))} for t in written]
            print_json(games=listed, damaged=damaged)
        else:
            told = "" if arguments.html else f", {going_on} not over"
            print(f"{files.folder}: {games(len(written))}{told}." + (f" {SECRET}" if going_on else ""))
            print_damaged(damaged)
        return 1 if damaged else 0


def _games_and_folder(words: list[str]) -> tuple[list[int], Path]:
    """The numbers at the beginning, and the folder behind them."""
    numbers = list(takewhile(str.isdecimal, words))
    folders = words[len(numbers) :]
    if len(folders) > 1:
        raise SettingsError(f"{folders[0]} is no game's number; the folder comes last.")
    return [int(number) for number in numbers], Path(folders[0] if folders else ".")


async def _export(settings: Settings, wanted: list[int], files: _Files) -> tuple[list[Table], dict[int, str]]:
    """Write the games, all without `wanted`; return those that were written, and why others are damaged, by number."""
    written, damaged = list[Table](), dict[int, str]()
    async with opened(settings) as store:
        numbers = await store.numbers()
        if missing := sorted({*wanted} - {*numbers}):
            raise SettingsError(f"There is no game {missing[0]}; `{command('log')}` lists them.")
        with files.all_or_none():
            for number in sorted({*wanted}) if wanted else numbers:
                with noting(damaged, number):
                    table = await store.any_table(number)
                    if reason := files.refusal(table):
                        if wanted:
                            raise SettingsError(reason.format(number=number))
                    elif table is not None:
                        files.write(table, await _contents(store, table))
                        written.append(table)
    return written, damaged


async def _contents(store: Store, table: Table) -> dict[str, Any]:
    game = await replayed(store, table)
    players = [Player(member.name, member.color) for member in table.members]
    return export(game, str(table.number), await store.seed(table.number), table.entropy, players)


class _Files:
    """The files to write: all of them, or none. They get their names only once all are complete, even if this process
    is killed."""

    def __init__(self, folder: Path, html: bool, force: bool) -> None:
        """`html`: whether they are pages; `force`: whether files that are there already are overwritten."""
        self.folder, self._html, self._force = folder, html, force
        self._complete = list[Path]()

    def of(self, table: Table) -> Path:
        """The file of a game."""
        return self.folder / f"game-{table.number}.{'html' if self._html else 'json'}"

    def refusal(self, table: Table | None) -> str:
        """Why a game has no such file, with `{number}` to fill in; empty: it has one."""
        if table is None or table.status not in (RUNNING, ARCHIVED, OVER):
            return "Game {number} never began, so there is nothing to write."
        return "Game {number} isn't over, so it has no page." if self._html and table.status != OVER else ""

    @contextmanager
    def all_or_none(self) -> Iterator[None]:
        """Make the folder, if it isn't there. If anything fails inside, all is put back as it was."""
        new = not self.folder.exists()
        self.folder.mkdir(mode=0o700, exist_ok=True)
        try:
            yield
            while self._complete:
                partial = self._complete[-1]
                partial.rename(partial.with_suffix(""))
                self._complete.pop()
        except BaseException:
            for partial in self._complete:
                partial.unlink(missing_ok=True)
            if new:
                with suppress(OSError):  # something else was put there
                    self.folder.rmdir()
            raise

    def write(self, table: Table, data: dict[str, Any]) -> None:
        """Write a file under a name for the time being."""
        from bot.page import page
        from bot.words.language import speaking

        file = self.of(table)
        if file.exists() and not self._force:
            raise SettingsError(f"{file} is there already; overwrite it with --force.")
        with speaking(table.language):
            contents = page(data) if self._html else dump(data).encode()
        partial = file.with_name(file.name + ".partial")
        partial.unlink(missing_ok=True)  # of an export that was killed
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened_file:
            self._complete.append(partial)
            opened_file.write(contents)


STATUS = {
    LOBBY: "not begun",
    RUNNING: "running",
    ARCHIVED: "archived",
    OVER: "over",
    CANCELLED: "canceled",
}


class Log(Command):
    DETAILS = """\
Harbormaster can run meanwhile. A running game is printed as an onlooker sees it. A finished game is printed with all
that was hidden.

exit status: 0 printed, 2 there is no such game or file, or it can't be read"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        parser.add_argument(
            "game", nargs="?", metavar="GAME", help="the game's number; without it, all games are listed"
        )

    def run(self, arguments: Namespace) -> int:
        settings, game = settings_of(arguments), arguments.game
        if game is not None and not (game.isdecimal() and len(game) < 19):
            raise SettingsError(f"A game is named by its number, not by {game!r}; `{command('log')}` lists them.")
        lines = asyncio.run(_lines(settings, game))
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # for terminals that can't show a player's name
        print("\n".join(lines))
        return 0


async def _lines(settings: Settings, game: str | None) -> list[str]:
    async with opened(settings) as store:
        if game is None:
            listed = [await _listed(store, number) for number in await store.numbers()]
            return listed or ["No game has been played yet."]
        try:
            table = await store.any_table(int(game))
            if table is None:
                raise SettingsError(f"There is no game {game}; `{command('log')}` lists them.")
            return list(log_lines(table, [Record.from_json(data) for data in await store.records(table.number)]))
        except UNREADABLE:
            place = place_of(settings.database)
            raise SettingsError(f"{place} holds it, but damaged; docs/hosting.md says what to do.") from None


async def _listed(store: Store, number: int) -> str:
    try:
        table = await store.any_table(number)
        assert table is not None
        return _summary(table)
    except Damaged:
        return f"{number} · damaged"


def log_lines(table: Table, records: list[Record]) -> Iterator[str]:
    """The whole game as an onlooker is allowed to know it: with its secrets only when it is over."""
    from bot.screens.panel import headline
    from bot.words.narrator.history import full_log

    yield f"Game {_summary(table)}"
    if not records:
        return
    game = Game.replay(table.config, records)
    view = game.view(None)
    names = [table.members[player].name for player in game.state.order]
    yield f"Edition {table.config.edition}, {table.config.target} points win."
    yield ""
    over = game.outcome is not None
    events = ([event.redact(None, over) for event in group] for group in events_of(table.config, records))
    yield from full_log(events, view, names, table.news)
    yield ""
    yield headline(view, names).replace("**", "")


def _summary(table: Table) -> str:
    """ "12 · 2026-11-20 23:11 · base · Ann (red), Ben (blue) · running"."""
    began = datetime.fromtimestamp(table.created).strftime("%Y-%m-%d %H:%M")
    colored = zip(table.members, table.config.colors, strict=True)
    who = ", ".join(f"{member.name} ({color})" for member, color in colored) or "no one"
    return f"{table.number} · {began} · {table.config.scenario} · {who} · {STATUS[table.status]}"


PROVES = """\
This shows that the seed is the one that was fixed before the start. Every draw follows from it and from the
players' lucky words. Every range is the one of the rules. Every action was legal, and they led to the position
at the end.

Compare the fingerprint with the message that was posted before the start. Compare the seal with
the one at the end. The file itself can't know them. `tools/verify.py` checks the draws without any code of this
program.

Nothing can show that the host didn't look. While a game runs, the host can read the database, and with it the
seed and every hand."""


class Verify(Command):
    DETAILS = """\
FILE is what `/game verify` or `harbormaster export` gives. It needs no settings and no database.

exit status: 0 all is right, 1 something is wrong"""

    def options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")

    def run(self, arguments: Namespace) -> int:
        try:
            exported = load(Path(arguments.file).read_text("utf-8"))
            game = verified(exported)
        except OSError as error:
            print(f"Not verified: The file can't be read: {error.strerror}.")
            return 1
        except UnicodeDecodeError:
            print("Not verified: The file isn't text.")
            return 1
        except ExportError as error:
            print(f"Not verified: {error}")
            return 1
        except Wrong as wrong:
            print(f"Not verified: {refusal_sentence(wrong)}")
            return 1
        if callable(reconfigure := getattr(sys.stdout, "reconfigure", None)):
            reconfigure(errors="backslashreplace")  # names can be in any script
        print(verification_lines(exported, game))
        print(f"\n{PROVES}")
        return 0

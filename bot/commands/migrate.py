"""`harbormaster migrate`: moves all games from one database to another."""

from __future__ import annotations

import asyncio
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from tqdm import tqdm

from bot.commands.shared import add_json, games, print_damaged, print_json
from bot.settings import SettingsError, StoreAddress, address_in, place_of
from bot.store.moving import Tell, move

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
TELL_EVERY = 10.0
"""Seconds between two lines about the progress, if there is no terminal."""


def options(parser: ArgumentParser) -> None:
    add_json(parser)
    parser.add_argument("--from", dest="source", required=True, metavar="PLACE", help="where the games are")
    parser.add_argument("--to", dest="target", required=True, metavar="PLACE", help="where to move them")


def run(arguments: Namespace) -> int:
    source, target = _address("--from", arguments.source), _address("--to", arguments.target)
    with _progress(arguments.json) as tell:
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


@contextmanager
def _progress(silent: bool) -> Iterator[Tell]:
    """Yield a function that reports progress on standard error: as a bar on a terminal, otherwise as a line now and
    then."""
    with ExitStack() as bars:
        bar: Any = None  # tqdm has no types
        told = time.monotonic()

        def tell(what: str, done: int, total: int) -> None:
            nonlocal bar, told
            if silent:
                return
            if sys.stderr.isatty():
                if bar is None or bar.desc != what:
                    bars.close()
                    bar = bars.enter_context(tqdm(desc=what, total=total, dynamic_ncols=True))
                bar.update(done - bar.n)
            elif time.monotonic() - told >= TELL_EVERY:
                told = time.monotonic()
                print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

        yield tell

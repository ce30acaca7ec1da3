"""People: what is kept about them, and their ratings."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, field
from itertools import groupby

from bot.commands import Command
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
from bot.ratings import GameResult
from bot.service import Services
from bot.service.ratings import Ranked, folded, ranked, result_of
from bot.settings import Settings
from bot.store import Store
from bot.table.parts import FORGOTTEN
from bot.table.table import OVER
from bot.words.refusals import refusal_sentence
from engine.errors import RefereeError


class Forget(Command):
    DETAILS = """\
People can do this themselves with /privacy. USER is their Discord ID: switch on Advanced > Developer Mode in Discord's
settings, then right-click the person > Copy User ID. Harbormaster can run meanwhile.

This deletes their settings, autopilot, lucky words and ratings, and how fast they decided. Finished games then call
them "Player" and a number, and can still be verified. Backups that were made before still know them.

exit status:
  0  done
  1  they still play in a game, or wait in one that hasn't begun; or a game can't be read, and all else is forgotten
  2  there is no such file, or it can't be read"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        parser.add_argument("user", metavar="USER", type=_user, help="their ID, such as 80351110224678912")

    def run(self, arguments: Namespace) -> int:
        try:
            name = asyncio.run(_forget(settings_of(arguments), arguments.user))
        except RefereeError as error:
            unchanged = "" if error.key == "forget/unreadable" else "Nothing was changed: "
            print(f"{unchanged}{refusal_sentence(error)}")
            return 1
        known = f"finished games call them {name}" if name else "no game knew them"
        print(f"User {arguments.user} is forgotten; {known}.")
        return 0


def _user(text: str) -> int:
    """The Discord ID of a person; raises `ValueError` for what else numbers stand for."""
    if not 0 < int(text) < FORGOTTEN:
        raise ValueError
    return int(text)


_user.__name__ = "ID"  # "argument USER: invalid ID value: '0'"


async def _forget(settings: Settings, user: int) -> str:
    async with opened(settings) as store:
        return await Services.of(store).privacy.forget(user)


@dataclass
class Rebuilt:
    """The outcome of working out all results again."""

    games: int = 0
    """Finished games that were read."""
    changed: int = 0
    """Results that weren't stored, or were stored differently."""
    damaged: dict[int, str] = field(default_factory=dict)
    """Why other games can't be read, by number."""


class Ratings(Command):
    DETAILS = """\
A game that counts stores its result when it ends. Ratings are worked out from the results when someone asks, as
docs/ratings.md says. --rebuild replays all finished games and stores their results again. Do that once for games that
were finished before there were ratings. Harbormaster can run meanwhile.

Everyone is listed, even people who keep their rating private on Discord.

exit status:
  0  printed
  1  printed, without games that are damaged
  2  there is no such file, or it can't be read"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        add_json(parser)
        parser.add_argument(
            "--rebuild", action="store_true", help="first work out the results of all finished games again"
        )

    def run(self, arguments: Namespace) -> int:
        rebuilt, results = asyncio.run(_results(settings_of(arguments), arguments.rebuild))
        by_server = groupby(sorted(results, key=lambda result: result.guild), lambda result: result.guild)
        boards = {guild: ranked(folded(some).values()) for guild, some in by_server}
        damaged = rebuilt.damaged if rebuilt else {}
        if arguments.json:
            read = {"games": rebuilt.games, "changed": rebuilt.changed} if rebuilt else None
            servers = {guild: [_data(line) for line in lines] for guild, lines in boards.items()}
            print_json(counted=len(results), rebuilt=read, servers=servers, damaged=damaged)
            return 1 if damaged else 0
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # for terminals that can't show a player's name
        if rebuilt:
            print(f"{games(rebuilt.games)} read again; results that were missing or different: {rebuilt.changed}.")
        print(f"{games(len(results))} counted.")
        for guild, lines in boards.items():
            print(f"\nServer {guild}")
            for line in lines:
                profile = line.profile
                print(f"{line.rank:4}. {profile.rating:5}  {profile.name} · {games(line.games)}, {line.wins} won")
        print_damaged(damaged)
        return 1 if damaged else 0


async def _results(settings: Settings, anew: bool) -> tuple[Rebuilt | None, list[GameResult]]:
    """The outcome of working out all results again, if `anew` asks for that, otherwise None; and all results."""
    async with opened(settings) as store:
        rebuilt = await rebuild(store) if anew else None
        return rebuilt, await store.results()


async def rebuild(store: Store) -> Rebuilt:
    """Work out the results of all finished games again. Those never change, so Harbormaster can run meanwhile."""
    rebuilt = Rebuilt()
    stored = {result.game: result for result in await store.results()}
    for number in await store.numbers():
        with noting(rebuilt.damaged, number):
            table = await store.table(number)
            if table is not None and table.status == OVER:
                result = result_of(table, await replayed(store, table))
                rebuilt.games += 1
                if stored.get(number) != result:
                    await store.set_result(number, result)
                    rebuilt.changed += 1
    return rebuilt


def _data(line: Ranked) -> dict[str, object]:
    profile = line.profile
    return {
        "rank": line.rank,
        "user": profile.user,
        "name": profile.name,
        "rating": profile.rating,
        "games": line.games,
        "wins": line.wins,
    }

"""`harbormaster ratings`: prints each server's ratings, and can work out again the results behind them."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

from bot.commands.shared import add_database, add_json, games, opened, print_damaged, print_json, settings_of
from bot.results import Result
from bot.service.ratings import Ranked, folded, ranked
from bot.service.results import result_of
from bot.settings import Settings
from bot.store import Damaged, Store
from bot.table.table import OVER
from engine.errors import ConfigError, MalformedInput, ReplayError
from engine.game import Game
from engine.record import Record

DETAILS = """\
A game that counts stores its result when it ends. Ratings are worked out from the results when someone asks, as
docs/ratings.md says. --rebuild replays all finished games and stores their results again. Do that once for games that
were finished before there were ratings. Harbormaster can run meanwhile.

Everyone is listed, even people who keep their rating private on Discord.

exit status:
  0  printed
  1  printed, without games that are damaged
  2  there is no such file, or it can't be read"""


@dataclass
class Rebuilt:
    """The outcome of working out all results again."""

    games: int = 0
    """Finished games that were read."""
    changed: int = 0
    """Results that weren't stored, or were stored differently."""
    damaged: dict[int, str] = field(default_factory=dict)
    """Why other games can't be read, by number."""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    add_json(parser)
    parser.add_argument("--rebuild", action="store_true", help="first work out the results of all finished games again")


def run(arguments: Namespace) -> int:
    rebuilt, results = asyncio.run(_results(settings_of(arguments), arguments.rebuild))
    boards = {guild: ranked(folded(some).values()) for guild, some in groupby(_by_guild(results), lambda r: r.guild)}
    damaged = rebuilt.damaged if rebuilt is not None else {}
    if arguments.json:
        read = None if rebuilt is None else {"games": rebuilt.games, "changed": rebuilt.changed}
        servers = {guild: [_data(line) for line in lines] for guild, lines in boards.items()}
        print_json(counted=len(results), rebuilt=read, servers=servers, damaged=damaged)
        return 1 if damaged else 0
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # for terminals that can't show a player's name
    if rebuilt is not None:
        print(f"{games(rebuilt.games)} read again; results that were missing or different: {rebuilt.changed}.")
    print(f"{games(len(results))} counted.")
    _print(boards)
    print_damaged(damaged)
    return 1 if damaged else 0


async def _results(settings: Settings, anew: bool) -> tuple[Rebuilt | None, list[Result]]:
    """The outcome of working out all results again, if `anew` asks for that, otherwise None; and all results."""
    async with opened(settings) as store:
        rebuilt = await rebuild(store) if anew else None
        return rebuilt, await store.results()


async def rebuild(store: Store) -> Rebuilt:
    """Work out the results of all finished games again. Those never change, so Harbormaster can run meanwhile."""
    rebuilt = Rebuilt()
    stored = {result.game: result for result in await store.results()}
    for number in await store.numbers():
        try:
            table = await store.table(number)
            if table is None or table.status != OVER:
                continue
            records = [Record.from_json(data) for data in await store.records(number)]
            result = result_of(table, Game.replay(table.config, records))
        except (Damaged, MalformedInput, ReplayError, ConfigError) as error:
            rebuilt.damaged[number] = (
                "its records can't be read" if isinstance(error, Damaged) else "it can't be replayed"
            )
            continue
        rebuilt.games += 1
        if stored.get(number) != result:
            await store.set_result(number, result)
            rebuilt.changed += 1
    return rebuilt


def _by_guild(results: list[Result]) -> list[Result]:
    """Results in the order of servers, and for each server still in the order of the games' ends."""
    return sorted(results, key=lambda result: result.guild)


def _data(line: Ranked) -> Mapping[str, object]:
    profile = line.profile
    return {
        "rank": line.rank,
        "user": profile.user,
        "name": profile.name,
        "rating": profile.rating,
        "games": line.games,
        "wins": line.wins,
    }


def _print(boards: Mapping[int, list[Ranked]]) -> None:
    for guild, lines in boards.items():
        print(f"\nServer {guild}")
        for line in lines:
            profile = line.profile
            print(f"{line.rank:4}. {profile.rating:5}  {profile.name} · {games(line.games)}, {line.wins} won")

"""Records finished games, for a test that replays them in every later version: `python -m tests.games.record`.

Each release has a file with the games that show what it brought. A file holds one game per line, compressed: its
configuration, its log and the hash of its last position. The files of released versions never change. Only the file
of the coming release is written, and never to make a failing replay pass.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count, zip_longest
from pathlib import Path
from typing import Any

from engine.actions import (
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BuildBridge,
    BuildRoad,
    BuildSettlement,
    CallOff,
    Resign,
    SetStanding,
)
from engine.codec import decode, encode
from engine.config import Config
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE, Record
from engine.scenarios import SCENARIOS
from tests.engine.randomly import attempt, chance, random_action, random_config, time_over
from tests.games.endings import WAYS, ways

FOLDER = Path(__file__).parent
FILE = FOLDER / "0.4.0.jsonl.gz"
"""The file of the coming release. (0.2.0 and 0.4.0 have several: games of other formats began on the way to them.)"""
TABLES = [(scenario.id, players) for scenario in SCENARIOS.values() for players in scenario.players]
LEAVING = (Resign, AgreeToEnd, AgreeToCallOff)


def random_game(scenario: str, players: int, rng: random.Random, target: int = 20, rounds: int = 0) -> Game:
    """A new game with random alternate rules and options."""
    config = random_config(rng, (scenario,), (target,), rounds, 0.5, players)
    return Game.new(replace(config, round_limit=rounds), chance(rng.getrandbits(32)))


def go_on(game: Game, rng: random.Random, records: int, leaving: bool = False) -> None:
    """Play random actions until the game is over or has so many records. `leaving`: some resign or vote."""
    while game.outcome is None and game.revision < records:
        seat, action = random_action(game, rng)
        if game.rules.data.special_building and rng.random() < 0.05:
            seat, action = rng.randrange(game.config.players), rng.choice((AskToBuild(), SetStanding(rng.randrange(9))))
        if leaving or not isinstance(action, LEAVING):
            attempt(game, seat, action)


def won(scenario: str, players: int, rng: random.Random) -> Game:
    """A game to ten points (I5)."""
    while True:
        game = random_game(scenario, players, rng, target=10)
        go_on(game, rng, 2500)
        if game.outcome is not None:
            return game


def to_the_limit(scenario: str, players: int, rng: random.Random) -> Game:
    """A game of a few rounds (I6)."""
    game = random_game(scenario, players, rng, rounds=rng.randint(2, 5))
    go_on(game, rng, 5000)
    return game


def ended_by_vote(scenario: str, players: int, rng: random.Random) -> Game:
    """A game in which the points are counted by agreement (I6)."""
    game = random_game(scenario, players, rng)
    go_on(game, rng, rng.choice((0, 200, 400)))
    while not game.view().may_count_points:
        go_on(game, rng, game.revision + 1)
    agree(game, AgreeToEnd(), rng)
    return game


def voided(scenario: str, players: int, rng: random.Random) -> Game:
    """A game that the players or the referee void, in setup or later (I6)."""
    game = random_game(scenario, players, rng)
    go_on(game, rng, rng.choice((3, 60, 200)))
    if rng.random() < 0.5:
        game.play(REFEREE, CallOff())
    else:
        agree(game, AgreeToCallOff(), rng)
    return game


def agree(game: Game, how: Action, rng: random.Random) -> None:
    """Let all players agree, or all but one, who leaves."""
    *others, last = rng.sample(range(game.config.players), game.config.players)
    for seat in others:
        game.play(seat, how)
    game.play(last, Resign() if len(others) > 1 and rng.random() < 0.3 else how)


def left_by_all_but_one(scenario: str, players: int, rng: random.Random) -> Game:
    """A game that one player after the other leaves, in setup or later, in the middle of anything (I7)."""
    game = random_game(scenario, players, rng)
    go_on(game, rng, rng.choice((3, 100, 300)))
    while game.outcome is None:
        game.play(rng.choice([*bits(game.state.active())]), Resign())
        go_on(game, rng, game.revision + rng.choice((0, 5, 30)))
    return game


def in_each_way(missing: set[str]) -> Iterator[Game]:
    """A short game for each of these ways to end."""
    for number in count():
        rng = random.Random(number)
        game = random_game(*rng.choice(TABLES), rng, target=rng.choice((3, 4, 5, 6)), rounds=rng.choice((0, 0, 5)))
        while game.outcome is None and game.revision < 800 and missing:
            for seat, action in last_actions(game, rng):
                twin = game.copy()
                if attempt(twin, seat, action) is None and twin.outcome is not None and ways(twin) & missing:
                    game = twin
                    break
            else:
                go_on(game, rng, game.revision + 1, leaving=True)
        if game.outcome is not None and ways(game) & missing:
            missing = missing - ways(game)
            yield game
        if not missing:
            return


def won_by_a_cut() -> Iterator[Game]:
    """A game of road builders, won with the settlement that cuts the longest road (I2). It is played without a target
    first, and then again with the points of that moment for one."""
    for number in count():
        rng, config = random.Random(number), Config(SCENARIOS["base"].colors_for(4)[:4], target=20)
        game, most = Game.new(config, chance(number)), 2
        while game.outcome is None and game.revision < 700:
            seat, holder = game.to_act[0], game.state.longest
            options = game.options(seat)
            attempt(game, seat, (options.get(BuildRoad) or options).sample(rng))
            points, cut = game.state.all_points(seat), isinstance(game.records[-1].action, BuildSettlement)
            if cut and points > most and game.state.longest == seat != holder:
                again = Game.each(replace(config, target=points), game.records)
                yield next(won for won in again if won.outcome is not None)
                return
            most = max(most, points)


def last_actions(game: Game, rng: random.Random) -> Iterator[tuple[int, Action]]:
    """Actions that end a game more often than others, and then in a way of their own."""
    yield from ((seat, Resign()) for seat in bits(game.state.active()))
    yield REFEREE, CallOff()
    yield REFEREE, time_over(game, rng)
    for seat in game.to_act:
        options = game.options(seat)
        yield from (
            (seat, action) for kind in (BuildRoad, BuildBridge, BuildSettlement) for action in options.get(kind, ())
        )


def write(games: list[Game]) -> None:
    """Write the coming release's file; the same games give the same bytes."""
    lines = [
        {"config": encode(game.config), "records": [r.to_json() for r in game.records], "hash": game.hash()}
        for game in games
    ]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))


@cache
def kept() -> list[bytes]:
    """All recorded games as they are kept."""
    return [
        line for file in sorted(FOLDER.glob("*.jsonl.gz")) for line in gzip.decompress(file.read_bytes()).splitlines()
    ]


def mixed() -> list[int]:
    """The numbers of all recorded games, shuffled, but so that the formats take turns. So the first ones are a sample
    of all formats."""
    numbers = random.Random(1).sample(range(len(kept())), len(kept()))
    by_format: dict[bytes, list[int]] = {}
    for number in numbers:
        by_format.setdefault(kept()[number].partition(b'"format":')[2][:2], []).append(number)
    return [number for turn in zip_longest(*by_format.values()) for number in turn if number is not None]


@cache
def recorded(number: int) -> tuple[Config, list[Record], str]:
    """A recorded game."""
    game: dict[str, Any] = json.loads(kept()[number])
    return decode(Config, game["config"]), [Record.from_json(r) for r in game["records"]], game["hash"]


def read() -> list[tuple[Config, list[Record], str]]:
    """All recorded games: configuration, log, and hash of the last position."""
    return [recorded(number) for number in range(len(kept()))]


def record() -> list[Game]:
    """The games of the coming release: at each table a game for each reason to end, and one for each way to end."""
    kinds = (won, to_the_limit, ended_by_vote, voided, left_by_all_but_one)
    games = [kind(*table, random.Random(f"{kind.__name__} {table}")) for table in TABLES for kind in kinds]
    games += won_by_a_cut()
    return [*games, *in_each_way(WAYS.keys() - set[str]().union(*map(ways, games)))]


if __name__ == "__main__":
    played = record()
    write(played)
    print(f"{len(played)} games, {sum(g.revision for g in played)} records, {FILE.stat().st_size // 1024} KiB")

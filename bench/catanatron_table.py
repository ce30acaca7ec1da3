"""Our bots at catanatron's table: one of ours against three of theirs, in their engine, by their rules.

python -m bench.catanatron_table --catanatron CHECKOUT/catanatron --ours hard --theirs value --games 20 --seed 1

Game n has board n // 4 of the seed, with our bot in seat n % 4. There is no trade between players. The same arguments
give the same games.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from bench.catanatron_bridge import (
    SEATS,
    Atlas,
    Move,
    differences,
    moves,
    position,
    question,
    robbed,
    robber_move,
    turns_begun,
)
from engine.actions import Action, MoveRobber, TakeCard
from engine.position import Position
from engine.state import State
from players import LEVELS, computer
from players.arena import interval

T = TypeVar("T")

THEIRS = {
    "value": ("catanatron.players.value", "ValueFunctionPlayer"),
    "alphabeta": ("catanatron.players.minimax", "AlphaBetaPlayer"),
    "weighted": ("catanatron.players.weighted_random", "WeightedRandomPlayer"),
    "random": ("catanatron.models.player", "RandomPlayer"),
}
"""Their players by name: module and class, whose default arguments are used."""


class Task(NamedTuple):
    """One game to play."""

    ours: str
    theirs: str
    game: int
    seed: int
    check: bool


@dataclass
class Played:
    """The result of a game: the `seat` of our bot, the seat that won, points by seat, and more."""

    seat: int
    winner: int | None
    points: tuple[int, ...]
    turns: int
    mismatches: Counter[str] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    """With `ours`: seconds of processor time for each decision between several options."""


class Result(NamedTuple):
    """The figures of a match; times are milliseconds of processor time per decision between several options."""

    games: int
    wins: int
    low: float
    high: float
    """With `low`: Wilson's interval of 95 % for the share of wins."""
    our_points: float
    their_points: float
    turns: float
    unfinished: int
    mismatches: Counter[str]
    """Actions of ours that they don't allow, by type."""
    differences: Counter[str]
    """What the check of both engines found, by kind."""
    our_mean: float
    our_longest: float
    their_mean: float
    their_longest: float

    def lines(self) -> Iterator[str]:
        """The lines of the report."""
        share = self.wins / self.games
        yield f"wins          {self.wins}/{self.games} = {share:.1%} (95 %: {self.low:.1%} to {self.high:.1%})"
        yield f"points        ours {self.our_points:.2f}, theirs {self.their_points:.2f}"
        yield f"turns         {self.turns:.1f}"
        yield f"unfinished    {self.unfinished}"
        yield f"mismatches    {self.mismatches.total()} {dict(self.mismatches) or ''}"
        yield f"ours, ms      mean {self.our_mean:.3f}, longest {self.our_longest:.1f}"
        yield f"theirs, ms    mean {self.their_mean:.3f}, longest {self.their_longest:.1f}"
        yield f"ours/theirs   {self.our_mean / self.their_mean:.3f}"
        for what, count in self.differences.most_common():
            yield f"difference    {what}: {count}"


def timed(times: list[float], decide: Callable[[], T]) -> T:
    """Make a decision, and record the processor time that it took."""
    began = time.process_time()
    decided = decide()
    times.append(time.process_time() - began)
    return decided


class Guest:
    """A bot of ours in a seat of theirs."""

    def __init__(self, task: Task, played: Played, atlas: Atlas) -> None:
        self.rng = random.Random(f"{task.seed}/{task.game}")
        self.player = computer(task.ours, self.rng)
        self.check = task.check
        self.played = played
        self.atlas = atlas
        self.plan: list[Move] = []
        """Remaining moves of an action of ours that is several of theirs."""

    def decide(self, game: Any) -> Any:
        """Choose one of their playable actions."""
        playable = game.playable_actions
        if not self.plan:
            state = position(game, self.atlas)
            if self.check:
                self._compare(state, game)
            if len(playable) == 1:
                return playable[0]
            self.plan = self._think(state, game)
        kind, value = self.plan.pop(0)
        for action in playable:
            if action.action_type.name == kind and action.value == value:
                return action
        self.played.mismatches[kind] += 1
        self.plan.clear()
        return playable[0]

    def _think(self, state: State, game: Any) -> list[Move]:
        action = self._ask(state, len(game.state.action_records))
        if not isinstance(action, MoveRobber):
            return moves(action, state, self.atlas)
        victims = robbed(state, action.at)
        victim = victims[0] if victims else None
        if len(victims) > 1:  # the one case in which our engine asks again
            after = Position(state.copy())
            after.play(self.played.seat, action, self.rng)
            taken = self._ask(after.state, len(game.state.action_records))
            assert isinstance(taken, TakeCard)
            victim = taken.seat
        return [robber_move(action.at, victim, game.state, self.atlas)]

    def _ask(self, state: State, revision: int) -> Action:
        view, options = question(state, self.played.seat, revision)
        if sum(map(len, options.values())) == 1:
            return self.player.decide(view, options)
        return timed(self.played.ours, lambda: self.player.decide(view, options))

    def _compare(self, state: State, game: Any) -> None:
        self.played.differences.update(differences(state, game, self.atlas))
        self.played.differences["decisions compared"] += 1


@cache
def catanatron() -> Any:
    """Their package, with one set sorted: before Python 3.12, `hash(None)` differs between processes."""
    actions: Any = importlib.import_module("catanatron.models.actions")
    trades = actions.inner_maritime_trade_possibilities
    actions.inner_maritime_trade_possibilities = lambda *held: sorted(trades(*held), key=str)
    return importlib.import_module("catanatron")


def play(task: Task) -> Played:
    """Play one game; catanatron must be importable."""
    package = catanatron()
    module, name = THEIRS[task.theirs]
    theirs = getattr(importlib.import_module(module), name)
    colors = tuple(package.Color)
    seed = task.seed * 1_000_000 + task.game // SEATS
    random.seed(seed)
    seating = random.sample(range(SEATS), SEATS)  # the first thing that they do with the seed
    players = [theirs(colors[seating.index(at)]) for at in range(SEATS)]
    game = package.Game(players, seed=seed)
    assert game.state.colors == colors, "catanatron no longer seats its players as it did"
    played = Played(task.game % SEATS, None, (), 0)
    guest = Guest(task, played, Atlas(game.state.board.map))

    def decide(player: Any, game: Any, playable: list[Any]) -> Any:
        if game.state.current_player_index == played.seat:
            return guest.decide(game)
        if len(playable) == 1:
            return player.decide(game, playable)
        return timed(played.theirs, lambda: player.decide(game, playable))

    winner = game.play(decide_fn=decide)
    played.winner = None if winner is None else colors.index(winner)
    played.points = tuple(game.state.player_state[f"P{seat}_ACTUAL_VICTORY_POINTS"] for seat in range(SEATS))
    played.turns = turns_begun(game.state)
    return played


def match(ours: str, theirs: str, games: int, seed: int, path: str, processes: int = 1, check: bool = False) -> Result:
    """Play games of one of `ours` against three of `theirs`. `path` is the folder that has the package catanatron."""
    if not Path(path, "catanatron", "players", "value.py").is_file():  # otherwise an installed one would be used
        raise FileNotFoundError(f"There is no catanatron 3.3 or later in {path}.")
    tasks = [Task(ours, theirs, game, seed, check) for game in range(games)]
    with _steady_hashes(), multiprocessing.get_context("spawn").Pool(processes, _find, (path,)) as pool:
        played = []
        for game in pool.imap(play, tasks):
            played.append(game)
            if len(played) % 20 == 0:
                won = sum(result.winner == result.seat for result in played)
                print(f"{won} of {len(played)} won, {games} to play", flush=True)
        return _result(played)


@contextmanager
def _steady_hashes() -> Iterator[None]:
    """Have processes that begin meanwhile hash alike, since the order of their options comes from sets."""
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before


def _find(path: str) -> None:
    """Let a process import catanatron from a path."""
    sys.path.insert(0, path)


def _result(played: list[Played]) -> Result:
    mismatches = sum((game.mismatches for game in played), Counter[str]())
    disagreements = sum((game.differences for game in played), Counter[str]())
    ours = [1000 * took for game in played for took in game.ours]
    theirs = [1000 * took for game in played for took in game.theirs]
    games, wins = len(played), sum(game.winner == game.seat for game in played)
    own = sum(game.points[game.seat] for game in played)
    return Result(
        games,
        wins,
        *interval(wins, games),
        own / games,
        (sum(sum(game.points) for game in played) - own) / games / (SEATS - 1),
        sum(game.turns for game in played) / games,
        sum(game.winner is None for game in played),
        mismatches,
        disagreements,
        fmean(ours),
        max(ours),
        fmean(theirs),
        max(theirs),
    )


def main() -> None:
    """Play a match and print the figures."""
    parser = argparse.ArgumentParser(description="Our bots against catanatron's, in its engine.")
    parser.add_argument("--catanatron", required=True, help="the folder with the package catanatron, 3.3 or later")
    parser.add_argument("--ours", choices=sorted(LEVELS), required=True)
    parser.add_argument("--theirs", choices=sorted(THEIRS), required=True)
    parser.add_argument("--games", type=int, default=20, help="with a multiple of four, each seat is used equally")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="compare what both engines allow at each decision of ours")
    given = parser.parse_args()
    try:
        found = match(given.ours, given.theirs, given.games, given.seed, given.catanatron, given.processes, given.check)
    except FileNotFoundError as error:
        sys.exit(str(error))
    print("\n".join(found.lines()))


if __name__ == "__main__":
    main()

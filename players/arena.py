"""Bots against each other, to measure their strength. Each board is played with every seating."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from multiprocessing import get_context

from engine.actions import Action, MakeOffer
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.domains import Options, Random
from engine.errors import ConfigError
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.views import OfferView, View
from players import LEVELS, computer
from players.player import Player
from players.table import play

TURN_LIMIT = 1000
"""Turns after which a game ends without a winner."""
DEFAULT = Config(colors=COLORS[:4])


@dataclass(frozen=True)
class Result:
    """The result of a game. Lists are by player, in the order in which they were named, no matter where they sat."""

    winners: tuple[int, ...]
    points: list[int]
    turns: int
    times: list[list[float]]
    """Processor time of each decision, in seconds."""


class Timed(Player):
    """A player whose decisions are timed; `trade`: whether it can make offers."""

    def __init__(self, level: str, rng: Random, trade: bool) -> None:
        super().__init__(rng)
        self.player = computer(level, rng)
        self.trade = trade
        self.times: list[float] = []
        """Processor time of each decision, in seconds."""

    def decide(self, view: View, options: Options) -> Action:
        if not self.trade:
            options = Options({kind: domain for kind, domain in options.items() if kind is not MakeOffer})
        return self._timed(lambda: self.player.decide(view, options))

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        return self._timed(lambda: self.player.answer(view, options, offer))

    def asks_to_build(self, view: View) -> bool:
        return self.player.asks_to_build(view)

    def _timed(self, decide: Callable[[], Action]) -> Action:
        began = time.process_time()
        action = decide()
        self.times.append(time.process_time() - began)
        return action


def contest(config: Config, levels: Sequence[str], seed: str, trade: bool, number: int) -> Result:
    """Play one game. There is a new board after as many games as there are players; on each, the seating rotates."""
    n = len(levels)
    board, turned = divmod(number, n)
    game = Game.new(config, SeededChance(bytes(32), f"{seed}/{board}", ()))
    names = [(seat - turned) % n for seat in range(n)]
    seated = [Timed(levels[name], random.Random(f"{seed}/{number}/{name}"), trade) for name in names]
    while game.outcome is None and game.turn < TURN_LIMIT:
        play(game, seated)
    seats = [names.index(name) for name in range(n)]
    return Result(
        tuple(names[seat] for seat in game.outcome.winners) if game.outcome else (),
        [game.state.all_points(seat) for seat in seats],
        game.turn,
        [seated[seat].times for seat in seats],
    )


def run(
    levels: Sequence[str],
    games: int,
    seed: str,
    scenario: str,
    variants: Sequence[str],
    target: int | None,
    trade: bool,
    processes: int,
) -> int:
    """Play games and print the results. Returns the exit status: 2 if the games can't be played."""
    for level in levels:
        if level not in LEVELS:
            print(f"harbormaster: there is no level {level!r}; there are {', '.join(LEVELS)}.", file=sys.stderr)
            return 2
    possible = SCENARIOS[scenario].colors_for(len(levels)) if scenario in SCENARIOS else ()
    config = Config(
        colors=(*possible, *COLORS)[: len(levels)],
        scenario=scenario,
        variants=tuple(variants),
        target=target or DEFAULT.target,
    )
    try:
        Game.new(config, SeededChance(bytes(32), seed, ()))
    except ConfigError as error:
        print(f"harbormaster: {error}", file=sys.stderr)
        return 2
    print(describe(levels, played(config, levels, games, seed, trade, processes)))
    return 0


def played(
    config: Config, levels: Sequence[str], games: int, seed: str, trade: bool = True, processes: int = 0
) -> list[Result]:
    """Play games in so many processes (0: as many as there are processors). Returns the results."""
    work = partial(contest, config, levels, seed, trade)
    with ProcessPoolExecutor(processes or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, range(games), chunksize=4))


def describe(levels: Sequence[str], results: Sequence[Result]) -> str:
    """A table as text: a line for each player, and one for all games."""
    games, n = len(results), len(levels)
    turns, open_ended = sum(result.turns for result in results), sum(not result.winners for result in results)
    lines = [
        f"{'player':12}{'wins':>7}{'share':>9}   {'95 % interval':20}{'points':>7}{'ms a decision':>15}{'longest':>9}"
    ]
    for name, level in enumerate(levels):
        won = sum(name in result.winners for result in results)
        low, high = interval(won, games)
        points = sum(result.points[name] for result in results) / games
        times = [taken for result in results for taken in result.times[name]] or [0.0]
        mean, longest = 1e3 * sum(times) / len(times), 1e3 * max(times)
        share = f"{100 * won / games:.1f} %"
        lines.append(
            f"{f'{name + 1} {level}':12}{won:7}{share:>9}   {f'{100 * low:.1f} % to {100 * high:.1f} %':20}"
            f"{points:7.2f}{mean:15.2f}{longest:9.0f}"
        )
    lines.append(
        f"{games} games, {turns / games:.1f} turns each, {open_ended} without a winner; a fair share is {100 / n:.1f} %"
    )
    return "\n".join(lines)


def interval(won: int, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share, by Wilson's formula."""
    z, share = 1.96, won / games
    middle, spread = share + z * z / (2 * games), z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return (middle - spread) / scale, (middle + spread) / scale

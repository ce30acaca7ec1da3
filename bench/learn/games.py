"""Games from which bots learn: what all seats look like at the end of turns, and who won."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from engine.actions import Action, BuildSettlement, EndTurn, MakeOffer
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.domains import Options
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.state import State
from engine.views import View
from players.chances import Chances
from players.net import NetChances, inputs, net
from players.sensible import HardPlayer
from players.situation import Situation
from players.table import play

TURNS = 1000
"""Turns after which a game is given up."""
EXPLORE = (0.0, 0.05, 0.15)
"""Possible shares of a seat's decisions that are tries, so that positions differ. Each seat gets one of them."""
WILD, TRIES = 0.3, 12
"""Share of tries that are any action; the others are one of the `TRIES` that look best."""
OPENINGS = 3
"""How many of the best intersections a settlement in setup is chosen from."""
NETS = 0.3
"""Share of seats that play by the net, if there is one; the others play by the weights."""
OTHERS = 0.1
"""Share of games by any scenario and with any number of players; the others are base games of four."""
TRADE = 0.5
"""Share of games in which offers are made."""
AT_TURNS, ELSEWHERE, ONLOOKER = 0.4, 0.02, 0.2
"""How likely the end of a turn is written down, how likely any other decision, and how likely it is seen from a random
seat. The end of a turn in which something was tried is always written down."""


@dataclass(frozen=True)
class Lesson:
    """What a game taught."""

    players: int
    rows: array[float]
    """The inputs of the net for all seats, position after position."""
    winner: int


class Learner(HardPlayer):
    """Plays in one of several styles, sometimes at random, and writes positions down."""

    def __init__(self, rng: random.Random, game: Game, by: Path | None, trade: bool, rows: array[float]) -> None:
        super().__init__(rng)
        self.game = game
        self.trade = trade
        self.rows = rows
        self.net = net(by) if by and rng.random() < NETS else None
        self.depth, self.width = (2, 4) if self.net else rng.choice(((1, 1), (3, 5)))
        self.explore = rng.choice(EXPLORE)
        self.tried = -1
        """The turn in which it last tried something."""

    def decide(self, view: View, options: Options) -> Action:
        tries = self.rng.random() < self.explore
        if tries:
            self.tried = view.turn
            if self.rng.random() < WILD:
                return options.sample(self.rng)
        if not self.trade:
            options = Options({kind: domain for kind, domain in options.items() if kind is not MakeOffer})
        lines = self.lines(view, options)
        among = TRIES if tries else OPENINGS if BuildSettlement in options and not view.turn else 1
        action = lines[int(self.rng.random() * min(len(lines), among))].actions[0]
        begins = view.turn == 1 and view.dice is None
        likely = ELSEWHERE if type(action) is not EndTurn else 1.0 if self.tried == view.turn else AT_TURNS
        if begins or self.rng.random() < likely:
            seat = view.seat
            if self.rng.random() < ONLOOKER:
                seat = int(self.rng.random() * len(view.players))
            self._note(self.game.view(seat, counted=True))
        return action

    def chances(self, state: State) -> Chances:
        return NetChances(state, self.net) if self.net else super().chances(state)

    def _note(self, view: View) -> None:
        situation = Situation.of(view)
        judge = self.chances(situation.state).judge
        for seat in range(len(view.players)):
            self.rows.extend(inputs(judge, situation, seat).values())


def lesson(by: Path | None, seed: str) -> Lesson | None:
    """Play a game. Returns what it teaches; None if no one won alone."""
    rng, rows = random.Random(seed), array("f")
    game = Game.new(_config(rng), SeededChance(bytes(32), seed, ()))
    trade = rng.random() < TRADE
    players = [Learner(rng, game, by, trade, rows) for _ in range(game.state.players)]
    while game.outcome is None and game.turn < TURNS:
        play(game, players)
    if game.outcome is None or len(game.outcome.winners) != 1:
        return None
    return Lesson(game.state.players, rows, game.outcome.winners[0])


def lessons(by: Path | None, seed: str, games: int, processes: int) -> Iterator[Lesson]:
    """What many games teach. The number of a game makes its seed."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for result in pool.map(partial(lesson, by), (f"{seed}/{n}" for n in range(games)), chunksize=8):
            if result is not None:
                yield result


def _config(rng: random.Random) -> Config:
    """A base game of four, or sometimes another game."""
    if rng.random() >= OTHERS:
        return Config(colors=COLORS[:4])
    scenario = rng.choice(list(SCENARIOS))
    players = rng.choice(SCENARIOS[scenario].players)
    return Config(colors=SCENARIOS[scenario].colors_for(players)[:players], scenario=scenario)

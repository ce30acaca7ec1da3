"""Learn the bots' weights from games that they play against each other (`players/chances.py`).

`python -m bench.learn [--games 400] [--rounds 2] [--processes 2] [--out players/weights.txt]`. At the beginning of each
turn the features of all seats are written down, and at the end of the game the winner. The weights make the winners
most likely, with a pull toward zero. (It is a conditional logit: the chance of a seat is exp(strength), as a part of
the sum over all seats.) Each round plays with the weights of the round before. Standard library only.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, log
from multiprocessing import get_context
from pathlib import Path

from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.game import Game
from engine.scenarios import SCENARIOS
from players.chances import WEIGHTS, weights
from players.features import Judge
from players.sensible import SensiblePlayer
from players.survey import survey_of

Sample = tuple[list[list[float]], int]
"""Features of each seat, in the order of the weights, and the seat that won."""
LIMIT = 4000
"""Actions after which a game is given up."""
EXPLORE = 0.05
"""Share of decisions that are taken at random, so that positions differ."""


def samples(scenario: str, players: int, by: dict[str, float], seed: str) -> list[Sample]:
    """What a game teaches; nothing when nobody won alone."""
    rng = random.Random(seed)
    config = Config(colors=(*SCENARIOS[scenario].colors_for(players), *COLORS)[:players], scenario=scenario)
    game = Game.new(config, SeededChance(bytes(32), seed, ()))
    judge, found, turn = Judge(survey_of(game.board)), list[list[list[float]]](), 0
    player = SensiblePlayer(rng, by)
    while game.outcome is None and game.revision < LIMIT:
        if game.turn > turn:
            turn = game.turn
            features = [judge.features(game.state, seat) for seat in range(players)]
            found.append([[row[name] for name in by] for row in features])
        seat = game.to_act[0]
        options = game.options(seat)
        explore = rng.random() < EXPLORE
        game.play(seat, options.sample(rng) if explore else player.decide(game.view(seat), options))
    if game.outcome is None or len(game.outcome.winners) != 1:
        return []
    return [(features, game.outcome.winners[0]) for features in found]


def gathered(games: int, by: dict[str, float], processes: int, seed: str, scenario: str, players: int) -> list[Sample]:
    """What many games teach."""
    play = partial(samples, scenario, players, by)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return [
            sample for found in pool.map(play, (f"{seed}/{n}" for n in range(games)), chunksize=4) for sample in found
        ]


def chances(by: Sequence[float], features: list[list[float]]) -> list[float]:
    """The chance of each seat."""
    strengths = [sum(w * f for w, f in zip(by, row, strict=True)) for row in features]
    top = max(strengths)
    parts = [exp(s - top) for s in strengths]
    return [part / sum(parts) for part in parts]


def loss(by: Sequence[float], found: Iterable[Sample]) -> float:
    """Mean surprise at who won, in nats."""
    surprises = [-log(max(1e-12, chances(by, features)[winner])) for features, winner in found]
    return sum(surprises) / len(surprises)


def fit(
    start: Sequence[float], found: list[Sample], rng: random.Random, epochs: int = 6, pull: float = 2e-5
) -> list[float]:
    """Weights under which the winners are most likely: stochastic gradient with steps that adapt (AdaGrad)."""
    by, squares = list(start), [1e-3] * len(start)
    for epoch in range(epochs):
        rate = 0.15 / (1 + epoch)
        rng.shuffle(found)
        for features, winner in found:
            parts = chances(by, features)
            for k in range(len(by)):
                expected = sum(part * row[k] for part, row in zip(parts, features, strict=True))
                slope = expected - features[winner][k] + pull * by[k]
                if slope:
                    squares[k] += slope * slope
                    by[k] -= rate * slope / squares[k] ** 0.5
    return by


def write(path: Path, by: dict[str, float], remark: str) -> None:
    """The file that `players.chances.weights` reads."""
    lines = [f"{name} {weight:.4f}" for name, weight in by.items()]
    path.write_text("\n".join((f"# {remark}", *lines, "")), "utf-8")


def main() -> None:
    """Play, learn, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=400, help="games per round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", default="learn")
    parser.add_argument("--scenario", default="base")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    by = weights(given.out if given.out.exists() else WEIGHTS)
    for number in range(given.rounds):
        found = gathered(given.games, by, given.processes, f"{given.seed}/{number}", given.scenario, given.players)
        split = len(found) * 9 // 10
        taught, kept = found[:split], found[split:]
        before = [*by.values()]
        after = fit(before, taught, random.Random(f"{given.seed}/{number}"))
        print(
            f"round {number + 1}: {len(found)} positions; "
            f"loss on a tenth {loss(before, kept):.4f}, now {loss(after, kept):.4f}",
            flush=True,
        )
        by = dict(zip(by, after, strict=True))
        write(
            given.out,
            by,
            f"bench/learn.py: round {number + 1} of {given.rounds}, {given.games} games each, {given.scenario}",
        )


if __name__ == "__main__":
    main()

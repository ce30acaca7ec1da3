"""Our engine's random base games for `bench.engine_speed`, in a process of their own.

`our_games.py games|playouts|replays`: for each line "FIRST COUNT" it plays the games with those seeds. It answers
"SECONDS ACTIONS" (of processor time).
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.game import Game
from engine.position import Position
from players.simulate import play, play_out

CONFIG = Config(colors=COLORS[:4])


def dealt(seed: int) -> tuple[Game, random.Random]:
    """A new game, and the random numbers for its players' moves."""
    return Game.new(CONFIG, SeededChance(bytes(32), str(seed), ())), random.Random(seed)


def played(seed: int) -> Game:
    """A finished game."""
    return play(CONFIG, f"replays/{seed}")[0]


def game(start: tuple[Game, random.Random]) -> int:
    """Play a game by options, play and record. Returns its number of actions."""
    play_out(*start)
    return start[0].revision - 1


def playout(start: tuple[Game, random.Random]) -> int:
    """Play out a game in a position to think with. Returns its number of actions."""
    position, rng, actions = Position(start[0].state), start[1], 0
    while position.outcome is None:
        seats = position.to_act
        seat = seats[int(rng.random() * len(seats))]
        position.play(seat, position.options(seat).sample(rng), rng)
        actions += 1
    return actions


def replay(game: Game) -> int:
    """Rebuild a finished game from its log. Returns its number of actions."""
    return Game.replay(game.config, game.records).revision - 1


KINDS: dict[str, tuple[Callable[[int], Any], Callable[[Any], int]]] = {
    "games": (dealt, game),
    "playouts": (dealt, playout),
    "replays": (played, replay),
}
"""By kind: what is prepared without being timed, and what is timed."""


def main() -> None:
    """Answer until the input ends."""
    prepare, run = KINDS[sys.argv[1]]
    run(prepare(0))  # tables of the board, caches of the interpreter
    for line in sys.stdin:
        first, count = map(int, line.split())
        prepared = [prepare(seed) for seed in range(first, first + count)]
        began = time.process_time()
        actions = sum(map(run, prepared))
        print(time.process_time() - began, actions, flush=True)


if __name__ == "__main__":
    main()

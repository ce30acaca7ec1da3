"""The reference for the engine's benchmark: random games of another engine, in a process of its own.

For each line "FIRST COUNT" it plays the games with those seeds. It answers "SECONDS ACTIONS" (of processor time).
"""

from __future__ import annotations

import sys
import time

from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer

COLORS = (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)

for line in sys.stdin:
    first, count = map(int, line.split())
    actions = 0
    began = time.process_time()
    for seed in range(first, first + count):
        game = Game([RandomPlayer(color) for color in COLORS], seed=seed)
        game.play()
        actions += len(game.state.actions)
    print(time.process_time() - began, actions, flush=True)

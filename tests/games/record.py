"""Records finished games, for a test that replays them in every later version: `python -m tests.games.record`.

The file holds one game a line, compressed: its configuration, its log and the hash of its last position. Record
anew only when the format of the rules changes (`engine.config.FORMAT`), never to make a failing replay pass.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

from engine.actions import AskToBuild, Expire, SetStanding
from engine.codec import decode, encode
from engine.config import COLORS, EDITIONS, LAYOUTS, Config
from engine.game import REFEREE, Game, Record
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.engine.randomly import attempt, chance, random_action
from tests.soak.games import any_action

FILE = Path(__file__).with_name("games.jsonl.gz")


def configs() -> Iterator[Config]:
    """Both editions, two to four players, every layout and the fixed board; short games and full ones."""
    boards = [("base", layout) for layout in LAYOUTS] + [("beginner", "spiral")]
    for (scenario, layout), edition, players, target in product(boards, EDITIONS, (2, 3, 4), (6, 10)):
        colors = COLORS if scenario == "base" else SCENARIOS[scenario].colors_for(players)
        yield Config(colors[:players], scenario, edition, target=target, layout=layout, round_limit=(target == 6) * 40)


def wide() -> Iterator[Config]:
    """Every scenario at its largest table: each of its options' choices, and alternate rules in turn, all at last."""
    rules = tuple(VARIANTS)
    for place, scenario in enumerate(SCENARIOS.values()):
        players = max(scenario.players)
        choices = [[(option.name, value) for value, _ in option.choices] for option in scenario.options]
        for turn, options in enumerate(list(zip_longest(*choices)) or [()]):
            some = tuple(rules[(3 * place + turn + i) % len(rules)] for i in range(4))
            picked = tuple(one or choices[i][0] for i, one in enumerate(options))
            edition = EDITIONS[(place + turn) % 2]
            yield Config(scenario.colors_for(players)[:players], scenario.id, edition, some, 7, options=picked)
        yield Config(scenario.colors_for(players)[:players], scenario.id, EDITIONS[place % 2], rules, 7)


def play(config: Config, seed: int) -> Game:
    """A whole game by lively random players, with offers, undo and now and then somebody who leaves."""
    rng = random.Random(seed)
    game = Game.new(config, chance(seed))
    while game.outcome is None:
        top = game.state.agenda[-1]
        if top.kind == "interrupt" and rng.random() < 0.1:
            game.play(REFEREE, Expire(top.serial))
        elif game.rules.data.special_building and rng.random() < 0.05:
            wish = AskToBuild(rng.random() < 0.8) if rng.random() < 0.9 else SetStanding(rng.randrange(9))
            attempt(game, rng.randrange(config.players), wish)
        else:
            attempt(game, *(any_action(game, rng, leaving=0.001) if config.variants else random_action(game, rng)))
    return game


def write(games: list[Game]) -> None:
    """Write the file; the same games give the same bytes."""
    lines = [
        {"config": encode(game.config), "records": [r.to_json() for r in game.records], "hash": game.hash()}
        for game in games
    ]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))


def read() -> list[tuple[Config, list[Record], str]]:
    """All recorded games: configuration, log, last hash."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).splitlines()]
    return [(decode(Config, x["config"]), [Record.from_json(r) for r in x["records"]], x["hash"]) for x in lines]


if __name__ == "__main__":
    played = [play(config, seed) for seed, config in enumerate([*configs(), *wide()])]
    write(played)
    print(f"{len(played)} games, {sum(g.revision for g in played)} records, {FILE.stat().st_size // 1024} KiB")

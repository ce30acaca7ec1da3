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
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from engine.actions import (
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BuyCard,
    CallOff,
    EndTurn,
    LeaveRobber,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    Resign,
    TakeBackDiscard,
    Undo,
)
from engine.codec import decode, encode
from engine.config import Config
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE, Record
from engine.scenarios import SCENARIOS
from engine.terms import StepKind
from tests.engine.randomly import attempt, chance, random_action

FOLDER = Path(__file__).parent
FILE = FOLDER / "0.4.0.jsonl.gz"
"""The file of the coming release. (0.2.0 has three files, since games of formats 2 and 3 began on the way to it.)"""


def called_off() -> Iterator[Game]:
    """Games that the referee voids, in setup and later."""
    for seed, (scenario, records) in enumerate(product(("base", "extension", "islands"), (3, 60, 200))):
        rng = random.Random(seed)
        players = max(SCENARIOS[scenario].players)
        game = Game.new(Config(SCENARIOS[scenario].colors_for(players)[:players], scenario), chance(seed))
        while game.revision < records:
            attempt(game, *random_action(game, rng))
        game.play(REFEREE, CallOff())
        yield game


def own_islands_in_phases() -> Iterator[Game]:
    """Islands with a chosen number of hexes by terrain and separate phases, ended by either agreement (L11, K6, I6)."""
    for seed, counts in enumerate(((2, 2, 2, 2, 2), (5, 6, 6, 6, 5), (4, 8, 6, 5, 7), (8, 9, 9, 10, 10))):
        land = zip(("hills", "forest", "pasture", "fields", "mountains"), map(str, counts), strict=True)
        config = Config(
            SCENARIOS["big-islands"].colors_for(5)[:5],
            "big-islands",
            variants=(("separate-phases",), ("build-ends-trade", "separate-phases"))[seed % 2],
            options=(("variation", "own"), *land),
        )
        rng, game = random.Random(seed), Game.new(config, chance(seed))
        while game.outcome is None and game.revision < 600:
            attempt(game, *random_action(game, rng))
        for seat in range(5):
            if game.outcome is None:
                attempt(game, seat, (AgreeToEnd, AgreeToCallOff)[seed // 2]())
        yield game


def discards_taken_back() -> Iterator[Game]:
    """Games in which players who can undo a discard do so half of the time (D4)."""
    for seed in range(2):
        rng = random.Random(seed)
        config = Config(SCENARIOS["base"].colors_for(4)[:4], target=5)
        game = Game.new(config, chance(seed))
        while game.outcome is None:
            back = [seat for seat in range(4) if TakeBackDiscard in game.options(seat)]
            if back and rng.random() < 0.5:
                game.play(rng.choice(back), TakeBackDiscard())
            else:
                attempt(game, *random_action(game, rng))
        yield game


def armies_aside() -> Iterator[Game]:
    """Games that the holder of the largest army leaves, then one of the two who tie for it (I7)."""
    unwanted = (Resign, AgreeToEnd, AgreeToCallOff, Undo, PlayMonopoly)
    for seed in (1, 4, 8):
        rng = random.Random(seed)
        game = Game.new(Config(SCENARIOS["extension"].colors_for(6)[:6], "extension", target=20), chance(seed))
        while not (rivals := _rivals(game)):
            options = game.options(game.to_act[0])
            kinds = [kind for kind in (PlayKnight, BuyCard) if kind in options]
            if kinds:
                game.play(game.to_act[0], options[kinds[0]].sample(rng))
                continue
            seat, action = random_action(game, rng)
            if not isinstance(action, unwanted):
                attempt(game, seat, action)
        for seat in (game.state.army, rivals[0]):
            game.play(seat, Resign())
        assert game.state.army == rivals[1]
        _agree(game, AgreeToCallOff)
        yield game


def _rivals(game: Game) -> list[int]:
    """The two seats that tie behind the holder of the largest army, with at least three knights. Empty if there are
    no two."""
    state = game.state
    knights = {seat: state.played[seat][0] for seat in bits(state.active()) if seat != state.army}
    best = [seat for seat, n in knights.items() if n == max(knights.values()) >= 3]
    return best if state.army >= 0 and len(best) == 2 else []


def points_counted_before_round_two() -> Iterator[Game]:
    """Games that all agree to end between the last first turn and the second round, which counts the points (I6)."""
    for seed, time in enumerate((0, 60)):
        rng = random.Random(seed)
        colors = SCENARIOS["extension"].colors_for(5)[:5]
        game = Game.new(Config(colors, "extension", request_time=time), chance(seed))
        while not game.view(None).may_count_points:
            seat = game.to_act[0]
            options = game.options(seat)
            if EndTurn in options:
                game.play((seat + 1) % 5, AskToBuild())
            game.play(seat, options[EndTurn].sample(rng) if EndTurn in options else options.sample(rng))
        assert game.state.round == 1
        _agree(game, AgreeToEnd)
        yield game


def left_midway() -> Iterator[Game]:
    """Games in which the player on turn resigns in the middle of a seven, of a knight, or of free roads (J2, I7)."""
    wanted = (StepKind.DISCARD, StepKind.INTERRUPT, StepKind.TAKE_CARD, StepKind.ROAD_BUILDING)
    for seed, (kind, time) in enumerate(product(wanted, (0, 60))):
        rng = random.Random(seed)
        variants = ("knight-interrupt", "optional-robber", "separate-phases")[: 1 + seed % 3]
        colors = SCENARIOS["extension"].colors_for(5)[:5]
        game = Game.new(Config(colors, "extension", variants=variants, target=20, request_time=time), chance(seed))
        while game.state.agenda[-1].kind != kind:
            seat, action = random_action(game, rng)
            if not isinstance(action, (Resign, AgreeToEnd, AgreeToCallOff)):
                attempt(game, seat, action)
        game.play(game.state.on_turn, Resign())
        for _ in range(60):
            if game.outcome is None:
                attempt(game, *random_action(game, rng))
        if game.outcome is None:
            _agree(game, AgreeToCallOff)
        yield game


def left_robbers_undone() -> Iterator[Game]:
    """Games in which each player who leaves the robber where it is undoes that, and half of the time moves it (L5)."""
    for seed in range(2):
        rng = random.Random(seed)
        config = Config(SCENARIOS["base"].colors_for(4)[:4], variants=("optional-robber",), target=5)
        game = Game.new(config, chance(seed))
        while game.outcome is None:
            seat = game.to_act[0]
            if LeaveRobber in game.options(seat):
                for action in (LeaveRobber(), Undo()):
                    game.play(seat, action)
                game.play(seat, game.options(seat)[rng.choice((LeaveRobber, MoveRobber))].sample(rng))
            else:
                attempt(game, *random_action(game, rng))
        yield game


def _agree(game: Game, how: type[AgreeToEnd | AgreeToCallOff]) -> None:
    for seat in list(bits(game.state.active())):
        game.play(seat, how())


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


@cache
def recorded(number: int) -> tuple[Config, list[Record], str]:
    """A recorded game."""
    game: dict[str, Any] = json.loads(kept()[number])
    return decode(Config, game["config"]), [Record.from_json(r) for r in game["records"]], game["hash"]


def read() -> list[tuple[Config, list[Record], str]]:
    """All recorded games: configuration, log, and hash of the last position."""
    return [recorded(number) for number in range(len(kept()))]


if __name__ == "__main__":
    played = [*called_off(), *own_islands_in_phases(), *discards_taken_back()]
    played += [*armies_aside(), *points_counted_before_round_two(), *left_midway()]
    played += left_robbers_undone()
    write(played)
    print(f"{len(played)} games, {sum(g.revision for g in played)} records, {FILE.stat().st_size // 1024} KiB")

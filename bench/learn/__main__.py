"""Learn the expert's net from games that bots play against each other.

`python -m bench.learn play --games 20000 --seed a --out FOLDER [--net FILE]` plays, and writes down what the games
taught. `python -m bench.learn fit FOLDER... --out players/net.json` makes a net of it, and says how well it predicts
the winners of games that it wasn't shown. The net can then play the next games, and `fit --net FILE` goes on from it.
With `--weights`, `fit` makes the weights of `hard`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from bench.learn.fit import Fitted, Floats, Group, Training, fit, foreseen, outcomes
from bench.learn.games import lessons
from players.chances import weights
from players.details import DETAILS

APART = 20
"""One of this many games is kept for the test."""
PART = 500
"""Games in a file."""


def main() -> None:
    """Play, or fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    kinds = parser.add_subparsers(required=True)
    play = kinds.add_parser("play")
    play.set_defaults(run=_play)
    play.add_argument("--games", type=int, default=20_000)
    play.add_argument("--seed", default="learn")
    play.add_argument("--net", type=Path, help="which net plays; without one the weights")
    play.add_argument("--processes", type=int, default=2)
    play.add_argument("--out", type=Path, required=True)
    learn = kinds.add_parser("fit")
    learn.set_defaults(run=_fit)
    learn.add_argument("folders", type=Path, nargs="+")
    learn.add_argument("--hidden", type=int, nargs="+", default=[64])
    learn.add_argument("--epochs", type=int, default=16)
    learn.add_argument("--rate", type=float, default=2e-3)
    learn.add_argument("--decay", type=float, default=0.3)
    learn.add_argument("--share", type=float, default=0.85, help="of what came of a game (lambda); 1: all")
    learn.add_argument("--net", type=Path, help="the net to go on from; it needs fewer epochs and a smaller rate")
    learn.add_argument("--weights", action="store_true", help="one weight for each feature, without a net: for hard")
    learn.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.run(given)


def _play(given: argparse.Namespace) -> None:
    given.out.mkdir(parents=True, exist_ok=True)
    began, done = time.perf_counter(), 0
    for part in range(-(-given.games // PART)):
        file = given.out / f"{given.seed}-{part}.npz"
        if file.exists():
            continue
        found = defaultdict[int, list[tuple[Floats, int]]](list)
        games = min(PART, given.games - part * PART)
        for each in lessons(given.net, f"{given.seed}/{part}", games, given.processes):
            found[each.players].append((np.frombuffer(each.rows, np.float32), each.winner))
        arrays = {}
        for players, all_ in found.items():
            size = [len(rows) for rows, _ in all_]
            arrays[f"x{players}"] = np.concatenate([rows for rows, _ in all_]).astype(np.float16)
            arrays[f"n{players}"] = np.array(size)
            arrays[f"w{players}"] = np.array([winner for _, winner in all_])
        np.savez(file, **arrays)
        done += games
        print(f"{done} games, {(time.perf_counter() - began) / 3600:.2f} hours", flush=True)


def _load(folders: list[Path]) -> tuple[list[Group], list[Group], str]:
    """Groups of positions to learn from, groups to test with, and a text that says which games they are from."""
    parts: dict[tuple[int, bool], list[Group]] = defaultdict(list)
    games, offset = defaultdict[str, int](int), 0
    inputs = len(weights()) + len(DETAILS)
    for folder in folders:
        for file in sorted(folder.glob("*.npz")):
            arrays = np.load(file)
            for name in arrays.files:
                if name[0] != "x":
                    continue
                players = int(name[1:])
                x = arrays[name].reshape(-1, players, inputs)
                n = arrays[f"n{players}"] // (players * inputs)
                games[file.stem.rpartition("-")[0]] += len(n)
                number, won = np.repeat(np.arange(len(n)), n), np.repeat(arrays[f"w{players}"], n)
                test = number % APART == 0
                for apart, rows in ((False, ~test), (True, test)):
                    parts[players, apart].append((x[rows], won[rows], number[rows] + offset))
                offset += len(n)
    joined = [(apart, _joined(found)) for (_, apart), found in parts.items()]
    groups = [[group for apart, group in joined if apart is test and len(group[1])] for test in (False, True)]
    return groups[0], groups[1], ", ".join(f"{count} games of seed {seed}" for seed, count in games.items())


def _joined(found: list[Group]) -> Group:
    x, won, game = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return x.astype(np.float32), won, game


def _fit(given: argparse.Namespace) -> None:
    taught, kept, source = _load(given.folders)
    n = sum(len(won) for _, won, _ in taught)
    began = time.perf_counter()
    if given.weights:
        given.hidden, names = [], [*weights()]
        taught, kept = [[(x[..., : len(names)], *more) for x, *more in groups] for groups in (taught, kept)]
    training = Training(given.hidden, given.epochs, given.rate, given.decay)
    start, begins = None, f"hidden {given.hidden}"
    if given.net:
        start = Fitted.read(given.net, [*weights(), *DETAILS])
        begins = f"from the net of: {json.loads(given.net.read_text('utf-8'))['remark']}"
    aims = foreseen(taught, training, given.share, start) if given.share < 1.0 else outcomes(taught)
    net = fit(taught, aims, training, 0, start)
    fours = [group for group in kept if group[0].shape[1] == 4]
    remark = (
        f"python -m bench.learn fit: {source}, {n} positions, "
        f"{given.epochs} epochs, rate {given.rate}, decay {given.decay}, share {given.share}; "
        f"loss {net.loss(taught):.4f}, of games kept apart {net.loss(kept):.4f} (four players {net.loss(fours):.4f}); "
        f"{begins}"
    )
    print(f"{remark}; {time.perf_counter() - began:.0f} s")
    if given.weights:
        lines = [f"{name} {weight:.4f}" for name, weight in zip(names, net.weights[-1] + net.weights[-2], strict=True)]
        given.out.write_text("\n".join((f"# {remark}", *lines, "")), "utf-8")
    else:
        net.write(given.out, [*weights(), *DETAILS], remark)


if __name__ == "__main__":
    main()

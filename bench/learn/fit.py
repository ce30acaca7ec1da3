"""Fits a net to games, so that those who won become as likely as possible to win (numpy)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Floats = Any  # an array: numpy has a lock file of its own, and mypy doesn't see it
Group = tuple[Floats, Floats, Floats]
"""Positions with the same number of players: inputs by position and seat, the winners, and the numbers of their
games. The positions of a game follow one another."""
BATCH = 512
BETAS = (0.9, 0.999)


@dataclass(frozen=True)
class Training:
    """How a net is trained."""

    hidden: Sequence[int]
    """Units of each hidden layer."""
    epochs: int
    """How often it sees each position."""
    rate: float
    """The size of the first step."""
    decay: float
    """How strongly its weights are pulled toward zero, relative to `rate`."""


class Fitted:
    """A net that can learn, with the shape of `players.net.Net`."""

    def __init__(self, inputs: int, hidden: Sequence[int], rng: Any) -> None:
        sizes = [inputs, *hidden]
        self.weights: list[Floats] = []
        for before, after in itertools.pairwise(sizes):
            self.weights.append((rng.standard_normal((before, after)) * (2.0 / before) ** 0.5).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights.append((rng.standard_normal(sizes[-1]) * 0.1).astype(np.float32))
        self.weights.append(np.zeros(inputs, np.float32))  # from the inputs directly
        self.layers = len(hidden)

    @classmethod
    def read(cls, path: Path, inputs: list[str]) -> Fitted:
        """Read a net to go on from. `inputs` are the names of its inputs, in the order in which it should take them."""
        data = json.loads(path.read_text("utf-8"))
        order = [data["inputs"].index(name) for name in inputs]
        net = cls(len(inputs), [len(biases) for _, biases in data["layers"]], np.random.default_rng(0))
        layers = [(np.array(rows).T, np.array(biases)) for rows, biases in data["layers"]]
        layers[0] = layers[0][0][order], layers[0][1]
        weights = [*itertools.chain(*layers), np.array(data["last"]), np.array(data["direct"])[order]]
        net.weights = [each.astype(np.float32) for each in weights]
        return net

    def strengths(self, x: Floats) -> tuple[Floats, list[Floats]]:
        """The strength of each row, and the values of each layer."""
        values = [x]
        for k in range(self.layers):
            values.append(np.maximum(values[-1] @ self.weights[2 * k] + self.weights[2 * k + 1], 0.0))
        return values[-1] @ self.weights[-2] + x @ self.weights[-1], values

    def chances(self, x: Floats) -> tuple[Floats, list[Floats]]:
        """How likely each seat of each position is to win, and the values of each layer."""
        n, seats, size = x.shape
        strengths, values = self.strengths(x.reshape(n * seats, size))
        strengths = strengths.reshape(n, seats)
        parts = np.exp(strengths - strengths.max(1, keepdims=True))
        return parts / parts.sum(1, keepdims=True), values

    def slopes(self, x: Floats, aims: Floats) -> list[Floats]:
        """How the mean surprise changes with each weight; `aims` are what the chances should be."""
        n, seats, _size = x.shape
        chances, values = self.chances(x)
        error = ((chances - aims) / n).reshape(n * seats)
        gradient: list[Floats] = [error @ values[0], error @ values[-1]]
        back = np.outer(error, self.weights[-2])
        for k in reversed(range(self.layers)):
            back = back * (values[k + 1] > 0.0)
            gradient += [back.sum(0), values[k].T @ back]
            back = back @ self.weights[2 * k].T
        return gradient[::-1]

    def loss(self, groups: list[Group]) -> float:
        """The mean surprise at the winner, in nats."""
        total, n = 0.0, 0
        for x, won, _ in groups:
            for at in range(0, len(won), 8192):
                chances, _ = self.chances(x[at : at + 8192])
                total -= float(np.log(chances[np.arange(len(chances)), won[at : at + 8192]] + 1e-12).sum())
                n += len(chances)
        return total / n

    def write(self, path: Path, inputs: list[str], remark: str) -> None:
        """Write the file that `players.net` reads; `inputs` are the names of the inputs."""
        rounded = [np.round(each.astype(np.float64), 4).T.tolist() for each in self.weights]
        layers = [[rounded[2 * k], rounded[2 * k + 1]] for k in range(self.layers)]
        net: dict[str, object] = {"remark": remark, "inputs": inputs, "layers": layers}
        net |= {"last": rounded[-2], "direct": rounded[-1], "bias": 0.0}
        path.write_text(json.dumps(net, separators=(",", ":")) + "\n", "utf-8")


def fit(groups: list[Group], aims: list[Floats], given: Training, seed: int, start: Fitted | None = None) -> Fitted:
    """Find weights that bring the chances near `aims`: Adam with shrinking steps, and a pull toward zero. `start` is a
    net to go on from."""
    rng = np.random.default_rng(seed)
    net = start or Fitted(groups[0][0].shape[2], given.hidden, rng)
    first = [np.zeros_like(each) for each in net.weights]
    second = [np.zeros_like(each) for each in net.weights]
    step, steps = 0, given.epochs * sum(-(-len(each) // BATCH) for each in aims)
    for _ in range(given.epochs):
        for x, aim in _batches(groups, aims, rng):
            step += 1
            now = given.rate * (1.0 - step / steps) + 1e-6
            for k, slope in enumerate(net.slopes(x, aim)):
                first[k] = BETAS[0] * first[k] + (1 - BETAS[0]) * slope
                second[k] = BETAS[1] * second[k] + (1 - BETAS[1]) * slope * slope
                scale = np.sqrt(second[k] / (1 - BETAS[1] ** step)) + 1e-8
                net.weights[k] -= now * (first[k] / (1 - BETAS[0] ** step) / scale + given.decay * net.weights[k])
    return net


def outcomes(groups: list[Group]) -> list[Floats]:
    """What the chances should be according to who won: 1 for the winner, 0 for the others."""
    return [np.eye(x.shape[1], dtype=np.float32)[won] for x, won, _ in groups]


def foreseen(groups: list[Group], given: Training, share: float, start: Fitted | None = None) -> list[Floats]:
    """What the chances should be, with less luck in it (TD(lambda)): `share` of that of the next position in the game,
    and for the rest the chances in the next position. These come from `start`, or else from a net that was trained on
    the other half of the games."""
    if start is not None:
        return [_returns(start.chances(x)[0], won, game, share) for x, won, game in groups]
    aims = [np.empty(x.shape[:2], np.float32) for x, _, _ in groups]
    for half in (0, 1):
        own = [_half(group, half) for group in groups]
        net = fit(own, outcomes(own), given, 1 + half)
        for aim, group in zip(aims, groups, strict=True):
            x, won, game = _half(group, 1 - half)
            aim[group[2] % 2 != half] = _returns(net.chances(x)[0], won, game, share)
    return aims


def _half(group: Group, half: int) -> Group:
    x, won, game = group
    mine = game % 2 == half
    return x[mine], won[mine], game[mine]


def _returns(chances: Floats, won: Floats, game: Floats, share: float) -> Floats:
    """What the chances should be, worked out from the end of each game to its beginning (see `foreseen`)."""
    aims = np.eye(chances.shape[1], dtype=np.float32)[won]
    for n in reversed(range(len(game) - 1)):
        if game[n] == game[n + 1]:
            aims[n] = share * aims[n + 1] + (1.0 - share) * chances[n + 1]
    return aims


def _batches(groups: list[Group], aims: list[Floats], rng: Any) -> Iterator[tuple[Floats, Floats]]:
    """All positions in random order, in batches of the same number of players."""
    parts = []
    for group, aim in enumerate(aims):
        order = rng.permutation(len(aim))
        parts += [(group, order[at : at + BATCH]) for at in range(0, len(order), BATCH)]
    for at in rng.permutation(len(parts)):
        group, rows = parts[at]
        yield groups[group][0][rows], aims[group][rows]

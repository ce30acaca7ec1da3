"""Fits a net to what games taught: the winner becomes as likely as can be (numpy)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Floats = Any  # an array: numpy is locked apart, and mypy doesn't see it
Group = tuple[Floats, Floats]
"""Positions with the same number of players: inputs by position and seat, and the winners."""
BATCH = 512
BETAS = (0.9, 0.999)


class Fitted:
    """A net that learns: as `players.net.Net`, with a layer or more."""

    def __init__(self, inputs: int, hidden: Sequence[int], rng: Any) -> None:
        sizes = [inputs, *hidden]
        self.weights: list[Floats] = []
        for before, after in itertools.pairwise(sizes):
            self.weights.append((rng.standard_normal((before, after)) * (2.0 / before) ** 0.5).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights.append((rng.standard_normal(sizes[-1]) * 0.1).astype(np.float32))
        self.weights.append(np.zeros(inputs, np.float32))  # direct
        self.layers = len(hidden)

    def strengths(self, x: Floats) -> tuple[Floats, list[Floats]]:
        """The strength of each row, and what the layers made of it."""
        values = [x]
        for k in range(self.layers):
            values.append(np.maximum(values[-1] @ self.weights[2 * k] + self.weights[2 * k + 1], 0.0))
        return values[-1] @ self.weights[-2] + x @ self.weights[-1], values

    def chances(self, x: Floats) -> tuple[Floats, list[Floats]]:
        """How likely each seat of each position is to win."""
        n, seats, size = x.shape
        strengths, values = self.strengths(x.reshape(n * seats, size))
        strengths = strengths.reshape(n, seats)
        parts = np.exp(strengths - strengths.max(1, keepdims=True))
        return parts / parts.sum(1, keepdims=True), values

    def slopes(self, x: Floats, won: Floats) -> list[Floats]:
        """How the mean surprise changes with each weight."""
        n, seats, _size = x.shape
        chances, values = self.chances(x)
        chances[np.arange(n), won] -= 1.0
        error = (chances / n).reshape(n * seats)
        found: list[Floats] = [error @ values[0], error @ values[-1]]
        back = np.outer(error, self.weights[-2])
        for k in reversed(range(self.layers)):
            back = back * (values[k + 1] > 0.0)
            found += [back.sum(0), values[k].T @ back]
            back = back @ self.weights[2 * k].T
        return found[::-1]

    def loss(self, groups: list[Group]) -> float:
        """Mean surprise at who won, in nats."""
        total, n = 0.0, 0
        for x, won in groups:
            for at in range(0, len(won), 8192):
                chances, _ = self.chances(x[at : at + 8192])
                total -= float(np.log(chances[np.arange(len(chances)), won[at : at + 8192]] + 1e-12).sum())
                n += len(chances)
        return total / n

    def write(self, path: Path, inputs: list[str], remark: str) -> None:
        """The file that `players.net` reads; `inputs`: their names."""
        rounded = [np.round(each.astype(np.float64), 4).T.tolist() for each in self.weights]
        layers = [[rounded[2 * k], rounded[2 * k + 1]] for k in range(self.layers)]
        net: dict[str, object] = {"remark": remark, "inputs": inputs, "layers": layers}
        net |= {"last": rounded[-2], "direct": rounded[-1], "bias": 0.0}
        path.write_text(json.dumps(net, separators=(",", ":")) + "\n", "utf-8")


def fit(groups: list[Group], hidden: Sequence[int], epochs: int, rate: float, decay: float, seed: int) -> Fitted:
    """Weights under which the winners are most likely: Adam with steps that become smaller, and a pull toward zero."""
    rng = np.random.default_rng(seed)
    net = Fitted(groups[0][0].shape[2], hidden, rng)
    first = [np.zeros_like(each) for each in net.weights]
    second = [np.zeros_like(each) for each in net.weights]
    step, steps = 0, epochs * sum(-(-len(won) // BATCH) for _, won in groups)
    for _ in range(epochs):
        for x, won in _batches(groups, rng):
            step += 1
            now = rate * (1.0 - step / steps) + 1e-6
            for k, slope in enumerate(net.slopes(x, won)):
                first[k] = BETAS[0] * first[k] + (1 - BETAS[0]) * slope
                second[k] = BETAS[1] * second[k] + (1 - BETAS[1]) * slope * slope
                scale = np.sqrt(second[k] / (1 - BETAS[1] ** step)) + 1e-8
                net.weights[k] -= now * (first[k] / (1 - BETAS[0] ** step) / scale + decay * net.weights[k])
    return net


def _batches(groups: list[Group], rng: Any) -> Iterator[Group]:
    """All positions in any order, those of a batch with the same number of players."""
    parts = []
    for group, (_, won) in enumerate(groups):
        order = rng.permutation(len(won))
        parts += [(group, order[at : at + BATCH]) for at in range(0, len(order), BATCH)]
    for at in rng.permutation(len(parts)):
        group, rows = parts[at]
        yield groups[group][0][rows], groups[group][1][rows]

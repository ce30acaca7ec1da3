"""Who will win, by a small neural net that looks at each seat (`bench/learn`). It is closer than a weighted sum."""

from __future__ import annotations

import json
from functools import cache
from operator import mul
from pathlib import Path

from engine.geometry import bits
from engine.state import State
from players.chances import Chances
from players.details import DETAILS, details, is_contested
from players.features import Judge
from players.situation import Situation

FILE = Path(__file__).with_name("net.json")
Layer = tuple[list[list[float]], list[float]]
"""For each unit of the layer, a row of weights; and for each, a bias."""


class Net:
    """Makes a strength of a seat's inputs: hidden layers, then a weighted sum of the last one and of the inputs."""

    __slots__ = ("bias", "direct", "inputs", "last", "layers")

    def __init__(
        self, inputs: list[str], layers: list[Layer], last: list[float], direct: list[float], bias: float
    ) -> None:
        self.inputs = inputs
        """Names of the inputs, in the order in which the net takes them."""
        self.layers = layers
        self.last = last
        self.direct = direct
        self.bias = bias

    def strength(self, features: dict[str, float]) -> float:
        """How strong a seat with these inputs is."""
        first = [features[name] for name in self.inputs]
        values = first
        for rows, biases in self.layers:
            values = [max(0.0, sum(map(mul, row, values)) + bias) for row, bias in zip(rows, biases, strict=True)]
        strength: float = sum(map(mul, self.direct, first), self.bias) + sum(map(mul, self.last, values))
        return strength


@cache
def net(path: Path = FILE) -> Net:
    """The net of a file that `bench/learn` wrote."""
    data = json.loads(path.read_text("utf-8"))
    return Net(
        data["inputs"], [(rows, biases) for rows, biases in data["layers"]], data["last"], data["direct"], data["bias"]
    )


class NetChances(Chances):
    """Judges situations on one board by a net."""

    def __init__(self, state: State, by: Net) -> None:
        super().__init__(state, {})
        self.net = by

    def key(self, situation: Situation, seat: int) -> tuple[object, ...]:
        """Everything that the net's inputs depend on."""
        state = situation.state
        ahead = max([state.points(s) for s in bits(state.active() & ~(1 << seat))], default=0)
        at = self.judge.sites(state, seat).best
        contested = at >= 0 and is_contested(state, seat, at)
        return super().key(situation, seat), ahead, sum(state.deck), contested

    def inputs(self, situation: Situation, seat: int) -> dict[str, float]:
        """The net's inputs: the features and details of a seat."""
        return inputs(self.judge, situation, seat)

    def sum(self, inputs: dict[str, float]) -> float:
        """The strength that the net makes of the inputs."""
        return self.net.strength(inputs)


def inputs(judge: Judge, situation: Situation, seat: int) -> dict[str, float]:
    """A net's inputs by name: the features and details of a seat."""
    state, belief = situation.state, situation.beliefs[seat]
    found = judge.features(state, seat, belief)
    found.update(zip(DETAILS, details(judge, state, seat, belief), strict=True))
    return found

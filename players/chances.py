"""Who will win: the chances of all seats in a position, from weights that were learned from games (`bench/learn`)."""

from __future__ import annotations

from functools import cache
from math import exp
from pathlib import Path

from engine.domains import Random
from engine.state import State
from players.features import Judge
from players.situation import Situation
from players.survey import survey_of

USUAL = 6.0
"""The usual strength of a seat in the middle of a game, roughly."""
WEIGHTS = Path(__file__).with_name("weights.txt")


@cache
def weights(path: Path = WEIGHTS) -> dict[str, float]:
    """The weight of each feature, from a file with a line "name weight" for each."""
    lines = [line.split() for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {name: float(weight) for name, weight in lines}


class Chances:
    """Judges positions on one board: strengths of seats, and their chances to win."""

    def __init__(self, state: State, by: dict[str, float]) -> None:
        self.judge = Judge(survey_of(state.board))
        self.weights = by
        self._strengths: dict[tuple[object, ...], float] = {}

    @property
    def weighed(self) -> int:
        """How many seats were judged so far, each of its states once. This is what thinking spends its time on."""
        return len(self._strengths)

    def strength(self, situation: Situation, seat: int) -> float:
        """How strong a seat is."""
        key = self.key(situation, seat)
        strength = self._strengths.get(key)
        if strength is None:
            strength = self._strengths[key] = self.sum(self.inputs(situation, seat))
        return strength

    def key(self, situation: Situation, seat: int) -> tuple[object, ...]:
        """Everything that a seat's strength depends on."""
        return self.judge.key(situation.state, seat, situation.beliefs[seat])

    def inputs(self, situation: Situation, seat: int) -> dict[str, float]:
        """The numbers from which a seat's strength is calculated, by name and always in the same order."""
        return self.judge.features(situation.state, seat, situation.beliefs[seat])

    def sum(self, inputs: dict[str, float]) -> float:
        """The weighted sum of the inputs, which is the strength."""
        total, by = 0.0, self.weights
        for name, each in inputs.items():
            total += by[name] * each
        return total

    def of(self, situation: Situation, seat: int) -> float:
        """How likely the seat is to win, 0 to 1."""
        state = situation.state
        if state.outcome is not None:
            winners = state.outcome.winners
            return 1.0 / len(winners) if seat in winners else 0.0
        mine, others = self.strength(situation, seat), 0.0
        for s in range(state.players):
            if s != seat and not state.resigned >> s & 1:
                others += exp(self.strength(situation, s) - mine)
        return 1.0 / (1.0 + others)


class Alone(Chances):
    """Chances as a beginner sees them: only the seat's own strength counts, and it is judged inexactly."""

    def __init__(self, state: State, by: dict[str, float], rng: Random, sloppiness: float) -> None:
        """`sloppiness` is the error of a judged strength, as a standard deviation."""
        super().__init__(state, by)
        self.rng = rng
        self.sloppiness = sloppiness

    def of(self, situation: Situation, seat: int) -> float:
        """A number that grows with the strength, 0 to 1."""
        if situation.state.outcome is not None:
            return super().of(situation, seat)
        seen = self.strength(situation, seat) + self.sloppiness * (self.rng.random() + self.rng.random() - 1.0) * 2.45
        return 1.0 / (1.0 + exp(USUAL - seen))

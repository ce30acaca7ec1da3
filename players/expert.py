"""The strongest bot: it judges chances with a net (`players.net`), looks further ahead, and bargains more."""

from __future__ import annotations

from engine.domains import Random
from engine.state import State
from players.chances import Chances
from players.net import Net, NetChances, net
from players.sensible import HardPlayer
from players.trading import Bargain


class ExpertPlayer(HardPlayer):
    """Like `HardPlayer`, with a net instead of the weights."""

    depth = 4
    width = 8
    rolls = 4
    bargain = Bargain(most=3, least=0.004, to_build=False)

    def __init__(self, rng: Random, by: Net | None = None) -> None:
        super().__init__(rng)
        self.net = by or net()

    def chances(self, state: State) -> Chances:
        return NetChances(state, self.net)

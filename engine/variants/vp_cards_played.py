"""L1: victory point cards are played like the others, and only played ones count."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import PlayMonopoly, PlayVictoryPoint
from engine.data import Data
from engine.domains import Domain, Single
from engine.resources import VICTORY_POINT
from engine.state import Rules, State, Step, Tx
from engine.steps.cards import PlayCard
from engine.terms import N_
from engine.variants.variant import Variant


class VictoryPoint(PlayCard):
    """Lay down a victory point card, as the one card of the turn."""

    action = PlayVictoryPoint
    card = VICTORY_POINT

    def uses(self, state: State, seat: int) -> Domain | None:
        return _PLAY

    def do(self, state: State, step: Step, seat: int, action: PlayVictoryPoint, tx: Tx) -> None:
        self.lay(state, seat, tx)


_PLAY = Single(PlayVictoryPoint())


def _data(data: Data) -> Data:
    return replace(data, hidden_points=False)


def _patch(rules: Rules) -> None:
    for moves in rules.moves.values():
        if PlayMonopoly in moves:  # wherever cards can be played
            moves[PlayVictoryPoint] = VictoryPoint()


VARIANT = Variant(
    id="vp-cards-played",
    title=N_("Play Victory Points"),
    summary=N_("A Victory Point card counts once played: one per turn, not when bought."),
    topic="cards",
    data=_data,
    patch=_patch,
)

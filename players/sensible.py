"""Players that weigh what they may do by the chances that it leaves them."""

from __future__ import annotations

from engine.actions import Action, CloseOffer, MakeOffer
from engine.domains import Options, Random
from engine.position import Position
from engine.views import OfferView, View
from players import trading
from players.chances import Chances, weights
from players.player import Player
from players.thinking import Thinker


class EasyPlayer(Player):
    """Takes what looks best at once."""

    depth = 1
    width = 1

    def __init__(self, rng: Random, by: tuple[float, ...] | None = None) -> None:
        super().__init__(rng)
        self.weights = by or weights()

    def decide(self, view: View, options: Options) -> Action:
        thinker = self.thinker(view)
        if CloseOffer in options and (closing := trading.closing(thinker, view, options)):
            return closing
        if MakeOffer in options and (offer := trading.offer(thinker, view, options)):
            return offer
        return thinker.best(options).actions[0]

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        return trading.answer(self.thinker(view), view, options, offer)

    def thinker(self, view: View) -> Thinker:
        """What thinks for it in the position that the seat sees."""
        assert view.seat is not None
        position = Position.of(view, self.rng)
        return Thinker(position, view.seat, Chances(position.state, self.weights), self.rng, self.depth, self.width)


class HardPlayer(EasyPlayer):
    """Looks ahead."""

    depth = 3
    width = 5

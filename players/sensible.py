"""Players that weigh what they may do by the chances that it leaves them."""

from __future__ import annotations

from engine.actions import Action, BuildSettlement, CloseOffer, MakeOffer
from engine.domains import Options, Random
from engine.pieces import cities_left, settlement_places, settlements_left
from engine.position import Position
from engine.resources import covers
from engine.terms import StepKind
from engine.views import OfferView, View
from players import opening, trading
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

    def asks_to_build(self, view: View) -> bool:
        """When it holds the price of a settlement that it can place, a city or a card."""
        thinker = self.thinker(view)
        state, seat, data = thinker.position.state, thinker.seat, thinker.position.state.rules.data
        hand = state.hands[seat]
        site = settlement_places(state, seat) and settlements_left(state, seat) > 0
        city = state.settlements[seat] and cities_left(state, seat) > 0
        return bool(
            (site and covers(hand, data.settlement_cost))
            or (city and covers(hand, data.city_cost))
            or (any(state.deck) and covers(hand, data.card_cost))
        )

    def thinker(self, view: View) -> Thinker:
        """What thinks for it in the position that the seat sees."""
        assert view.seat is not None
        position = Position.of(view, self.rng)
        return Thinker(position, view.seat, Chances(position.state, self.weights), self.rng, self.depth, self.width)


class HardPlayer(EasyPlayer):
    """Looks ahead: in its turn at several builds in a row, in setup at what the others leave."""

    depth = 3
    width = 5

    def decide(self, view: View, options: Options) -> Action:
        if view.step.kind is StepKind.SETUP and BuildSettlement in options:
            return opening.settlement(self.thinker(view), options)
        return super().decide(view, options)

"""A bot that takes any allowed action, for tests."""

from __future__ import annotations

from engine.actions import AcceptOffer, Action, DeclineOffer
from engine.domains import Options
from engine.views import OfferView, View
from players.player import Player, may_accept


class RandomPlayer(Player):
    """Takes any option, all equally likely. Makes no offers, and accepts half of those that it can."""

    def decide(self, view: View, options: Options) -> Action:
        return options.sample(self.rng)

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        if may_accept(options, offer) and self.rng.random() < 0.5:
            return AcceptOffer(offer.id)
        return DeclineOffer(offer.id)

    def asks_to_build(self, view: View) -> bool:
        return self.rng.random() < 0.5

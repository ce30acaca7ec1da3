"""What a computer player is."""

from __future__ import annotations

from engine.actions import AcceptOffer, Action, DeclineOffer
from engine.domains import Options, Random
from engine.views import OfferView, View


class Player:
    """Decides for a seat, by nothing but what that seat may know.

    It keeps nothing from one decision to the next: what it thinks about may come from any game, in any process. All
    chance comes from `rng`.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def decide(self, view: View, options: Options) -> Action:
        """What the seat of the view does in the decision that it owes; `options` are not empty.

        It must be one of `options`, or, where they hold `MakeOffer`, any offer that it allows.
        """
        raise NotImplementedError

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        """The answer to an open offer that asks the seat: `AcceptOffer`, `DeclineOffer`, or a counter-offer.

        `options` hold at least `DeclineOffer`. Here it accepts nothing.
        """
        return DeclineOffer(offer.id)

    def asks_to_build(self, view: View) -> bool:
        """Whether the seat asks, in another's turn, for the special building phase after it (J2)."""
        return False


def may_accept(options: Options, offer: OfferView) -> bool:
    """Whether the seat could accept: it holds the cards, and has not accepted before."""
    return options.allows(AcceptOffer(offer.id))

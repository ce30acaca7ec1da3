"""The base class of bots."""

from __future__ import annotations

from engine.actions import AcceptOffer, Action, DeclineOffer
from engine.domains import Options, Random
from engine.views import OfferView, View


class Player:
    """A bot: decides for a seat, only by what that seat can know.

    It keeps nothing between two decisions: each can be about any game, in any process. All chance comes from `rng`.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def decide(self, view: View, options: Options) -> Action:
        """The action of the view's seat for the decision that it owes; `options` are not empty.

        It must be one of `options`. If they hold `MakeOffer`, it can be any offer of that domain.
        """
        raise NotImplementedError

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        """The answer to an open offer that asks the seat: `AcceptOffer`, `DeclineOffer`, or a counteroffer.

        `options` hold at least `DeclineOffer`. By default it declines.
        """
        return DeclineOffer(offer.id)

    def asks_to_build(self, view: View) -> bool:
        """Whether the seat asks, in another player's turn, to build after it (J2)."""
        return False


def may_accept(options: Options, offer: OfferView) -> bool:
    """Whether the seat can accept: it holds the cards, and hasn't accepted before."""
    return options.allows(AcceptOffer(offer.id))
